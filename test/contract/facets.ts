/** Facets and ranges as src/registry/search/search-store.ts promises them, compared with counting by hand, on any adapter. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyCurations } from '../../src/registry/curations/curation-rules.js';
import { type Characteristic, type Characteristics, emptyContent } from '../../src/registry/samples/sample.js';
import type { SampleRecord } from '../../src/registry/samples/sample-store.js';
import type { FoundFacets } from '../../src/registry/search/facets.js';
import { attributeFilter } from '../../src/registry/search/filter-parts.js';
import { foundRangeFilter } from '../../src/registry/search/sample-facets-document.js';
import { parseSearch } from '../../src/registry/search/search-query.js';
import type { SearchQuery } from '../../src/registry/search/search-store.js';
import type { Store } from '../../src/store/store.js';
import { curationLink } from '../many-machines/store-samples.js';
import { PROOF } from '../support/proof.js';
import { Random } from '../support/random.js';
import type { OpenStore } from './submission-store.js';

const NAMES = ['organism', 'Organism', 'age', 'collection date', 'a:b', 'ends with \\', 'note', '7'];
const VALUES: Record<string, readonly string[]> = {
  organism: ['Homo sapiens', 'homo sapiens', 'Mus musculus', 'Danio rerio'],
  Organism: ['HOMO SAPIENS', 'NCBITaxon:9606'],
  age: ['0', '-1.5', '7', '12', '12.0', '40', '63.25', '1e3', 'unknown'],
  'collection date': ['2019-05-03', '2019-06', '2020-01-01T10:00:00Z', '2024-11-30', '2019'],
  'a:b': ['x:y', 'x\\:y', 'x\\'],
};
const TERMS = ['NCBITaxon:9606', 'http://purl.obolibrary.org/obo/NCBITaxon_10090', 'Danio rerio'];
const NOW = 1_700_000_000_000;
const CALLERS: SearchQuery['reader'][] = [
  undefined,
  { account: 'ada', admin: false },
  { account: 'bo', admin: false },
  { account: 'root', admin: true },
];

const SEARCHES: string[][] = [
  [],
  ['attr:organism'],
  ['attr:organism:homo sapiens', 'attr:note'],
  ['account:bo'],
  ['status:any'],
  ['dt:release:until=2024-01-01', 'range:age:from=0below=13'],
  ['name:sample 3'],
];
/** Those that a facet lists when it is asked for by name. */
const MOST_VALUES = 4;

const fold = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

function characteristics(random: Random): Characteristics {
  const made: Characteristics = {};
  for (const name of NAMES) {
    if (random.chance(0.4)) continue;
    made[name] = Array.from({ length: random.chance(0.8) ? 1 : 3 }, (): Characteristic => {
      const values = VALUES[name] ?? [`own ${random.below(30)}`];
      return {
        ...(random.chance(0.95) ? { text: random.pick(values) } : {}),
        ...(random.chance(0.3) ? { ontologyTerms: [random.pick(TERMS)] } : {}),
        ...(random.chance(0.2) ? { unit: random.pick(['year', 'day']) } : {}),
      };
    });
  }
  return made;
}

/** What of a sample a filter of the characteristic finds it by, folded; those that a text says are `said`. */
function valuesOf({ sample, curationLinks }: SampleRecord, name: string) {
  const all = new Map<string, boolean>();
  let has = false;
  for (const [key, entries] of Object.entries(
    applyCurations(sample.content, curationLinks, 'SAMR1').content.characteristics,
  )) {
    if (fold(key) !== fold(name)) continue;
    has = true;
    for (const { text, ontologyTerms = [] } of entries) {
      if (text) all.set(fold(text), true);
      for (const term of ontologyTerms) if (!all.has(fold(term))) all.set(fold(term), false);
    }
  }
  return { has, all };
}

type Facet = FoundFacets['list'][number];

/** A facet lists the values that samples say, those of most samples first, and counts for each whatever its filter finds. */
function expectCounted(facet: Facet, records: readonly SampleRecord[], place: string): void {
  const values = records.map((record) => valuesOf(record, facet.name));
  expect(facet.samples, place).toBe(values.filter(({ has }) => has).length);
  const said = new Set(values.flatMap(({ all }) => [...all].flatMap(([value, is]) => (is ? [value] : []))));
  const count = (value: string) => values.filter(({ all }) => all.has(fold(value))).length;
  for (const { value, samples } of facet.values) expect(samples, `${place} ${value}`).toBe(count(value));
  expect(facet.values.map(({ samples }) => samples)).toEqual(
    [...said]
      .map(count)
      .sort((a, b) => b - a)
      .slice(0, MOST_VALUES),
  );
  expect(facet.values.length + (facet.others ?? Number.NaN), place).toBe(said.size);
}

/** Asked for by their number, facets are those of most samples, counted as they are by name. */
function expectOfMost(most: readonly Facet[], all: readonly Facet[]): void {
  const byHand = all.map(({ samples }) => samples).filter((samples) => samples > 0);
  expect(most.map(({ samples }) => samples)).toEqual(byHand.sort((a, b) => b - a).slice(0, 3));
  for (const { name, samples } of most) {
    expect(all.find((facet) => fold(facet.name) === fold(name))?.samples).toBe(samples);
  }
}

