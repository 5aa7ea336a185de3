/** Listing and searching on a real store: what a page holds, says and leaves out. */
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, Registry } from '../../../src/registry/registry.js';
import { readFacets } from '../../../src/registry/search/sample-facets-document.js';
import { SampleSearch, type SampleSearchRequest } from '../../../src/registry/search/sample-search.js';
import { storageIsDamaged } from '../../../src/store/failures.js';
import type { Store } from '../../../src/store/store.js';
import { sqliteStores } from '../../contract/empty-stores.js';
import { batchOf, claimNext, draft, named } from '../../many-machines/store-samples.js';
import { ADA, BO, BODY, ROOT, refused } from '../open-registry.js';

const stores = sqliteStores();
let clock: number;
const options = { prefix: 'SAMR', now: () => clock };
let store: Store;
let registry: Registry;
let search: SampleSearch;
beforeEach(async () => {
  clock = Date.UTC(2030, 0, 1);
  store = await stores.open(options);
  registry = new Registry(store, options);
  search = new SampleSearch(store, registry, options);
});
afterEach(() => store.close());
afterAll(() => stores.remove());

const LATER = { release: '2040-01-01' };
const register = async (changes: object = {}, caller = ADA) =>
  (await registry.register({ ...BODY, ...changes }, caller)).accession;
const organism = (text: string) => ({ characteristics: { organism: [{ text }] } });
/** A page with the names of its samples. */
const page = async (request: Partial<SampleSearchRequest> = {}, caller: Caller | undefined = ADA) => {
  const { samples, damaged, ...rest } = await search.search({ size: 100, ...request }, caller);
  const names: string[] = [];
  for await (const { document } of samples) names.push(document.name);
  expect(damaged).toEqual([]);
  return { names, ...rest };
};
const upload = async (rows: number) => {
  await store.accept(draft('ada'), { sameBytes: true });
  await store.applyBatch(await claimNext(store), batchOf(2, named(2, rows)), { leaseMs: 60_000, last: true });
};
const indexAll = async () => {
  while ((await store.indexNext(5_000)).more);
};

describe('a list of samples', () => {
  it('has the newest first, as far as the caller may read them, as curators see them', async () => {
    const open = await register({ name: 'open' });
    await register({ name: 'mine', ...LATER });
    await register({ name: 'theirs', ...LATER }, BO);
    expect(await page()).toEqual({ names: ['mine', 'open'] });
    expect(await page({}, BO)).toEqual({ names: ['theirs', 'open'] });
    expect(await page({}, ROOT)).toEqual({ names: ['theirs', 'mine', 'open'] });
    expect((await search.search({ size: 1 }, undefined)).cursor).toBeUndefined();
    await registry.curate(open, { curation: { attributesPost: [{ type: 'tissue', value: 'liver' }] } }, BO);
    const { samples } = await search.search({ size: 1 }, undefined);
    for await (const view of samples) {
      expect(view).toEqual(await registry.read(open, undefined));
      expect(view.document.characteristics).toMatchObject({ tissue: [{ text: 'liver' }] });
    }
  });

  it('shows no sample that became private after it was found', async () => {
    const first = await register({ name: 'first' });
    await register({ name: 'second' });
    const { samples } = await search.search({ size: 10 }, undefined);
    await registry.withdraw(first, true, ADA);
    const names: string[] = [];
    for await (const { document } of samples) names.push(document.name);
    expect(names).toEqual(['second']);
  });

  it('is walked by cursors without losing or repeating any, whatever the size of a page', async () => {
    await upload(40);
    const { names: all } = await page();
    expect(all).toHaveLength(40);
    for (const size of [1, 3, 20, 39, 40, 41]) {
      const walked: string[] = [];
      let pages = 0;
      for (let cursor: string | undefined; ; ) {
        const { names, cursor: next } = await page({ size, cursor });
        walked.push(...names);
        pages++;
        if (next === undefined) break;
        cursor = next;
      }
      expect([walked, pages]).toEqual([all, Math.ceil(40 / size)]);
    }
  });

  it('is counted in pages with numbers, which have no cursor', async () => {
    await upload(5);
    expect(await page({ size: 2, page: 0 })).toEqual({ names: ['sample 6', 'sample 5'], total: 5 });
    expect(await page({ size: 2, page: 2 })).toEqual({ names: ['sample 2'], total: 5 });
    expect(await page({ size: 2, page: 3 })).toEqual({ names: [], total: 5 });
    expect(await page({ size: 2 })).not.toHaveProperty('total');
  });

  it('counts to ten thousand, and has no page behind that', async () => {
    await upload(2);
    // As a store answers that has more.
    const full: Store = {
      ...store,
      findSamples: async (query, start) => ({
        ...(await store.findSamples(query, start)),
        total: 10_000,
        counted: false,
      }),
    };
    const {
      samples: _,
      damaged: none,
      ...said
    } = await new SampleSearch(full, registry, options).search({ size: 2, page: 0 }, ADA);
    expect([said, none]).toEqual([{ total: 10_000, totalIsMinimum: true }, []]);
    expect((await page({ size: 20_000, page: 0 })).names).toHaveLength(2);
    expect((await page({ size: 9_999, page: 1 })).names).toEqual([]);
    for (const [at, size] of [
      [1, 10_000],
      [5_000, 2],
    ])
      await expect(page({ size: size as number, page: at })).rejects.toEqual(
        refused(
          'request.invalid',
          `Page ${at} of ${size} samples each begins behind sample 10000; pages end there. Narrow the search with filters, or leave "page" out and follow the links "next".`,
        ),
      );
  });

  it('takes no cursor that is not its own', async () => {
    const written = ['', '1 ', '-1', 'A', '1.5', '123456789012', 'zzzzzzzzzzz'];
    for (const cursor of ['%', ...written.map((text) => Buffer.from(text).toString('base64url'))])
      await expect(page({ cursor })).rejects.toEqual(
        refused('request.invalid', 'The cursor is not one of ours; follow the link "next" of a page.'),
      );
  });
});

