/** `GET /samples` and lists like it: what is asked of the search, and where an answer leads. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createListSamples } from '../../../src/http/routes/sample-list.js';
import type { SampleSearchResult } from '../../../src/registry/search/sample-search.js';
import { type Ask, routed } from './routed.js';

let ask: Ask;
let end: () => void;
let asked: Record<string, unknown>[] = [];
let found: Record<string, unknown> = {};
beforeAll(async () => {
  const search = async (given: unknown, caller: unknown): Promise<SampleSearchResult> => {
    asked.push({ ...(given as object), caller });
    const { accessions = [], ...rest } = found as { accessions?: string[] };
    const samples = (async function* () {
      for (const accession of accessions) yield { accession, document: { accession, name: 'é' } };
    })();
    return { samples, damaged: [], ...rest } as unknown as SampleSearchResult;
  };
  ({ ask, end } = await routed((context) => createListSamples(context, { search })));
});
afterAll(() => end());
beforeEach(() => {
  asked = [];
  found = {};
});

const wanted = async (query: string) => {
  const { status, text } = await ask(`/?${query}`);
  expect(status, text).toBe(200);
  const { network, counted, ...rest } = asked.at(-1) as Record<string, unknown>;
  expect(network).toBe('127.0.0.1');
  return rest;
};
const linksOf = async (query: string) => {
  const { _links } = (await ask(`/?${query}`)).body as { _links: Record<string, { href: string }> };
  const { sample, ...links } = _links;
  expect(sample).toEqual({ href: 'http://x/samples/{accession}', templated: true });
  return Object.fromEntries(
    Object.entries(links).map(([name, { href }]) => [name, href.replace('http://x/samples', '')]),
  );
};

describe('a list of samples', () => {
  it('asks for what the address says, by page or by cursor', async () => {
    expect(await wanted('')).toStrictEqual({ filters: [], size: 20, caller: undefined });
    expect(await wanted('text=%20liver&filter=a&filter=b&size=200&cursor=abc')).toStrictEqual({
      text: 'liver',
      filters: ['a', 'b'],
      size: 200,
      cursor: 'abc',
      caller: undefined,
    });
    expect(await wanted('cursor=')).toStrictEqual({ filters: [], size: 20, caller: undefined });
    expect(await wanted('cursor=*')).toStrictEqual({ filters: [], size: 20, caller: undefined });
    expect(await wanted('page=')).toMatchObject({ page: 0 });
    expect(await wanted('page=1000000')).toMatchObject({ page: 1_000_000 });
    expect(await wanted('facets=organism,age&facetValues=100')).toMatchObject({
      facets: { of: ['organism', 'age'], values: 100 },
    });
    expect(await wanted('facets=*')).toMatchObject({ facets: { of: 10, values: 10 } });
    await ask('/', { as: ['read'] });
    expect(asked.at(-1)?.caller).toMatchObject({ account: 'lab-7' });
  });

  it.each([
    ['page=0&cursor=*', 'Give page or cursor, not both.'],
    ['page=1000001', 'page=1000001 must be a whole number from 0 to 1000000.'],
    ['size=201', 'size=201 must be a whole number from 1 to 200.'],
    ['size=0', 'size=0 must be a whole number from 1 to 200.'],
    ['facets=a&facetValues=101', 'facetValues=101 must be a whole number from 1 to 100.'],
    ['facetValues=0', 'facetValues=0 must be a whole number from 1 to 100.'],
  ])('is refused where the address cannot be meant: %s', async (query, detail) => {
    expect((await ask(`/?${query}`)).body).toMatchObject({ code: 'request.invalid', detail });
    expect(asked).toEqual([]);
  });

  it('is for everybody the same, but for who is signed in, and for nobody to keep', async () => {
    expect((await ask('/')).headers.get('cache-control')).toBe('no-cache');
    expect((await ask('/', { as: ['read'] })).headers.get('cache-control')).toBe('private, no-cache');
    expect((await ask('/')).headers.get('content-type')).toContain('application/hal+json');
    expect((await ask('/', { headers: { accept: 'image/png' } })).status).toBe(406);
  });
});

describe('what is found', () => {
  it('stands in the answer with its links, one sample behind the other', async () => {
    found = { accessions: ['SAMR2', 'SAMR1'] };
    const { body } = await ask('/');
    const { samples } = body._embedded as { samples: { accession: string; _links: { self: unknown } }[] };
    expect(samples).toMatchObject([
      { accession: 'SAMR2', name: 'é', _links: { self: { href: 'http://x/samples/SAMR2' } } },
      { accession: 'SAMR1', name: 'é', _links: { self: { href: 'http://x/samples/SAMR1' } } },
    ]);
    expect(Object.keys(body)).toEqual(['_embedded', '_links']);
    found = {};
    expect(Object.keys((await ask('/')).body)).toEqual(['_links']);
  });

  it('says what is not in it: changes that wait, samples that cannot be read', async () => {
    found = { notIndexed: 0, damaged: ['SAMR7'], facets: { samples: 3 } };
    const { headers, body } = await ask('/');
    expect(headers.get('samples-not-indexed')).toBe('0');
    expect(body).toMatchObject({ notIndexed: 0, damaged: ['SAMR7'], facets: { samples: 3 } });
    found = {};
    expect((await ask('/')).headers.get('samples-not-indexed')).toBeNull();
  });

  it('has numbers of pages where pages are asked for', async () => {
    found = { total: 41 };
    expect((await ask('/?page=1&size=20')).body.page).toEqual({
      size: 20,
      totalElements: 41,
      totalPages: 3,
      number: 1,
    });
    expect((await ask('/')).body).not.toHaveProperty('page');
    found = { total: 10_000, totalIsMinimum: true };
    expect((await ask('/?page=0')).body.page).toMatchObject({ totalPages: 500, totalIsMinimum: true });
    found = {};
    expect((await ask('/?page=0')).body.page).toMatchObject({ totalElements: 0, totalPages: 0 });
  });
});

describe('the links of a list', () => {
  it('keep what was asked for, and go on behind the last sample', async () => {
    found = { cursor: 'c/2' };
    expect(await linksOf('')).toEqual({ self: '?size=20', next: '?cursor=c%2F2&size=20' });
    expect(await linksOf('text=a%26b&filter=x&filter=y&cursor=c/1&size=5')).toEqual({
      self: '?text=a%26b&filter=x&filter=y&cursor=c%2F1&size=5',
      next: '?text=a%26b&filter=x&filter=y&cursor=c%2F2&size=5',
    });
    found = {};
    expect(await linksOf('cursor=*')).toEqual({ self: '?size=20' });
  });

  it('lead from page to page', async () => {
    found = { total: 41 };
    expect(await linksOf('page=1&filter=x')).toEqual({
      self: '?filter=x&page=1&size=20',
      first: '?filter=x&page=0&size=20',
      prev: '?filter=x&page=0&size=20',
      next: '?filter=x&page=2&size=20',
      last: '?filter=x&page=2&size=20',
    });
    found = {};
    expect(await linksOf('page=0')).toEqual({ self: '?page=0&size=20' });
  });

  it('ask for the counts again at the same page alone', async () => {
    found = { cursor: 'c', total: 41 };
    const counted = 'facets=organism&facets=age&facetValues=3';
    expect(await linksOf(`${counted}&other=1`)).toEqual({
      self: `?size=20&${counted}`,
      next: '?cursor=c&size=20',
    });
    expect(await linksOf(`page=0&${counted}`)).toMatchObject({
      self: `?page=0&size=20&${counted}`,
      next: '?page=1&size=20',
    });
    expect((await linksOf('facetValues=3')).self).toBe('?size=20');
  });
});