/** Of each value and range that a facet shows: the filter that it leads to, and how many samples it says. */
function shownBy({ name, values, ranges }: Facet): { filter: string; samples: number }[] {
  return [
    ...values.map(({ value, samples }) => ({ filter: attributeFilter(name, value), samples })),
    ...(ranges?.list ?? []).map(({ samples, ...range }) => ({
      filter: foundRangeFilter(name, ranges?.date === true, range),
      samples,
    })),
  ];
}

export function facetsContract(engine: string, open: OpenStore): void {
  // The same rows are counted by either engine; the slower one shows it of fewer stores.
  const stores = PROOF ? 20 : engine === 'postgres' ? 4 : 8;
  describe.each(Array.from({ length: stores }, (_, at) => at + 1))(`facets contract on ${engine}, store %i`, (seed) => {
    const random = new Random(seed * 7919);
    let store: Store;
    const create = (at: number) =>
      store.createSample({
        draft: {
          name: `sample ${at}`,
          release: NOW + random.pick([-5000, -1000, -1, 0, 1, 60_000]),
          content: { ...emptyContent(), characteristics: characteristics(random) },
        },
        account: random.pick(['ada', 'bo']),
        author: 'ada',
        via: 'JSON_API',
        placeholder: false,
      });
    const change = (id: number) =>
      store.updateSample(id, ({ sample }) => ({
        kind: 'update',
        draft: {
          ...sample,
          release: NOW + random.pick([-1000, 60_000]),
          content: { ...sample.content, characteristics: characteristics(random) },
        },
        provenance: { author: 'ada', via: 'JSON_API' },
        ...(random.chance(0.3) ? { adminStatus: 'KILLED' as const } : {}),
      }));
    const whole = (query: Partial<SearchQuery>): SearchQuery => ({ terms: [], now: NOW, size: 200, ...query });
    const search = (query: Partial<SearchQuery>) => store.search(whole(query), { page: 0 });
    const found = (query: Partial<SearchQuery>) => store.findSamples(whole(query), { page: 0 });
    const counted = async (query: Partial<SearchQuery>): Promise<FoundFacets> => {
      const { facets } = await found(query);
      if (facets === undefined) throw new Error('no facets');
      return facets;
    };

    const indexAll = async (rows: () => number): Promise<void> => {
      while ((await store.indexNext(rows())).more);
    };
    /** Some samples are changed in the index, and some wait. */
    const changeSome = async (ids: readonly number[]): Promise<void> => {
      for (let at = 0; at < 8; at++) await change(random.pick(ids));
      if (random.chance(0.7)) await indexAll(() => 5);
      for (let at = 0; at < random.below(10); at++) await change(random.pick(ids));
    };

    beforeAll(async () => {
      store = await open({ prefix: 'SAMR', now: () => NOW });
      const ids: number[] = [];
      for (let at = 0; at < 20; at++) ids.push((await create(at)).id);
      const [curated = 1] = ids;
      const attributesPost = [{ type: 'tissue', value: 'Liver', iri: [] }];
      await store.addCurationLink(curated, curationLink('l', { attributesPost }));
      await indexAll(() => random.below(12) + 1);
      await changeSome(ids);
      for (let at = 0; at < random.below(5); at++) await create(100 + at);
    });
    afterAll(() => store.close());

    it('counts as by hand', async () => {
      for (const filters of SEARCHES) {
        const reader = random.pick(CALLERS);
        const parsed = parseSearch('SAMR', random.chance(0.2) ? 'sample' : undefined, filters);
        const query = { ...parsed, ...(reader ? { reader } : {}) };
        const { records, total } = await search(query);
        const byName = { of: [...NAMES, 'tissue', 'nowhere'], values: MOST_VALUES };
        const facets = await counted({ ...query, facets: byName });
        expect(facets.samples, filters.join()).toBe(total);
        expect(facets.missing).toBe(0);
        expect(facets.list.map(({ name }) => name)).toEqual(byName.of.filter((name) => name !== 'Organism'));
        for (const facet of facets.list) {
          expectCounted(facet, records, `${reader?.account} ${filters.join()} ${facet.name}`);
        }
        expectOfMost((await counted({ ...query, facets: { of: 3, values: 2 } })).list, facets.list);
      }
    });

    it('shows of each value and range what its filter finds', async () => {
      const reader = random.pick(CALLERS);
      const asked = reader ? { reader } : {};
      for (const facet of (await counted({ ...asked, facets: { of: NAMES, values: 20 } })).list) {
        for (const { filter, samples } of shownBy(facet).filter(() => random.chance(0.4))) {
          const { total } = await search({ ...asked, ...parseSearch('SAMR', undefined, [filter]) });
          expect(total, filter).toBe(samples);
        }
      }
    });
  });
}
