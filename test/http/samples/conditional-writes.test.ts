/** Writes under conditions (RFC 9110, section 13.1): whoever wants to write only over what was read, or over nothing, writes over nothing else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
