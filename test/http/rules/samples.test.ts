/** Routes that write samples and show their versions: what of a request reaches the registry, and where the answer leads. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sampleRoutes } from '../../../src/http/routes/samples.js';
import type { Registry } from '../../../src/registry/registry.js';
import type { SampleSearch } from '../../../src/registry/search/sample-search.js';
import { type Ask, routed } from './routed.js';

const VIEW = { document: { name: 'a' }, etag: '"t"', accession: 'SAMR1', replayed: false };

let ask: Ask;
let end: () => void;
let asked: unknown[][] = [];
let replayed = false;
let historyEnded = false;
beforeAll(async () => {
  const writes = async (...given: unknown[]) => {
    asked.push(given);
    return { ...VIEW, replayed };
  };
  const registry = {
    register: writes,
    accession: writes,
    update: writes,
    withdraw: writes,
    validate: async (...given: unknown[]) => {
      asked.push(given);
      return { name: 'a' };
    },
    async *history(...given: unknown[]) {
      asked.push(given);
      try {
        yield [{ version: 3 }, { version: 2 }];
        yield [{ version: 1 }];
      } finally {
        historyEnded = true;
      }
    },
    versionRecord: async (...given: unknown[]) => {
      asked.push(given);
      return { version: given[1] };
    },
  } as unknown as Registry;
  const search = {
    search: async () => ({ samples: (async function* () {})(), damaged: [] }),
  } as unknown as Pick<SampleSearch, 'search'>;
  ({ ask, end } = await routed((context) => sampleRoutes(context, { registry, search })));
});
afterAll(() => end());
beforeEach(() => {
  asked = [];
  replayed = false;
  historyEnded = false;
});

const caller = expect.objectContaining({ account: 'lab-7' });
const SUBMIT = { as: ['submit'] as const };
const send = (method: string, path: string, headers = {}, body: string | undefined = '{"name":"a"}') =>
  ask(path, { method, ...SUBMIT, headers, ...(body === undefined ? {} : { body }) });

describe('every address', () => {
  it.each([
    ['GET', '/', 200],
    ['POST', '/', 201],
    ['POST', '/accession', 201],
    ['POST', '/validate', 200],
    ['GET', '/SAMX1', 404],
    ['PUT', '/SAMR1', 200],
    ['GET', '/SAMR1/history', 200],
    ['GET', '/SAMR1/history/1', 200],
    ['GET', '/SAMR1/other', 404],
  ])('%s %s', async (method, path, status) => {
    const answer = await ask(path, { method, ...SUBMIT, ...(method === 'GET' ? {} : { body: '{}' }) });
    expect(answer.status, answer.text).toBe(status);
    const isJsonAlone = status === 404 || path.endsWith('/1');
    const refused = await ask(path, { method, ...SUBMIT, headers: { accept: 'image/png' } });
    expect(refused.status).toBe(isJsonAlone ? status : 406);
  });

  it.each([
    ['POST', '/', 'submit'],
    ['POST', '/accession', 'submit'],
    ['POST', '/validate', 'read'],
    ['PUT', '/SAMR1', 'submit'],
    ['PUT', '/SAMR1/withdrawal', 'submit'],
    ['DELETE', '/SAMR1/withdrawal', 'submit'],
    ['GET', '/SAMR1/history', 'read'],
    ['GET', '/SAMR1/history/1', 'read'],
  ])('%s %s needs a token that may', async (method, path, scope) => {
    const of = { method, ...(method === 'POST' ? { body: '{}' } : {}) };
    expect((await ask(path, of)).status).toBe(401);
    expect((await ask(path, { ...of, as: ['read'] })).status).not.toBe(401);
    expect((await ask(path, { ...of, as: ['read'] })).status === 403).toBe(scope === 'submit');
  });
});

describe('a sample that is registered', () => {
  it('speaks as the collection, and one that gets an accession as itself', async () => {
    const made = await send('POST', '/', { 'idempotency-key': 'k' });
    expect([made.headers.get('location'), made.headers.get('etag'), made.headers.get('content-type')]) //
      .toEqual(['http://x/samples', '"t"', 'application/hal+json']);
    expect(made.headers.get('idempotent-replayed')).toBeNull();
    expect(made.body).toMatchObject({ name: 'a', _links: { self: { href: 'http://x/samples' } } });
    const placeholder = await send('POST', '/accession', { 'idempotency-key': 'l' });
    expect([placeholder.headers.get('location'), placeholder.headers.get('content-type')]) //
      .toEqual(['http://x/samples/SAMR1', 'application/json']);
    expect(placeholder.body).toMatchObject({ _links: { self: { href: 'http://x/samples/SAMR1' } } });
    const hal = await send('POST', '/accession', { accept: 'application/hal+json' });
    expect(hal.headers.get('content-type')).toBe('application/hal+json');
    expect(asked).toEqual([
      [{ name: 'a' }, caller, 'k'],
      [{ name: 'a' }, caller, 'l'],
      [{ name: 'a' }, caller, undefined],
    ]);
  });

  it('says when it was there before', async () => {
    replayed = true;
    for (const path of ['/', '/accession'])
      expect((await send('POST', path)).headers.get('idempotent-replayed')).toBe('true');
    expect((await send('POST', '/', { 'idempotency-key': 'ü' })).status).toBe(400);
  });

  it('is checked without being written', async () => {
    expect((await send('POST', '/validate')).body).toEqual({ name: 'a' });
    expect(asked).toEqual([[{ name: 'a' }, caller]]);
  });
});

describe('a sample that is written to', () => {
  const conditions = { ifMatch: '"t"', ifNoneMatch: undefined };
  it('is overwritten, withdrawn and given back under the conditions of the request', async () => {
    const put = await send('PUT', '/SAMR1', { 'if-match': '"t"' });
    expect([put.headers.get('etag'), put.body]).toEqual([
      '"t"',
      expect.objectContaining({ _links: expect.objectContaining({ self: { href: 'http://x/samples/SAMR1' } }) }),
    ]);
    for (const method of ['PUT', 'DELETE']) {
      const answer = await ask('/SAMR1/withdrawal', { method, ...SUBMIT, headers: { 'if-match': '"t"' } });
      expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"t"']);
      expect(answer.body).toMatchObject({ _links: { self: { href: 'http://x/samples/SAMR1' } } });
    }
    expect(asked).toEqual([
      ['SAMR1', { name: 'a' }, caller, conditions],
      ['SAMR1', true, caller, conditions],
      ['SAMR1', false, caller, conditions],
    ]);
  });

  it.each(['PUT', 'DELETE'])('%s of a withdrawal reads no body: what one says would be passed over', async (method) => {
    for (const body of ['', '{}', ' { } '])
      expect((await send(method, '/SAMR1/withdrawal', {}, body)).status).toBe(200);
    asked = [];
    for (const body of ['{"withdrawn":false}', `{"reason":"${'x'.repeat(200)}"}`]) {
      const { status, body: problem } = await send(method, '/SAMR1/withdrawal', {}, body);
      const words =
        'This address reads no body: PUT withdraws the sample and DELETE takes that back; send nothing else.';
      expect([status, problem.detail, asked]).toEqual([400, words, []]);
    }
    expect((await send(method, '/SAMR1/withdrawal', { accept: 'image/png' }, '')).status).toBe(406);
  });
});

describe('the history of a sample', () => {
  it('is all of its versions, each with its address', async () => {
    const { body, headers } = await ask('/SAMR1/history', { as: ['read'] });
    const version = (number: number) => ({
      version: number,
      _links: { self: { href: `http://x/samples/SAMR1?version=${number}` } },
    });
    expect(headers.get('content-type')).toBe('application/hal+json');
    expect(body).toEqual({
      _embedded: { versions: [3, 2, 1].map(version) },
      _links: { self: { href: 'http://x/samples/SAMR1/history' }, sample: { href: 'http://x/samples/SAMR1' } },
    });
    expect([asked, historyEnded]).toEqual([[['SAMR1', caller]], true]);
  });

  it('has versions that are numbers from 1', async () => {
    const one = await ask('/SAMR1/history/123456789', { as: ['read'] });
    expect([one.body, one.headers.get('content-type')]).toEqual([
      { version: 123456789 },
      'application/json;charset=UTF-8',
    ]);
    expect(asked).toEqual([['SAMR1', 123456789, caller]]);
    for (const version of ['0', '01', '1x', 'x1', '1234567890', '-1', 'y'.repeat(50)]) {
      const { status, body } = await ask(`/SAMR1/history/${version}`, { as: ['read'] });
      const words = `There is no version ${version.slice(0, 40)}; versions are numbers from 1.`;
      expect([status, body.detail]).toEqual([404, words]);
    }
    expect(asked).toHaveLength(1);
  });
});
