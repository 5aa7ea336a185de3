/** What src/registry/samples/whole-result.ts promises, on any adapter. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentOf } from '../../src/registry/samples/decide.js';
import { emptyContent } from '../../src/registry/samples/sample.js';
import {
  BLOCK_SAMPLES,
  type ResultQuery,
  type ResultRow,
  type WholeResult,
} from '../../src/registry/samples/whole-result.js';
import type { SearchQuery } from '../../src/registry/search/search-store.js';
import { nameTerm, valueTerm } from '../../src/registry/search/search-terms.js';
import type { Store } from '../../src/store/store.js';
import { batchOf, claimNext, curationLink, draft, named } from '../many-machines/store-samples.js';
import { PROOF } from '../support/proof.js';
import type { OpenStore } from './submission-store.js';
import '../support/seeds.js';

const RUNS = PROOF ? 200 : 4;
const NOW = 1_700_000_000_000;
/** Number of a sample in the second block of an upload. */
const BEHIND = BLOCK_SAMPLES + 200;
const ACCOUNTS = ['ada', 'bo'] as const;
const ORGANISMS = ['Homo sapiens', 'Mus musculus', 'Danio rerio'] as const;

const sampleArb = fc.record({
  account: fc.constantFrom(...ACCOUNTS),
  organism: fc.constantFrom(...ORGANISMS),
  release: fc.constantFrom(NOW - 1000, NOW - 500, NOW + 60_000),
  withdrawn: fc.boolean(),
});
const readerArb = fc.constantFrom(
  { account: 'ada', admin: false },
  { account: 'nobody', admin: false },
  { account: 'root', admin: true },
);
const queryArb = fc.record(
  {
    reader: readerArb,
    organism: fc.constantFrom(...ORGANISMS),
    accounts: fc.constantFrom(['ada'], ['ada', 'bo'], ['nobody']).map((accounts) => [...accounts]),
    withdrawn: fc.constantFrom('only' as const, 'too' as const),
    release: fc.constantFrom({ from: NOW - 700 }, { until: NOW - 700 }),
    ids: fc.constantFrom([0], [1, 3, 4, 9]).map((ids) => [...ids]),
  },
  { requiredKeys: [] },
);

type Made = typeof sampleArb extends fc.Arbitrary<infer Value> ? Value : never;
type AskedFor = typeof queryArb extends fc.Arbitrary<infer Value> ? Value : never;

const table = { account: 'bo', domain: null, type: 't', schema: null, content: [], created: NOW, updated: NOW };

