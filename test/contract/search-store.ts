/** What src/registry/search-store.ts promises, on any adapter. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/sample.js';
import type { SearchQuery, SearchStart } from '../../src/registry/search-store.js';
import { attributeTerm, nameTerm, valueTerm } from '../../src/registry/search-terms.js';
import type { Store } from '../../src/store/store.js';
import type { Claim } from '../../src/submissions/submission-store.js';
import { batchOf, draft, named } from '../many-machines/store-samples.js';
import type { OpenStore } from './submission-store.js';

export function searchStoreContract(name: string, open: OpenStore): void {
  describe(`search store contract on ${name}`, () => {
    let store: Store;
    let clock: number;
    beforeEach(async () => {
      clock = 1_700_000_000_000;
      store = await open({ prefix: 'SAMR', now: () => clock });
    });
    afterEach(() => store.close());

    const create = async (
      name: string,
      { organism = 'Homo sapiens', account = 'ada', release = clock - 1000 } = {},
    ) => {
      const characteristics = { organism: [{ text: organism }] };
      const content = { ...emptyContent(), characteristics };
      const sample = {
        draft: { name, release, content },
        account,
        author: account,
        via: 'JSON_API' as const,
        placeholder: false,
      };
      return (await store.createSample(sample)).id;
    };
    const indexAll = async (): Promise<number> => {
      let indexed = 0;
      for (;;) {
        const step = await store.indexNext(7);
        indexed += step.indexed;
        if (step.lag === 0 && step.indexed === 0) return indexed;
      }
    };
    const search = (query: Partial<SearchQuery> = {}, start: SearchStart = {}) =>
      store.search({ terms: [], now: clock, size: 100, ...query }, start);
    const found = async (query: Partial<SearchQuery> = {}, start: SearchStart = {}): Promise<string[]> =>
      (await search(query, start)).records.map(({ sample }) => sample.name);

    it('finds what was indexed, newest first, and tells of what is not yet', async () => {
      for (const name of ['one', 'two', 'three']) await create(name);
      expect(await store.indexLag()).toBe(3);
      expect(await found()).toEqual([]);
      expect(await indexAll()).toBe(3);
      expect(await store.indexLag()).toBe(0);
      expect(await found()).toEqual(['three', 'two', 'one']);
    });

    it('meets every group of terms by any of its terms', async () => {
      await create('a', { organism: 'Mus musculus' });
      await create('b', { organism: 'Homo sapiens' });
      await create('c', { organism: 'Danio rerio' });
      await indexAll();
      expect(await found({ terms: [['whomo', 'wmus']] })).toEqual(['b', 'a']);
      expect(await found({ terms: [['wmus'], ['wmusculus']] })).toEqual(['a']);
      expect(await found({ terms: [['wmus'], ['wsapiens']] })).toEqual([]);
      expect(await found({ terms: [[valueTerm('Organism', 'danio RERIO')]] })).toEqual(['c']);
      expect(await found({ terms: [[attributeTerm('organism')], [nameTerm('B')]] })).toEqual(['b']);
    });

    it('shows public samples to all, private ones to their owner and to administrators', async () => {
      await create('open');
      await create('hers', { release: clock + 60_000 });
      await create('his', { release: clock + 60_000, account: 'bo' });
      const withdrawn = await create('withdrawn', { account: 'bo' });
      await store.updateSample(withdrawn, ({ sample }) => ({
        kind: 'update',
        draft: sample,
        provenance: { author: 'root', via: 'JSON_API' },
        adminStatus: 'KILLED',
      }));
      await indexAll();
      expect(await found()).toEqual(['open']);
      expect(await found({ reader: { account: 'ada', admin: false } })).toEqual(['hers', 'open']);
      expect(await found({ reader: { account: 'bo', admin: false } })).toEqual(['withdrawn', 'his', 'open']);
      expect(await found({ reader: { account: 'nobody', admin: false } })).toEqual(['open']);
      expect(await found({ reader: { account: 'root', admin: true } })).toEqual(['withdrawn', 'his', 'hers', 'open']);
    });

    it('opens samples when their date has come', async () => {
      await create('soon', { release: clock + 1000 });
      await indexAll();
      expect(await found()).toEqual([]);
      clock += 2000;
      await store.indexNext(10);
      expect(await found()).toEqual(['soon']);
    });

    it('filters by numbers, owners and times', async () => {
      const first = await create('first', { release: 1000 });
      clock += 5000;
      await create('second', { account: 'bo', release: 2000 });
      await indexAll();
      expect(await found({ ids: [first, 999_999] })).toEqual(['first']);
      expect(await found({ accounts: ['bo', 'nobody'] })).toEqual(['second']);
      expect(await found({ accounts: ['nobody'] })).toEqual([]);
      expect(await found({ release: { from: 1500 } })).toEqual(['second']);
      expect(await found({ release: { from: 1000, until: 1000 } })).toEqual(['first']);
      expect(await found({ updated: { until: clock - 1 } })).toEqual(['first']);
    });

    it('walks without seeing a sample twice or missing one, and counts in page mode', async () => {
      for (let n = 0; n < 25; n++) await create(`s${n}`, { release: n % 2 ? clock - 1 : clock + 99_999 });
      await indexAll();
      const reader = { account: 'ada', admin: false };
      const seen: string[] = [];
      let before: number | undefined;
      do {
        const page = await search({ size: 4, reader }, before === undefined ? {} : { before });
        seen.push(...page.records.map(({ sample }) => sample.name));
        before = page.next;
        await create(`later ${seen.length}`);
        await indexAll();
      } while (before !== undefined);
      expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `s${24 - n}`));
      const paged = await search({ size: 10, reader }, { page: 2 });
      expect(paged.total).toBe(25 + 7);
      expect(paged.records).toHaveLength(10);
      expect((await search({ size: 10, reader }, { page: 4 })).records).toEqual([]);
    });

    it('follows updates, curations and uploads', async () => {
      const id = await create('n', { organism: 'Mus musculus' });
      await indexAll();
      await store.updateSample(id, ({ sample }) => ({
        kind: 'update',
        draft: { ...sample, name: 'zebrafish' },
        provenance: { author: 'ada', via: 'JSON_API' },
      }));
      await indexAll();
      expect(await found({ terms: [['wzebrafish']] })).toEqual(['zebrafish']);
      expect(await found({ terms: [[nameTerm('n')]] })).toEqual([]);
      const lists = {
        attributesPre: [],
        externalReferencesPre: [],
        externalReferencesPost: [],
        relationshipsPre: [],
        relationshipsPost: [],
      };
      const curation = { ...lists, attributesPost: [{ type: 'tissue', value: 'liver' }], hash: 'c' };
      await store.addCurationLink(id, { curation, domain: null, account: 'bo', created: 1, hash: 'l' });
      await indexAll();
      expect(await found({ terms: [['wliver']] })).toEqual(['zebrafish']);
      await store.deleteCurationLink(id, 'l');
      await indexAll();
      expect(await found({ terms: [['wliver']] })).toEqual([]);
      await store.accept(draft('ada'), { sameBytes: true });
      const claim = (await store.claimNext({ lane: 'large', worker: 'w', leaseMs: 1000, maxAttempts: 3 })) as Claim;
      await store.applyBatch(claim, batchOf(2, named(2, 30)), { leaseMs: 1000, last: true });
      expect(await store.indexLag()).toBe(30);
      expect(await indexAll()).toBe(30);
      expect(await found({ terms: [['wliver']] })).toHaveLength(30);
    });

    it('indexes each change once though several work at it', async () => {
      for (let n = 0; n < 120; n++) await create(`s${n}`);
      const work = async (): Promise<number> => {
        let indexed = 0;
        while ((await store.indexLag()) > 0) indexed += (await store.indexNext(5)).indexed;
        return indexed;
      };
      const done = await Promise.all([work(), work(), work(), work()]);
      expect(done.reduce((sum, each) => sum + each, 0)).toBe(120);
      expect(await found({ size: 200 })).toHaveLength(120);
    });

    it('can be rebuilt', async () => {
      for (let n = 0; n < 20; n++) await create(`s${n}`);
      await indexAll();
      await store.rebuildIndex();
      expect(await found()).toEqual([]);
      expect(await store.indexLag()).toBe(20);
      await create('while rebuilding');
      await indexAll();
      expect(await found()).toHaveLength(21);
    });
  });
}
