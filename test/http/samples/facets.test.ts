/** `facets=` over HTTP: what is refused and in which words, bounds, paging, conditional reads, and the document's form. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MOST_FACETS, MOST_VALUES } from '../../../src/registry/search/facets.js';
import type { FacetsDocument } from '../../../src/registry/search/sample-facets-document.js';
import { type Service, startService } from '../service.js';

interface Page {
  _embedded?: { samples: { name: string }[] };
  _links: Record<string, { href: string }>;
  page?: { totalElements: number };
  facets?: FacetsDocument;
}

const SAMPLES = 6;
let service: Service;
let token: string;

beforeAll(async () => {
  service = await startService();
  token = await service.token('lab-1');
  for (let at = 0; at < SAMPLES; at++) {
    await register(`facets ${at}`, {
      organism: [{ text: at < 4 ? 'Homo sapiens' : 'Mus musculus' }],
      age: [{ text: String(at * 10) }],
      'a,b:c': [{ text: 'x:y, z' }],
      '7': [{ text: 'seven' }],
      '*': [{ text: 'star' }],
    });
  }
  await vi.waitFor(async () => expect((await service.store.indexState()).lag).toBe(0), { timeout: 300_000 });
});
afterAll(() => service.stop());

async function register(name: string, characteristics: object, release = '2020-01-01'): Promise<string> {
  const answer = await service.send('POST', '/samples', { name, release, characteristics }, { token });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ accession: string }>().accession;
}
/** Held to the interface description by the service of these tests. */
const list = async (query: string): Promise<Page> => {
  const answer = await service.get(`/samples?${query}`, { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<Page>();
};
const facets = async (query: string): Promise<FacetsDocument> => (await list(query)).facets as FacetsDocument;
const names = async (query: string): Promise<string[]> => (await facets(query)).characteristics.map(({ name }) => name);
const below = (href: string | undefined): string => new URL(href as string).search.slice(1);

describe('what is asked wrongly', () => {
  const tooMany = Array.from({ length: MOST_FACETS + 1 }, (_, at) => `n${at}`);
  it.each([
    ['facets=0', 'facets=0'],
    [`facets=${MOST_FACETS + 1}`, `facets=${MOST_FACETS + 1}`],
    ['facets=99999999999999999999', 'facets=99999999999999999999'],
    [`facets=${tooMany}`, `facets= with ${MOST_FACETS + 1} names`],
    [tooMany.map((name) => `facets=${name}`).join('&'), `facets= with ${MOST_FACETS + 1} names`],
    ['facets=organism&facetValues=0', 'facetValues=0'],
    ['facets=organism&facetValues=101', 'facetValues=101'],
    ['facets=organism&facetValues=-1', 'facetValues=-1'],
    ['facets=organism&facetValues=many', 'facetValues=many'],
    ['facets=organism&facetValues=1.5', 'facetValues=1.5'],
    ['facets=organism&filter=range:age:from=old', 'range:age:from=old'],
    ['facets=organism&filter=range:age:', 'range:age:'],
    ['facets=organism&filter=range:age:from=1below=2020-01-01', 'range:age:from=1below=2020-01-01'],
    ['facets=organism&filter=unknown:x', 'unknown:x'],
  ])('%s is refused by its name and value', async (query, named) => {
    const answer = await service.get(`/samples?${query}`, { token });
    const { code, detail } = answer.json<{ code: string; detail: string }>();
    expect([answer.status, code]).toEqual([400, 'request.invalid']);
    expect(detail).toContain(named);
    expect(detail.length).toBeLessThan(600);
  });

  it('says a long value shortened', async () => {
    const answer = await service.get(`/samples?facets=${'9'.repeat(2000)}`, { token });
    expect(answer.status).toBe(400);
    expect(answer.json<{ detail: string }>().detail.length).toBeLessThan(200);
  });
});

describe('what is asked for', () => {
  it.each(['', 'facets=', 'facets=%20,,', 'facetValues=5'])(
    'without a characteristic nothing is counted: ?%s',
    async (query) => {
      expect(await list(query)).not.toHaveProperty('facets');
    },
  );

  it.each([
    ['facets=organism,age', ['organism', 'age']],
    ['facets=organism&facets=age', ['organism', 'age']],
    ['facets=ORGANISM,organism', ['ORGANISM']],
    ['facets=a%5C,b:c', ['a,b:c']],
    ['facets=%5C7', ['7']],
    ['facets=%5C*', ['*']],
    ['facets=7,organism', ['7', 'organism']],
    ['facets=nowhere', ['nowhere']],
  ])('?%s counts by these', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('is as many of the most frequent as there are, at most so many', async () => {
    expect((await names('facets=2')).length).toBe(2);
    expect((await names(`facets=${MOST_FACETS}`)).toSorted()).toEqual(['*', '7', 'a,b:c', 'age', 'organism']);
    expect(await names('facets=*')).toEqual(await names('facets=10'));
    expect(await names(Array.from({ length: MOST_FACETS }, (_, at) => `facets=n${at}`).join('&'))).toHaveLength(
      MOST_FACETS,
    );
  });

  it('has so many values, says how many others there are, and none for what nobody has', async () => {
    const [age] = (await facets('facets=age&facetValues=2')).characteristics;
    expect([age?.values.length, age?.others]).toEqual([2, SAMPLES - 2]);
    const [whole] = (await facets(`facets=age&facetValues=${MOST_VALUES}`)).characteristics;
    expect([whole?.values.length, whole?.others]).toEqual([SAMPLES, 0]);
    const nothing = { name: 'nowhere', samples: 0, filter: 'attr:nowhere', values: [], others: 0 };
    expect(await facets('facets=nowhere')).toEqual({ samples: SAMPLES, characteristics: [nothing] });
    expect(await facets('facets=age&text=unheardof')).toMatchObject({ samples: 0 });
  });

  it('gives filters that lead to what was counted, whatever stands in names and values', async () => {
    const { characteristics } = await facets(`facets=*&facetValues=${MOST_VALUES}`);
    const counted = characteristics.flatMap((one) => [one, ...one.values, ...(one.ranges ?? [])]);
    expect(characteristics.some(({ rangesOf }) => rangesOf === 'numbers')).toBe(true);
    for (const { filter, samples } of counted) {
      const { page } = await list(`page=0&size=1&filter=${encodeURIComponent(filter)}`);
      expect(page?.totalElements, filter).toBe(samples);
    }
    // The end of a range is not part of it, and the ranges are all of them.
    const ranges = characteristics.find(({ name }) => name === 'age')?.ranges ?? [];
    expect(ranges.reduce((sum, { samples }) => sum + samples, 0)).toBe(SAMPLES);
  });
});

describe('pages', () => {
  it('count the same on each: all that is found, not what is shown', async () => {
    const first = await list('facets=organism&size=4&filter=attr:age');
    const second = await list(`${below(first._links.next?.href)}&facets=organism`);
    expect([first._embedded?.samples.length, second._embedded?.samples.length]).toEqual([4, 2]);
    expect(second.facets).toEqual(first.facets);
    expect(first.facets).toMatchObject({ samples: SAMPLES });
    const beyond = await list('facets=organism&page=9&size=4&filter=attr:age');
    expect(beyond).not.toHaveProperty('_embedded');
    expect(beyond.facets).toEqual(first.facets);
    expect(beyond.page?.totalElements).toBe(first.facets?.samples);
  });

  it('say in "self" what was asked; the links to others leave the counts out, which would be the same', async () => {
    for (const query of ['facets=organism,a%5C,b:c&facetValues=3&size=2', 'facets=*&page=1&size=2']) {
      const { _links, facets: counted } = await list(query);
      expect((await list(below(_links.self?.href))).facets).toEqual(counted);
      const next = new URLSearchParams(below(_links.next?.href));
      expect([next.has('facets'), next.has('facetValues')]).toEqual([false, false]);
    }
    const { _links } = await list('size=2');
    expect(_links.self?.href).toBe(`${service.url}/samples?size=2`);
  });
});

describe('a conditional read', () => {
  it('is answered in full, with what holds now: a list has no entity tag', async () => {
    const query = '/samples?facets=organism&size=1';
    const before = await service.get(query, { token });
    expect([before.headers.get('etag'), before.headers.get('cache-control')]).toEqual([null, 'private, no-cache']);
    expect((await service.get(query, { token: null })).headers.get('cache-control')).toBe('no-cache');
    const headers = { 'If-None-Match': '*', 'If-Modified-Since': new Date(Date.now() + 60_000).toUTCString() };
    const again = await service.get(query, { token, headers });
    expect([again.status, again.text]).toEqual([200, before.text]);
    // A write that was acknowledged is counted by the next read, indexed or not.
    await register('facets late', { late: [{ text: 'yes' }] }, '2999-01-01');
    expect((await facets('facets=late')).characteristics[0]?.samples).toBe(1);
    const others = await service.get('/samples?facets=late', { token: null });
    expect(others.json<Page>().facets?.characteristics[0]?.samples).toBe(0);
  });

  it('of the head alone has the headers of the whole', async () => {
    const [head, whole] = [
      await service.call('/samples?facets=organism&size=1', { method: 'HEAD', token }),
      await service.get('/samples?facets=organism&size=1', { token }),
    ];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(whole.bytes.length));
  });
});
