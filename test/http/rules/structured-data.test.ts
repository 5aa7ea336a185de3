/** Tables of a sample: which of them an address takes away, and that a table which its reader holds is not sent again. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { structuredDataRoutes } from '../../../src/http/routes/structured-data.js';
import type { Registry } from '../../../src/registry/registry.js';
import { type Ask, routed } from './routed.js';

let ask: Ask;
let end: () => void;
let asked: unknown[][] = [];
beforeAll(async () => {
  const registry = {
    putStructuredData: async (...given: unknown[]) => {
      asked.push(given);
      return { accession: 'SAMR1', data: [] };
    },
    deleteStructuredData: async (...given: unknown[]) => void asked.push(given),
    getStructuredData: async (...given: unknown[]) => {
      asked.push(given);
      return { accession: 'SAMR1', data: [] };
    },
  } as unknown as Registry;
  ({ ask, end } = await routed((context) => structuredDataRoutes(context, registry)));
});
afterAll(() => end());
beforeEach(() => {
  asked = [];
});

const takeAway = (query: string, more: RequestInit = {}) =>
  ask(`/SAMR1${query}`, { method: 'DELETE', as: ['submit'], ...more });

describe('what is taken away', () => {
  it.each([
    ['', {}],
    ['?other=1', {}],
    ['?type=AMR', { type: 'AMR' }],
    ['?type=%20AMR&type=AMR&account=ada', { type: 'AMR', account: 'ada' }],
    ['?account=M%C3%BCller', { account: 'Müller' }],
  ])('is what the address says: %s', async (query, which) => {
    const answer = await takeAway(query, { headers: { 'if-match': '"a"' } });
    expect([answer.status, answer.text]).toEqual([204, '']);
    const conditions = { ifMatch: '"a"', ifNoneMatch: undefined };
    expect(asked).toEqual([['SAMR1', which, expect.objectContaining({ account: 'lab-7' }), conditions]]);
  });

  it.each([
    ['?type=', 'type= is empty; give one, or leave it out to take all tables away.'],
    [
      '?type=AMR&type=',
      'type= is given twice with different values; give one, or leave it out to take all tables away.',
    ],
    ['?account=%20', 'account= is empty; give one, or leave it out to take all tables away.'],
    [
      '?type=a&type=b',
      'type= is given twice with different values; give one, or leave it out to take all tables away.',
    ],
    ['?Type=AMR', 'There is no parameter Type; write type.'],
    ['?type=AMR&ACCOUNT=ada', 'There is no parameter ACCOUNT; write account.'],
    ['?type=%FC', 'type=\uFFFD holds percent-encoded bytes that are no UTF-8'],
  ])('is nothing where it may be misunderstood: %s', async (query, words) => {
    const answer = await takeAway(query);
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining(words)]);
    expect(asked).toEqual([]);
  });

  it('is not said in a body, and needs a token that may', async () => {
    const said = await takeAway('', { body: '{"type":"AMR"}' });
    expect([said.status, said.body.detail]).toEqual([
      400,
      'This address reads no body: say account or type in the address, or nothing to take all tables away.',
    ]);
    expect((await ask('/SAMR1', { method: 'DELETE', as: ['read'] })).status).toBe(403);
    expect((await ask('/SAMR1', { method: 'DELETE' })).status).toBe(401);
    expect(asked).toEqual([]);
  });
});

it('what is put is answered as it stands now, under the tag that a reader gets', async () => {
  const headers = { 'content-type': 'application/json', 'if-none-match': '*' };
  const body = '{"accession":"SAMR1","data":[]}';
  const put = await ask('/SAMR1', { method: 'PUT', as: ['submit'], headers, body });
  expect([put.status, put.body]).toEqual([200, { accession: 'SAMR1', data: [] }]);
  expect(put.headers.get('etag')).toBe((await ask('/SAMR1')).headers.get('etag'));
  const conditions = { ifMatch: undefined, ifNoneMatch: '*' };
  expect(asked[0]).toEqual(['SAMR1', JSON.parse(body), expect.objectContaining({ account: 'lab-7' }), conditions]);
  expect((await ask('/SAMR1', { method: 'PUT', as: ['read'], headers, body })).status).toBe(403);
});

describe('what is read', () => {
  it('is for its reader alone, who is not sent again what is held', async () => {
    const first = await ask('/SAMR1');
    expect([first.status, first.body]).toEqual([200, { accession: 'SAMR1', data: [] }]);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const again = await ask('/SAMR1', { headers: { 'if-none-match': first.headers.get('etag') as string } });
    expect([again.status, again.text]).toEqual([304, '']);
    await ask('/SAMR1', { as: ['read'] });
    expect(asked.map(([, reader]) => (reader as { account: string } | undefined)?.account)).toEqual([
      undefined,
      undefined,
      'lab-7',
    ]);
    expect((await ask('/SAMR1', { headers: { accept: 'image/png' } })).status).toBe(406);
  });
});