export function wholeResultContract(name: string, open: OpenStore): void {
  describe(`whole result contract on ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open({ prefix: 'SAMR', now: () => NOW });
    });
    afterEach(() => store.close());

    const create = async ({ account = 'ada', organism = 'Homo sapiens', release = NOW - 1000, name = 's' } = {}) => {
      const content = { ...emptyContent(), characteristics: { organism: [{ text: organism }] } };
      const by = { account, author: account, via: 'JSON_API' as const, placeholder: false };
      return (await store.createSample({ draft: { name, release, content }, ...by })).id;
    };
    const rewrite = (id: number, name: string, adminStatus?: 'KILLED') =>
      store.updateSample(id, ({ sample }) => ({
        kind: 'update',
        draft: { ...sample, name },
        provenance: { author: 'root', via: 'JSON_API' },
        ...(adminStatus ? { adminStatus } : {}),
      }));
    const upload = async (count: number) => {
      await store.accept(draft('ada'), { sameBytes: true });
      const claim = await claimNext(store);
      await store.applyBatch(claim, batchOf(2, named(1, count)), { leaseMs: 1000, last: true });
    };
    const indexAll = async () => {
      while ((await store.indexNext(500)).more);
    };
    const all = async (query: Partial<ResultQuery> = {}, meanwhile: () => Promise<unknown> = async () => undefined) =>
      store.wholeResult({ terms: [], now: NOW, annotations: false, ...query }, async (result) => {
        const shapes = { layouts: 0, documents: 0 };
        for await (const { layouts, documents } of result.shapes()) {
          shapes.layouts += layouts.length;
          shapes.documents += documents.length;
        }
        const rows: ResultRow[] = [];
        for await (const block of result.rows()) {
          if (rows.length === 0) await meanwhile();
          expect(block.length).toBeLessThanOrEqual(BLOCK_SAMPLES);
          rows.push(...block);
        }
        return { count: result.count, rows, shapes };
      });
    const walk = async (query: Omit<SearchQuery, 'size'>): Promise<number[]> => {
      const walked: number[] = [];
      for (let before: number | undefined; ; ) {
        const page = await store.findSamples({ ...query, size: 3 }, before === undefined ? {} : { before });
        walked.push(...page.ids);
        before = page.next;
        if (before === undefined) return walked;
      }
    };
    const expectStored = async (row: ResultRow): Promise<void> => {
      const record = await store.readSample(row.id);
      const { name, account, release, content, created, updated, submitted, adminStatus, via } = record?.sample ?? {};
      expect({ ...row, name: row.name, content: contentOf(row) }).toMatchObject({
        ...{ name, account, release, content, created, updated, submitted, adminStatus, via },
      });
    };
    const names = async (query: Partial<ResultQuery> = {}): Promise<string[]> =>
      (await all(query)).rows.map(({ name }) => name);

    it('finds what a walk through the list finds, whether it is indexed or not', async () => {
      const writeSamples = async (made: readonly Made[]): Promise<void> => {
        for (const [at, sample] of made.entries()) {
          const id = await create({ ...sample, name: `n${at}` });
          if (sample.withdrawn) await rewrite(id, `n${at}`, 'KILLED');
          if (at === 5) await indexAll();
        }
      };
      const expectWalked = async ({ organism, ...rest }: AskedFor): Promise<void> => {
        const terms = organism === undefined ? [] : [[valueTerm('organism', organism)]];
        const query: Omit<SearchQuery, 'size'> = { ...rest, terms, now: NOW };
        const walked = await walk(query);
        const { rows, count } = await all(query);
        expect(rows.map(({ id }) => id)).toEqual(walked.reverse());
        expect(count).toBe(walked.length);
        for (const row of rows) await expectStored(row);
      };
      await fc.assert(
        fc.asyncProperty(
          fc.array(sampleArb, { maxLength: 12 }),
          fc.array(queryArb, { maxLength: 4 }),
          async (made, asked) => {
            await writeSamples(made);
            for (const one of asked) await expectWalked(one);
          },
        ),
        { numRuns: RUNS },
      );
    });

    it('is of one moment: what is written while it is read is not in it', async () => {
      await upload(BLOCK_SAMPLES + 500);
      const late = await create({ name: 'before' });
      await indexAll();
      for (const terms of [[], [[nameTerm('before'), nameTerm(`sample ${BEHIND}`), nameTerm('sample 3')]]]) {
        const { rows, count } = await all({ terms }, async () => {
          await rewrite(late, 'after');
          await rewrite(BEHIND, 'after', 'KILLED');
          await create({ name: 'new' });
          await indexAll();
        });
        expect(count).toBe(rows.length);
        expect(rows.map(({ name }) => name)).toEqual(
          terms.length > 0
            ? ['sample 3', `sample ${BEHIND}`, 'before']
            : [...named(1, BLOCK_SAMPLES + 500).map((row) => row.name), 'before'],
        );
        await rewrite(late, 'before');
        await rewrite(BEHIND, `sample ${BEHIND}`);
        await store.updateSample(BEHIND, ({ sample }) => ({
          kind: 'update',
          draft: sample,
          provenance: { author: 'root', via: 'JSON_API' },
          adminStatus: null,
        }));
        await indexAll();
      }
    });

    it('is read in ranges, which are all of it together', async () => {
      await upload(BLOCK_SAMPLES + 50);
      await create();
      await indexAll();
      const span = await store.idSpan();
      expect(span).toEqual({ after: 0, upTo: BLOCK_SAMPLES + 51 });
      const cuts = [0, 1, 2, BLOCK_SAMPLES - 1, BLOCK_SAMPLES, BLOCK_SAMPLES + 49, BLOCK_SAMPLES + 60];
      for (const query of [{}, { terms: [[nameTerm('sample 3'), nameTerm(`sample ${BLOCK_SAMPLES}`)]] }]) {
        const whole = (await all(query)).rows.map(({ id }) => id);
        await store.wholeResult({ terms: [], now: NOW, annotations: false, ...query }, async (result) => {
          const ids: number[] = [];
          for (let at = 1; at < cuts.length; at++) {
            const range = { after: cuts[at - 1] as number, upTo: cuts[at] as number };
            for await (const rows of result.rows(range)) {
              for (const { id } of rows) expect(id > range.after && id <= range.upTo).toBe(true);
              ids.push(...rows.map(({ id }) => id));
            }
          }
          expect(ids).toEqual(whole);
        });
      }
    });

    it('has no span where there are no samples', async () => {
      expect(await store.idSpan()).toBeUndefined();
    });

    it('is of one moment for all who join it', async () => {
      await upload(3);
      const query = { terms: [], now: NOW, annotations: false };
      const namesOf = async (result: WholeResult): Promise<string[]> => {
        const found: string[] = [];
        for await (const rows of result.rows()) found.push(...rows.map(({ name }) => name));
        return [`${result.count}`, ...found];
      };
      let written: Promise<unknown> = Promise.resolve();
      let second: Promise<string[]> | undefined;
      const first = await store.wholeResult(
        query,
        async (result) => {
          await written;
          return namesOf(result);
        },
        {
          isShared: async (count) => count === 3,
          share: async (moment) => {
            written = Promise.all([create({ name: 'meanwhile' }), rewrite(2, 'renamed')]);
            // On a store that lets it, the write is done before the second reader begins.
            for (let turn = 0; turn < 500; turn++) await new Promise(setImmediate);
            await new Promise<void>((resolve) => {
              second = store.wholeResult(
                query,
                async (result) => {
                  await written;
                  return namesOf(result);
                },
                { join: moment, joined: resolve },
              );
            });
          },
        },
      );
      expect(first).toEqual(['3', 'sample 1', 'sample 2', 'sample 3']);
      expect(await second).toEqual(first);
      expect(await names()).toEqual(['sample 1', 'renamed', 'sample 3', 'meanwhile']);
    });

    it('knows the shapes of all samples before the first', async () => {
      await upload(5);
      await create();
      await indexAll();
      expect((await all()).shapes).toEqual({ layouts: 1, documents: 1 });
      expect((await all({ terms: [[valueTerm('organism', 'Homo sapiens')]] })).shapes).toEqual({
        layouts: 1,
        documents: 1,
      });
      expect((await all({ ids: [6] })).shapes).toEqual({ layouts: 0, documents: 1 });
      expect((await all({ ids: [1], terms: [[valueTerm('organism', 'Homo sapiens')]] })).shapes).toEqual({
        layouts: 1,
        documents: 0,
      });
    });

    it('reads what is attached to samples where it is asked for', async () => {
      const [plain, curated, tabled] = [await create(), await create(), await create()];
      await store.addCurationLink(curated, curationLink('h', {}));
      await store.putStructuredData(tabled, 'bo', [table], NOW);
      const attached = ({ rows }: { rows: ResultRow[] }) =>
        rows.map((row) => [row.id, row.curationLinks?.length, row.structuredData?.length]);
      expect(attached(await all({ annotations: true }))).toEqual([
        [plain, undefined, undefined],
        [curated, 1, 0],
        [tabled, 0, 1],
      ]);
      expect(attached(await all())).toEqual([plain, curated, tabled].map((id) => [id, undefined, undefined]));
    });

    it('ends a block early where samples are large', { tags: 'slow' }, async () => {
      for (let at = 0; at < 4; at++) await create({ organism: 'x'.repeat(1_500_000), name: `large ${at}` });
      const blocks: number[] = [];
      await store.wholeResult({ terms: [], now: NOW, annotations: false }, async (result) => {
        for await (const block of result.rows()) blocks.push(block.length);
      });
      expect(blocks.reduce((sum, length) => sum + length, 0)).toBe(4);
      expect(Math.max(...blocks)).toBeLessThan(4);
    });

    it('shows each reader what it may read, and withdrawn samples where they are asked for', async () => {
      await create({ name: 'open' });
      await create({ name: 'hers', release: NOW + 60_000 });
      await create({ name: 'his', release: NOW + 60_000, account: 'bo' });
      await rewrite(await create({ name: 'w', account: 'bo' }), 'withdrawn', 'KILLED');
      const [bo, root] = [
        { account: 'bo', admin: false },
        { account: 'root', admin: true },
      ];
      for (const terms of [[], [[valueTerm('organism', 'Homo sapiens')]]]) {
        expect(await names({ terms })).toEqual(['open']);
        expect(await names({ terms, withdrawn: 'too' })).toEqual(['open']);
        expect(await names({ terms, reader: { account: 'ada', admin: false } })).toEqual(['open', 'hers']);
        expect(await names({ terms, reader: bo })).toEqual(['open', 'his']);
        expect(await names({ terms, reader: bo, withdrawn: 'only' })).toEqual(['withdrawn']);
        expect(await names({ terms, reader: root })).toEqual(['open', 'hers', 'his']);
        expect(await names({ terms, reader: root, withdrawn: 'too' })).toEqual(['open', 'hers', 'his', 'withdrawn']);
      }
    });

    it('is asked for by time', async () => {
      await create({ name: 'one' });
      expect(await names({ updated: { from: NOW, until: NOW } })).toEqual(['one']);
      expect(await names({ updated: { from: NOW + 1 } })).toEqual([]);
    });
  });
}
