/** Requests that register samples and are sent again with their `Idempotency-Key`, as programs do whose answer was lost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../service.js';

let service: Service;
let ada: string;
let bo: string;
let keys = 0;
let clockAhead = 0;
beforeAll(async () => {
  service = await startService({ clockAhead: () => clockAhead });
  ada = await service.token('ada');
  bo = await service.token('bo');
});
afterAll(() => service.stop());

const BODY = { name: 'n', release: '2024-01-01', characteristics: { organism: [{ text: 'Homo sapiens' }] } };
const newKey = () => `request ${++keys}`;
const post = (path: string, body: unknown, key?: string, token = ada) =>
  service.call(path, {
    method: 'POST',
    token,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
  });
type Answer = Awaited<ReturnType<typeof post>>;
const accessionOf = (answer: Answer) => answer.json<{ accession: string }>().accession;
const replayed = (answer: Answer) => answer.headers.get('idempotent-replayed') ?? undefined;
const countNamed = async (name: string) => {
  const found = await service.call(`/samples?filter=name:${encodeURIComponent(name)}&page=0`, { token: ada });
  return found.json<{ page: { totalElements: number } }>().page.totalElements;
};

describe.each([['/samples'], ['/samples/accession']])('POST %s', (path) => {
  const bodyOf = (name: string) => (path === '/samples' ? { ...BODY, name } : { name });

  it('registers once, however often and however many at once it is sent', async () => {
    const [key, name] = [newKey(), `once ${path}`];
    const first = await post(path, bodyOf(name), key);
    expect([first.status, replayed(first)]).toEqual([201, undefined]);
    const again = await post(path, bodyOf(name), key);
    expect([again.status, replayed(again), again.text]).toEqual([201, 'true', first.text]);
    expect([again.headers.get('etag'), again.headers.get('location')]).toEqual([
      first.headers.get('etag'),
      first.headers.get('location'),
    ]);
    const atOnce = newKey();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(path, bodyOf(name), atOnce)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(accessionOf)).size).toBe(1);
    expect(answers.filter((answer) => replayed(answer) === undefined)).toHaveLength(1);
    expect(await countNamed(name)).toBe(2);
  });

  it('refuses the key with another sample, and is of its account', async () => {
    const key = newKey();
    const first = await post(path, bodyOf('mine'), key);
    const others = [bodyOf('other'), { ...bodyOf('mine'), characteristics: { sex: [{ text: 'male' }] } }];
    for (const other of others) {
      const answer = await post(path, other, key);
      expect([answer.status, answer.json<{ code: string }>().code]).toEqual([422, 'sample.key-reused']);
      expect(answer.text).toContain(`The Idempotency-Key \\"${key}\\" came with another sample before`);
    }
    const otherPath = path === '/samples' ? '/samples/accession' : '/samples';
    expect(
      (await post(otherPath, { ...BODY, name: 'mine', release: path === '/samples' ? undefined : '2024-01-01' }, key))
        .status,
    ).toBe(422);
    const theirs = await post(path, bodyOf('mine'), key, bo);
    expect([theirs.status, replayed(theirs)]).toEqual([201, undefined]);
    expect(accessionOf(theirs)).not.toBe(accessionOf(first));
  });

  it('takes nothing that is no key', async () => {
    for (const key of ['', 'k'.repeat(256)]) expect((await post(path, bodyOf('n'), key)).status).toBe(400);
  });
});

it('answers the sample as it is now', async () => {
  const key = newKey();
  const first = await post('/samples', BODY, key);
  const accession = accessionOf(first);
  const { _links, ...stored } = first.json<{ _links: object }>();
  const changed = { ...stored, name: 'renamed' };
  await service.call(`/samples/${accession}`, {
    method: 'PUT',
    token: ada,
    body: JSON.stringify(changed),
    headers: { 'content-type': 'application/json' },
  });
  const again = await post('/samples', BODY, key);
  expect([again.status, replayed(again), again.json<{ name: string }>().name]).toEqual([201, 'true', 'renamed']);
});

it('answers a request again whose status fits its release no longer', async () => {
  const key = newKey();
  clockAhead = -3_600_000;
  const body = { ...BODY, release: new Date(Date.now() - 1_800_000).toISOString(), status: 'PRIVATE' };
  const first = await post('/samples', body, key);
  clockAhead = 0;
  const again = await post('/samples', body, key);
  expect([first.status, again.status, replayed(again)]).toEqual([201, 201, 'true']);
  expect(accessionOf(again)).toBe(accessionOf(first));
  expect((await post('/samples', body)).status).toBe(422);
});

it('registers after a refusal: a key is that of what was registered', async () => {
  const key = newKey();
  expect((await post('/samples', { ...BODY, release: 'never' }, key)).status).toBe(422);
  const good = await post('/samples', BODY, key);
  expect([good.status, replayed(good)]).toEqual([201, undefined]);
});

describe('lists', () => {
  const list = (prefix: string) => Array.from({ length: 30 }, (_, at) => ({ ...BODY, name: `${prefix} ${at}` }));

  it.each(['/v2/samples', '/v2/samples/bulk-submit'])('%s registers each once', async (path) => {
    const [key, samples] = [newKey(), list(`of ${path}`)];
    const first = await post(path, samples, key);
    const again = await post(path, samples, key);
    expect([first.status, again.status, replayed(first), replayed(again)]).toEqual([201, 201, undefined, 'true']);
    expect(again.text).toBe(first.text);
    const other = [...samples.slice(0, 29), { ...BODY, name: 'another' }];
    const refused = await post(path, [{ ...BODY, name: 'new' }, ...other], key);
    expect([refused.status, refused.json<{ code: string }>().code]).toEqual([422, 'sample.key-reused']);
    expect(refused.text).toContain('at place 0 of the list before, and nothing was written');
    expect(await countNamed('new')).toBe(0);
  });

  it('goes on behind what was registered before it was cut off', async () => {
    const [key, samples] = [newKey(), list('cut')];
    const first = await post('/v2/samples/bulk-submit', samples.slice(0, 12), key);
    const whole = await post('/v2/samples/bulk-submit', samples, key);
    expect([whole.status, replayed(whole)]).toEqual([201, undefined]);
    const accessions = (answer: Answer) => answer.json<{ accession: string }[]>().map(({ accession }) => accession);
    expect(accessions(whole).slice(0, 12)).toEqual(accessions(first));
    for (const at of [0, 11, 12, 29]) expect(await countNamed(`cut ${at}`)).toBe(1);
  });

  it('gives the same accessions, and the same receipt', async () => {
    const [key, samples] = [newKey(), list('accessions')];
    const names = samples.map(({ name }) => ({ name }));
    const first = await post('/v2/samples/bulk-accession', names, key);
    const again = await post('/v2/samples/bulk-accession', names, key);
    expect([again.status, replayed(again), again.text]).toEqual([200, 'true', first.text]);
    const mixed = [...list('receipt').slice(0, 3), { ...BODY, release: 'never' }];
    const receipts = [newKey()]
      .flatMap((one) => [one, one])
      .map((one) => () => post('/v2/samples/bulk-submit-get-receipt', mixed, one));
    const texts: string[] = [];
    for (const send of receipts) texts.push((await send()).text);
    expect(texts[1]).toBe(texts[0]);
    expect(await countNamed('receipt 0')).toBe(1);
  });
});

it('the keys of requests are no key space that anybody can name', async () => {
  const key = newKey();
  await post('/samples', BODY, key);
  const place = `/samples/by-key/${encodeURIComponent('(Idempotency-Key)')}/${encodeURIComponent(key)}`;
  expect((await service.call(place, { token: ada })).status).toBe(400);
});