describe('a search', () => {
  it('finds by words and filters together', async () => {
    await register({ name: 'liver', ...organism('Mus musculus') });
    await register({ name: 'lung', ...organism('Mus musculus') });
    await register({ name: 'liver', ...organism('Homo sapiens') });
    expect((await page({ text: 'liver', filters: ['attr:organism:mus musculus'] })).names).toEqual(['liver']);
    expect((await page({ filters: ['attr:organism:mus musculus'] })).names).toEqual(['lung', 'liver']);
    await expect(page({ filters: ['colour:red'] })).rejects.toMatchObject({ code: 'request.invalid' });
  });

  it('counts what it finds, wherever the page begins', async () => {
    for (const text of ['Mus musculus', 'Homo sapiens', 'Homo sapiens']) await register(organism(text));
    await register({ ...organism('Mus musculus'), ...LATER }, BO);
    const facets = readFacets(['organism'], 5);
    const characteristics = [
      {
        name: 'organism',
        samples: 3,
        filter: 'attr:organism',
        others: 0,
        values: [
          { value: 'Homo sapiens', samples: 2, filter: 'attr:organism:Homo sapiens' },
          { value: 'Mus musculus', samples: 1, filter: 'attr:organism:Mus musculus' },
        ],
      },
    ];
    expect((await page({ facets, size: 1 })).facets).toEqual({ samples: 3, characteristics });
    expect(await page({ size: 1 })).not.toHaveProperty('facets');
  });

  it('says how much it leaves out while the index is behind', async () => {
    await upload(3);
    await indexAll();
    expect(await page()).not.toHaveProperty('notIndexed');
    await store.rebuildIndex();
    await register({ name: 'new' });
    expect(await page({ facets: readFacets(['organism'], 5) })).toMatchObject({
      names: ['new'],
      notIndexed: 3,
      facets: { samples: 1, notIndexed: 3 },
    });
    // The samples of a lineage are looked for in the index, too.
    const related = { facets: readFacets(['organism'], 5), filters: ['descendantOf:SAMR4'] };
    expect(await page(related)).toMatchObject({ names: [], notIndexed: 3, facets: { samples: 0, notIndexed: 3 } });
  });

  it('finds descendants and ancestors, those among them that meet the other filters', async () => {
    const derived = (target: string) => ({ relationships: [{ type: 'derived from', target }] });
    const first = await register({ name: 'first' });
    const second = await register({ name: 'second', ...derived(first) });
    const third = await register({ name: 'third', ...derived(second) });
    const hidden = await register({ name: 'hidden', ...derived(second), ...LATER }, BO);
    const found = async (caller: Caller | undefined, ...filters: string[]) => (await page({ filters }, caller)).names;
    expect(await found(ADA, `descendantOf:${first}`)).toEqual(['third', 'second']);
    expect(await found(BO, `descendantOf:${first}`)).toEqual(['hidden', 'third', 'second']);
    expect(await found(ADA, `ancestorOf:${third}`)).toEqual(['second', 'first']);
    expect(await found(ADA, `descendantOf:${first}`, `ancestorOf:${third}`)).toEqual(['second']);
    expect(await found(ADA, `descendantOf:${first}`, `acc:${third}`, `acc:${first}`)).toEqual(['third']);
    expect(await found(ADA, `descendantOf:${first}:same as`)).toEqual([]);
    expect(await found(ADA, `ancestorOf:${hidden}`)).toEqual([]);
  });
});

