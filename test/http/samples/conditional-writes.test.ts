/** Writes under conditions (RFC 9110, section 13.1): whoever wants to write only over what was read, or over nothing, writes over nothing else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT_IDS } from '../../../src/formats/names.js';
import { type Service, startService } from '../service.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab-1');
});
afterAll(() => service.stop());

const sample = (name: string, more: Record<string, unknown> = {}) => ({ name, release: '2020-01-01', ...more });
const tables = (value: string) => ({ data: [{ type: 'T', content: [{ x: { value } }] }] });

let samples = 0;
async function registered(): Promise<string> {
  const key = `k${++samples}`;
  const answer = await service.send('PUT', `/samples/by-key/lims/${key}`, sample('as it was read'), { token });
  expect(answer.status, answer.text).toBe(201);
  const { accession } = answer.json<{ accession: string }>();
  expect((await service.send('PUT', `/structureddata/${accession}`, tables('read'), { token })).status).toBe(200);
  return accession;
}

/** Each write to what is there, and the address by whose entity tag its conditions are meant. */
const WRITES: [string, string, (accession: string) => string, (accession: string) => unknown, string][] = [
  ['PUT of a sample', 'PUT', (at) => `/samples/${at}`, (accession) => sample('mine', { accession }), '/samples/'],
  ['PUT of a sample by its key', 'PUT', () => `/samples/by-key/lims/k${samples}`, () => sample('mine'), '/samples/'],
  ['a withdrawal', 'PUT', (at) => `/samples/${at}/withdrawal`, () => undefined, '/samples/'],
  ['the end of a withdrawal', 'DELETE', (at) => `/samples/${at}/withdrawal`, () => undefined, '/samples/'],
  ['PUT of structured data', 'PUT', (at) => `/structureddata/${at}`, () => tables('mine'), '/structureddata/'],
  ['DELETE of structured data', 'DELETE', (at) => `/structureddata/${at}`, () => undefined, '/structureddata/'],
];

describe.each(WRITES)('%s', (_write, method, address, body, tagged) => {
  const write = (accession: string, headers: Record<string, string>) =>
    body(accession) === undefined
      ? service.call(address(accession), { method, token, headers })
      : service.send(method, address(accession), body(accession), { token, headers });
  const tagOf = async (accession: string): Promise<string> =>
    (await service.get(`${tagged}${accession}`, { token })).headers.get('etag') as string;
  const state = async (accession: string) =>
    Promise.all(
      ['/samples/', '/structureddata/'].map(async (at) => (await service.get(at + accession, { token })).text),
    );

  it('is refused where another one was faster, and changes nothing', async () => {
    const accession = await registered();
    const read = await tagOf(accession);
    await service.send('PUT', `/samples/${accession}`, sample('theirs', { accession }), { token });
    await service.send('PUT', `/structureddata/${accession}`, tables('theirs'), { token });
    const theirs = await state(accession);
    const why = { changed: 'has changed since it was read', weak: 'send the tag without W/' };
    for (const [header, said] of [
      [read, why.changed],
      [`"other", ${read}`, why.changed],
      [`W/${read}`, why.changed],
      [`W/${await tagOf(accession)}`, why.weak],
    ] as const) {
      const refused = await write(accession, { 'if-match': header });
      expect(refused.status, header).toBe(412);
      expect(refused.json()).toMatchObject({ code: 'precondition.failed', detail: expect.stringContaining(accession) });
      expect(refused.json()).toMatchObject({ detail: expect.stringContaining(said) });
    }
    expect(await state(accession)).toEqual(theirs);
    const written = await write(accession, { 'if-match': await tagOf(accession) });
    expect([200, 204]).toContain(written.status);
  });

  it('is refused where nothing may be there, and something is', async () => {
    const accession = await registered();
    const before = await state(accession);
    const refused = await write(accession, { 'if-none-match': '*' });
    expect(refused.status).toBe(412);
    expect(refused.json()).toMatchObject({ code: 'precondition.failed', detail: expect.stringContaining(accession) });
    expect(await state(accession)).toEqual(before);
  });
});

it('structured data is attached where none may be there, and none is', async () => {
  const { accession } = (await service.send('POST', '/samples', sample('bare'), { token })).json<{
    accession: string;
  }>();
  const attach = () =>
    service.send('PUT', `/structureddata/${accession}`, tables('first'), {
      token,
      headers: { 'if-none-match': '*' },
    });
  const answers = await Promise.all([attach(), attach(), attach()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
});

describe('a sample with curations, one of them declined', () => {
  const ways = ['', '?applyCurations=false', '?declined=true', ...FORMAT_IDS.map((format) => `?format=${format}`)];
  const curated = async (): Promise<string> => {
    const accession = await registered();
    for (const value of ['applied', 'declined']) {
      const curation = { attributesPost: [{ type: 'sex', value }] };
      const answer = await service.send('POST', `/samples/${accession}/curationlinks`, { curation });
      const { hash } = answer.json<{ hash: string }>();
      if (value === 'declined')
        await service.send('POST', `/samples/${accession}/curationlinks/${hash}/decline`, {}, { token });
    }
    return accession;
  };

  it.each(ways)('is written over as it was read with %j, and not once it has changed', async (way) => {
    const accession = await curated();
    const etag = (await service.get(`/samples/${accession}${way}`, { token })).headers.get('etag') as string;
    const write = (name: string) =>
      service.send('PUT', `/samples/${accession}`, sample(name, { accession }), {
        token,
        headers: { 'if-match': etag },
      });
    expect([(await write('mine')).status, (await write('late')).status]).toEqual([200, 412]);
  });

  it('is read by its key in each way in which it is by its accession', async () => {
    const accession = await curated();
    const shown = new Set<string>();
    for (const way of [...ways.slice(0, 3), '?curationdomain=', '?version=1']) {
      const [byKey, byAccession] = await Promise.all(
        [`by-key/lims/k${samples}`, accession].map((place) => service.get(`/samples/${place}${way}`, { token })),
      );
      expect([byKey?.status, byKey?.text]).toEqual([200, byAccession?.text]);
      expect(byKey?.headers.get('etag')).toBe(byAccession?.headers.get('etag'));
      shown.add(byKey?.text ?? '');
    }
    expect(shown.size).toBe(4);
    expect((await service.get(`/samples/by-key/lims/k${samples}?applyCurations=maybe`, { token })).status).toBe(400);
  });
});

it.each(['PUT', 'DELETE'])(
  '%s of structured data that is not there says so where If-Match wants it',
  async (method) => {
    const made = await service.send('POST', '/samples', sample('bare'), { token });
    const at = `/structureddata/${made.json<{ accession: string }>().accession}`;
    const headers = { 'if-match': '*' };
    const refusal = await (method === 'PUT'
      ? service.send(method, at, tables('mine'), { token, headers })
      : service.call(at, { method, token, headers }));
    expect([refusal.status, refusal.json<{ detail: string }>().detail]).toEqual([
      412,
      `The structured data of ${at.slice(16)} is not there, or no longer, and If-Match wants what was read; leave that header out to make it anew.`,
    ]);
  },
);
