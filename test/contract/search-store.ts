/** What src/registry/search/search-store.ts promises, on any adapter. Over 300 lines: one list. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatAccession } from '../../src/registry/accession.js';
import { emptyContent, type SampleContent } from '../../src/registry/samples/sample.js';
import { PENDING_SAMPLES } from '../../src/registry/search/pending-samples.js';
import { parseSearch } from '../../src/registry/search/search-query.js';
import type { SearchQuery, SearchStart } from '../../src/registry/search/search-store.js';
import { attributeTerm, nameTerm, valueTerm } from '../../src/registry/search/search-terms.js';
import type { Store } from '../../src/store/store.js';
import { batchOf, claimNext, curationLink, draft, named } from '../many-machines/store-samples.js';
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
        if (!step.more) return indexed;
      }
    };
    const search = (query: Partial<SearchQuery> = {}, start: SearchStart = {}) =>
      store.search({ terms: [], now: clock, size: 100, ...query }, start);
    const found = async (query: Partial<SearchQuery> = {}, start: SearchStart = {}): Promise<string[]> =>
      (await search(query, start)).records.map(({ sample }) => sample.name);

    it('finds what was written, newest first, whether it is indexed or not', async () => {
      for (const name of ['one', 'two', 'three']) await create(name);
      expect((await store.indexState()).lag).toBe(3);
      expect(await found()).toEqual(['three', 'two', 'one']);
      expect((await store.indexNext(1)).indexed).toBe(1);
      expect(await found()).toEqual(['three', 'two', 'one']);
      expect(await indexAll()).toBe(2);
      expect((await store.indexState()).lag).toBe(0);
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

    it('finds a sample by its accession, and those that name it, as a word of a text, indexed or not', async () => {
      const first = await create('first');
      const hers = await create('hers', { account: 'bo', release: clock + 60_000 });
      const child = await create('child');
      const change = (id: number, change: Partial<SampleContent>) =>
        store.updateSample(id, ({ sample }) => ({
          kind: 'update',
          draft: { ...sample, content: { ...sample.content, ...change } },
          provenance: { author: 'ada', via: 'JSON_API' },
        }));
      await change(child, { relationships: [{ type: 'derived from', target: formatAccession('SAMR', first) }] });
      const asked = (text: string) => parseSearch('SAMR', text, []);
      for (const state of ['not indexed', 'indexed', 'changed', 'all indexed']) {
        if (state === 'changed') await change(first, { externalReferences: [{ url: 'https://example.org/1' }] });
        expect(await found(asked(`samr${first}`)), state).toEqual(['child', 'first']);
        expect(await found(asked(`samr${first} FIRST`)), state).toEqual(['first']);
        expect(await found(asked(`samr${first} samr${child}`)), state).toEqual(['child']);
        expect(await found(asked(`samr${hers}`)), state).toEqual([]);
        expect(await found({ ...asked(`samr${hers}`), reader: { account: 'bo', admin: false } }), state).toEqual([
          'hers',
        ]);
        // Counted, too: an accession that nobody has is not read from the store.
        for (const none of [`samr0${first}`, `samr${child + 1}`, 'samr']) {
          const page = await search({ ...asked(none), reader: { account: 'root', admin: true } }, { page: 0 });
          expect([page.records, page.total], `${state}: ${none}`).toEqual([[], 0]);
        }
        const counted = await search({ ...asked(`samr${first}`), facets: { of: 1, values: 1 } }, { page: 0 });
        expect([counted.total, counted.facets?.samples], state).toEqual([2, 2]);
        await indexAll();
      }
    });

    it('shows public samples to all, private ones to their owner and to administrators, withdrawn ones where they are asked for', async () => {
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
      // What is not indexed yet is held to the same rules.
      expect(await found({ reader: { account: 'bo', admin: false } })).toEqual(['his', 'open']);
      expect(await found({ reader: { account: 'bo', admin: false }, withdrawn: 'only' })).toEqual(['withdrawn']);
      await indexAll();
      expect(await found()).toEqual(['open']);
      expect(await found({ reader: { account: 'ada', admin: false } })).toEqual(['hers', 'open']);
      const bo = { account: 'bo', admin: false };
      expect(await found({ reader: bo })).toEqual(['his', 'open']);
      expect(await found({ reader: bo, withdrawn: 'too' })).toEqual(['withdrawn', 'his', 'open']);
      expect(await found({ reader: bo, withdrawn: 'only' })).toEqual(['withdrawn']);
      expect(await found({ reader: { account: 'ada', admin: false }, withdrawn: 'only' })).toEqual([]);
      expect(await found({ withdrawn: 'too' })).toEqual(['open']);
      expect(await found({ reader: { account: 'nobody', admin: false } })).toEqual(['open']);
      const root = { account: 'root', admin: true };
      expect(await found({ reader: root })).toEqual(['his', 'hers', 'open']);
      expect(await found({ reader: root, withdrawn: 'too' })).toEqual(['withdrawn', 'his', 'hers', 'open']);
      const paged = await search({ reader: root, withdrawn: 'only' }, { page: 0 });
      expect([paged.total, paged.records.length]).toEqual([1, 1]);
    });

    it('opens samples when their date has come', async () => {
      await create('soon', { release: clock + 1000 });
      await indexAll();
      expect(await found()).toEqual([]);
      clock += 2000;
      expect(await found()).toEqual(['soon']);
      expect(await found({ terms: [['wsapiens']], reader: { account: 'ada', admin: false } })).toEqual(['soon']);
      expect((await search({ size: 5 }, { page: 0 })).total).toBe(1);
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
      const attributesPost = [{ type: 'tissue', value: 'liver' }];
      await store.addCurationLink(id, curationLink('l', { attributesPost }));
      await indexAll();
      expect(await found({ terms: [['wliver']] })).toEqual(['zebrafish']);
      await store.deleteCurationLink(id, 'l');
      await indexAll();
      expect(await found({ terms: [['wliver']] })).toEqual([]);
      await store.accept(draft('ada'), { sameBytes: true });
      const claim = await claimNext(store, 1000);
      await store.applyBatch(claim, batchOf(2, named(2, 30)), { leaseMs: 1000, last: true });
      expect((await store.indexState()).lag).toBe(30);
      expect(await indexAll()).toBe(30);
      expect(await found({ terms: [['wliver']] })).toHaveLength(30);
    });

    it('finds each sample of a batch by what it says itself, with others between them that say something else', async () => {
      await store.accept(draft('ada'), { sameBytes: true });
      await store.applyBatch(await claimNext(store), batchOf(2, named(1, 40)), { leaseMs: 60_000, last: true });
      while ((await store.indexNext(100)).indexed > 0);
      const ids = (await search()).records.map(({ sample }) => sample.id).toReversed();
      const [apart, curated, changed] = [ids[11], ids[20], ids[30]] as [number, number, number];
      await store.accept(draft('ada'), { sameBytes: true });
      const cells = 'Mus musculus\tbrain';
      const rows = ids.filter((id) => id !== apart).map((id) => ({ name: `sample ${id}`, id, cells }));
      await store.applyBatch(await claimNext(store), batchOf(2, rows), { leaseMs: 60_000, last: true });
      // Of the same account, so that it is met among the others of the batch.
      const attributesPost = [{ type: 'state', value: 'frozen' }];
      await store.addCurationLink(curated, { ...curationLink('l', { attributesPost }), account: 'ada' });
      await store.updateSample(changed, ({ sample }) => ({
        kind: 'update',
        draft: { ...sample, name: 'another', content: emptyContent() },
        provenance: { author: 'ada', via: 'JSON_API' },
      }));
      while ((await store.indexNext(100)).indexed > 0);
      const numbers = async (term: string) =>
        (await search({ terms: [[term]] })).records.map(({ sample }) => sample.id).toReversed();
      expect(await numbers('wbrain')).toEqual(ids.filter((id) => id !== apart && id !== changed));
      expect(await numbers(valueTerm('organism', 'homo sapiens'))).toEqual([apart]);
      expect(await numbers('wfrozen')).toEqual([curated]);
      expect(await numbers(nameTerm('another'))).toEqual([changed]);
      expect(await numbers('wsample')).toHaveLength(39);
    });

    it('indexes each change once though several work at it', async () => {
      for (let n = 0; n < 120; n++) await create(`s${n}`);
      const work = async (): Promise<number> => {
        let indexed = 0;
        while ((await store.indexState()).lag > 0) indexed += (await store.indexNext(5)).indexed;
        return indexed;
      };
      const done = await Promise.all([work(), work(), work(), work()]);
      expect(done.reduce((sum, each) => sum + each, 0)).toBe(120);
      expect(await found({ size: 200 })).toHaveLength(120);
    });

    it('adds what is not indexed to the index as if it were, by every kind of question', async () => {
      const ids: number[] = [];
      for (let n = 0; n < 12; n++)
        ids.push(await create(`s${n}`, { organism: n % 2 ? 'Mus musculus' : 'Homo sapiens' }));
      await indexAll();
      const reader = { account: 'ada', admin: false };
      const change = (at: number, draft: { name?: string; release?: number }) =>
        store.updateSample(ids[at] as number, ({ sample }) => ({
          kind: 'update',
          draft: { ...sample, ...draft },
          provenance: { author: 'ada', via: 'JSON_API' },
        }));
      // Its old name is not found, its new one is; one is hidden, one is new.
      await change(3, { name: 'renamed' });
      await change(5, { release: clock + 99_999 });
      await create('fresh', { organism: 'Mus musculus', account: 'bo' });
      const mice = ['fresh', 's11', 's9', 's7', 's5', 'renamed', 's1'];
      const open = mice.filter((name) => name !== 's5');
      for (const state of ['not indexed', 'indexed']) {
        expect(await found({ terms: [['wmus']] }), state).toEqual(open);
        expect(await found({ terms: [['wmus']], reader }), state).toEqual(mice);
        expect(await found({ terms: [[nameTerm('s3')]] }), state).toEqual([]);
        expect(await found({ terms: [[nameTerm('renamed')]] }), state).toEqual(['renamed']);
        expect(await found({ accounts: ['bo'] }), state).toEqual(['fresh']);
        expect(await found({ ids: [ids[3] as number, ids[5] as number] }), state).toEqual(['renamed']);
        expect(await found({ release: { from: clock }, reader }), state).toEqual(['s5']);
        const walked: string[] = [];
        let before: number | undefined;
        do {
          const page = await search({ size: 2, terms: [['wmus']] }, before === undefined ? {} : { before });
          walked.push(...page.records.map(({ sample }) => sample.name));
          before = page.next;
        } while (before !== undefined);
        expect(walked, state).toEqual(open);
        const paged = await search({ size: 4, terms: [['wmus']] }, { page: 1 });
        expect([paged.total, paged.counted, paged.records.map(({ sample }) => sample.name)], state).toEqual([
          6,
          true,
          ['renamed', 's1'],
        ]);
        expect(paged.missing, state).toBe(0);
        await indexAll();
      }
    });

    it('names the accessions that an account gave these names, indexed or not, and no withdrawn or others’ ones', async () => {
      const known = (account: string, ...names: string[]) => store.findNamed(account, names);
      expect(await known('nobody', 'one')).toEqual(new Map());
      const one = await create('one');
      const again = await create('one', { release: clock + 60_000 });
      await create('two', { account: 'bo' });
      const gone = await create('gone');
      const renamed = await create('old name');
      for (const state of ['not indexed', 'indexed', 'changed', 'all indexed']) {
        if (state === 'changed') {
          const provenance = { author: 'ada', via: 'JSON_API' as const };
          const change = (id: number, name: string, adminStatus?: 'KILLED') =>
            store.updateSample(id, ({ sample }) => ({
              kind: 'update',
              draft: { ...sample, name },
              provenance,
              ...(adminStatus ? { adminStatus } : {}),
            }));
          await change(gone, 'gone', 'KILLED');
          await change(renamed, 'new name');
        }
        const later = state === 'changed' || state === 'all indexed';
        expect(await known('ada', 'one', 'ONE', 'two', 'three', 'gone', 'old name', 'new name'), state).toEqual(
          new Map([
            ['one', [one, again]],
            later ? ['new name', [renamed]] : ['gone', [gone]],
            ...(later ? [] : [['old name', [renamed]] as const]),
          ]),
        );
        await indexAll();
      }
      expect(again).toBeGreaterThan(one);
    });

    it('leaves a very large write out until it is indexed, says how much, and finds small ones beside it', {
      tags: name === 'sqlite' ? [] : 'slow',
    }, async () => {
      const large = PENDING_SAMPLES + 50;
      await store.accept(draft('ada'), { sameBytes: true });
      const claim = await claimNext(store, 1000);
      await create('before');
      await store.applyBatch(claim, batchOf(2, named(2, large)), { leaseMs: 1000, last: true });
      await create('after');
      const page = await search({}, { page: 0 });
      expect(page.records.map(({ sample }) => sample.name)).toEqual(['after', 'before']);
      expect([page.missing, page.total]).toEqual([large, 2]);
      await indexAll();
      expect(await search({}, { page: 0 })).toMatchObject({ missing: 0, total: large + 2, counted: true });
    });

    it('takes in the changes of accounts in turns: who wrote much before keeps nobody out of the index', async () => {
      const hog = draft('hog');
      await store.accept(hog, { sameBytes: true });
      const claim = await claimNext(store);
      const lots = PENDING_SAMPLES;
      await store.applyBatch(claim, batchOf(2, named(2, lots)), { leaseMs: 60_000, last: false });
      const mine = [await create('mine 1'), await create('mine 2')];
      const theirs = await create('theirs', { account: 'bo' });
      await store.applyBatch(claim, batchOf(2 + lots, named(2 + lots, lots)), { leaseMs: 60_000, last: true });
      const ids = [...mine, theirs];
      // Newer changes than a search reads besides the index are in front of them.
      expect(await search({ ids }, { page: 0 })).toMatchObject({ total: 0, missing: lots + 3 });
      // A step ends after some time, too: on a busy machine fifty samples are two steps.
      for (let taken = 0; taken < 50; ) taken += (await store.indexNext(50 - taken)).indexed;
      expect(await found({ ids })).toEqual(['theirs', 'mine 2', 'mine 1']);
      expect((await store.indexState()).lag).toBe(2 * lots + 3 - 50);
      while ((await store.indexNext(200)).more) {
        const { total = 0, missing } = await search({}, { page: 0 });
        expect(total + missing).toBe(2 * lots + 3);
      }
      expect((await store.indexState()).lag).toBe(0);
      expect(await search({}, { page: 0 })).toMatchObject({ total: 2 * lots + 3, missing: 0 });
    });

    it('shows a sample as it was last changed though the index took that change in before an earlier one', {
      tags: name === 'sqlite' ? [] : 'slow',
    }, async () => {
      const lots = 250;
      await store.accept(draft('hog'), { sameBytes: true });
      await store.applyBatch(await claimNext(store), batchOf(2, named(2, lots)), { leaseMs: 60_000, last: true });
      const withdraw = (id: number) =>
        store.updateSample(id, ({ sample }) => ({
          kind: 'update',
          draft: sample,
          provenance: { author: 'bo', via: 'JSON_API' },
          adminStatus: 'KILLED',
        }));
      const total = async () => (await search({}, { page: 0 })).total;
      const lag = async () => (await store.indexState()).lag;
      expect(await total()).toBe(lots);
      await withdraw(lots);
      // Twenty samples are a turn: first one of the account that wrote first.
      while ((await lag()) > lots - 20) await store.indexNext(Math.min(20, (await lag()) - (lots - 20)));
      expect(await total()).toBe(lots - 1);
      for (let id = lots - 1; id > lots - 210; id--) await withdraw(id);
      // Rows that were finished behind an unfinished one are gone by now.
      while ((await lag()) > 25) await store.indexNext(20);
      expect(await total()).toBe(lots - 210);
      await indexAll();
      expect(await total()).toBe(lots - 210);
    });

    it('takes in few large samples at a step, and one beyond the bound by its name only', {
      tags: 'slow',
    }, async () => {
      const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`).join(' ');
      for (let n = 0; n < 5; n++) await create(`wide ${n}`, { organism: `${words(40_000)} mark${n}` });
      await create('vast', { organism: words(500_000) });
      const steps: number[] = [];
      const reported: string[] = [];
      for (;;) {
        const step = await store.indexNext(200);
        if (!step.more) break;
        if (step.indexed > 0) steps.push(step.indexed);
        reported.push(...step.nameOnly.map(({ reason }) => reason));
      }
      expect(Math.max(...steps)).toBeLessThan(4);
      expect(await found({ terms: [['wmark3']] })).toEqual(['wide 3']);
      expect(await found({ terms: [['wvast']] })).toEqual(['vast']);
      expect(await found({ terms: [['wword450000']] })).toEqual([]);
      expect(reported).toEqual([expect.stringContaining('are indexed')]);
      expect(await store.indexState()).toMatchObject({ lag: 0, nameOnly: 1 });
      const [named] = await store.listNameOnly(10);
      expect(named?.reason).toEqual(reported[0]);
      // Small again, it is found as any other.
      await store.updateSample(named?.id as number, ({ sample }) => ({
        kind: 'update',
        draft: { ...sample, content: { ...sample.content, characteristics: { organism: [{ text: 'tiny' }] } } },
        provenance: { author: 'ada', via: 'JSON_API' },
      }));
      await indexAll();
      expect(await found({ terms: [['wtiny']] })).toEqual(['vast']);
      expect(await store.indexState()).toMatchObject({ lag: 0, nameOnly: 0 });
    });

    it('tells since when it is behind and when it last moved', async () => {
      const before = Date.now();
      await create('late');
      const behind = await store.indexState();
      expect(behind.since).toBeGreaterThanOrEqual(before - 1000);
      await indexAll();
      const current = await store.indexState();
      expect(current).toMatchObject({ lag: 0, moved: clock, nameOnly: 0 });
      expect(current).not.toHaveProperty('since');
    });

    it('can be rebuilt', async () => {
      for (let n = 0; n < 20; n++) await create(`s${n}`);
      await indexAll();
      await store.rebuildIndex();
      expect(await search()).toMatchObject({ records: [], missing: 20 });
      expect((await store.indexState()).lag).toBe(20);
      await create('while rebuilding');
      expect(await found()).toEqual(['while rebuilding']);
      await indexAll();
      expect(await found()).toHaveLength(21);
    });
  });
}