describe('a list whose samples lie in several lots', () => {
  it('is whole, whichever of them cannot be read, and no reading asks for all', async () => {
    await upload(170);
    await indexAll();
    const readings: number[] = [];
    const listing = async (...broken: number[]) => {
      readings.length = 0;
      const failing: typeof store.readSamplesWithin = async (ids, bytes) => {
        readings.push(ids.length);
        const answer = await store.readSamplesWithin(ids, bytes);
        if (answer.records.some(({ sample }) => broken.includes(sample.id))) throw storageIsDamaged('A sample');
        return answer;
      };
      const faulty = new SampleSearch({ ...store, readSamplesWithin: failing }, registry, options);
      const { samples, damaged } = await faulty.search({ size: 200 }, ADA);
      const found: string[] = [];
      for await (const { accession } of samples) found.push(accession);
      return { found, damaged };
    };
    const accessions = Array.from({ length: 170 }, (_, at) => `SAMR${170 - at}`);
    expect(await listing()).toEqual({ found: accessions, damaged: [] });
    expect(readings.length).toBeLessThan(10);
    expect(Math.max(...readings)).toBeLessThan(100);
    for (const broken of [[170], [1], [120, 121], [170, 119, 118, 70, 2, 1]]) {
      const damaged = broken.map((id) => `SAMR${id}`).sort((a, b) => Number(b.slice(4)) - Number(a.slice(4)));
      expect(await listing(...broken)).toEqual({ found: accessions.filter((one) => !damaged.includes(one)), damaged });
    }
  });
});

describe('samples that are looked at again', () => {
  it('are those of the list that meet every filter now, withdrawn ones too', async () => {
    const [mouse, human, gone] = [
      await register(organism('Mus musculus')),
      await register(organism('Homo sapiens')),
      await register(organism('Mus musculus')),
    ];
    const hidden = await register({ ...organism('Mus musculus'), ...LATER }, BO);
    await registry.withdraw(gone, true, ADA);
    const given = [mouse, human, gone, hidden, 'SAMR999', 'OTHER1'];
    const matching = async (filters: string[], accessions = given) => [
      ...(await search.matching(accessions, filters, ADA)),
    ];
    expect(await matching([])).toEqual([gone, human, mouse]);
    expect(await matching(['attr:organism:mus musculus'])).toEqual([gone, mouse]);
    expect(await matching(['attr:organism:mus musculus'], [human, mouse])).toEqual([mouse]);
    expect(await matching(['status:withdrawn'])).toEqual([gone]);
    expect(await matching([`acc:${human}`, `acc:${gone}`])).toEqual([gone, human]);
    expect(await matching([`acc:${human}`], [mouse])).toEqual([]);
    expect(await matching([], [])).toEqual([]);
    expect(await matching(['dt:update:from=2030-01-02'])).toEqual([]);
  });

  it('cannot be found out while the index is behind, by whatever filter', async () => {
    await upload(3);
    await indexAll();
    await store.rebuildIndex();
    const filters = ['attr:organism', 'range:age:from=1', 'account:ada', 'dt:update:from=2030-01-01', 'status:any'];
    for (const filter of [...filters, 'ancestorOf:SAMR3'])
      await expect(search.matching(['SAMR2'], [filter], ADA), filter).rejects.toEqual(
        refused('service.unavailable', 'The search index is 3 changes behind.'),
      );
    await indexAll();
    expect([...(await search.matching(['SAMR2', 'SAMR3'], ['account:ada'], ADA))]).toEqual(['SAMR3', 'SAMR2']);
  });
});
