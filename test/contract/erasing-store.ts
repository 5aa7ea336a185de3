/** What src/upkeep/erasing-store.ts promises, on any adapter. That nothing of what was erased is left in any file or table: test/store/erased-traces.test.ts. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RegistryError } from '../../src/registry/errors.js';
import { ERASED, emptyContent } from '../../src/registry/samples/sample.js';
import { HOLD, type LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
import { nameTerm, valueTerm } from '../../src/registry/search/search-terms.js';
import type { Store } from '../../src/store/store.js';
import type { LedgerChunk } from '../../src/submissions/submission-store.js';
import { batchOf, claimNext, curationLink, draft, named, type Row } from '../many-machines/store-samples.js';
import { idsOf } from './apply-batch.js';
import type { OpenStore } from './submission-store.js';

const NOW = Date.UTC(2030, 0, 1);
const LAST = { leaseMs: 60_000, last: true };
const table = (content: string) => ({
  domain: null,
  account: 'ada',
  type: 't',
  schema: null,
  content: [{ a: { value: content, iri: null } }],
  created: NOW,
  updated: NOW,
});

export function erasingStoreContract(name: string, open: OpenStore): void {
  describe(`erasing store contract on ${name}`, () => {
    let store: Store;
    let clock: number;
    beforeEach(async () => {
      clock = NOW;
      store = await open({ prefix: 'SAMR', now: () => clock });
    });
    afterEach(() => store.close());

    const apply = async (rows: readonly Row[], more: Partial<LaidOutBatch> = {}): Promise<LedgerChunk> => {
      await store.accept(draft('ada'), { sameBytes: false });
      const claim = await claimNext(store);
      return (await store.applyBatch(claim, { ...batchOf(2, rows), ...more }, LAST)).chunk;
    };
    const register = async (rows: readonly Row[]) =>
      idsOf((await apply(rows)).created) as [number, number, ...number[]];
    const rename = (id: number, name: string) =>
      store.updateSample(id, ({ sample }) => ({
        kind: 'update',
        draft: { ...sample, name },
        provenance: { author: 'ada', via: 'JSON_API' },
      }));
    const found = async (...terms: string[]) =>
      (
        await store.findSamples(
          {
            terms: terms.map((term) => [term]),
            now: clock,
            size: 100,
            withdrawn: 'too',
            reader: { account: 'ada', admin: false },
          },
          {},
        )
      ).ids;
    const contentOf = async (id: number, version: number) => (await store.readVersion(id, version))?.content;
    /** No version says anything, and nothing is attached. */
    const expectNothing = async (id: number) => {
      const record = await store.readSample(id);
      expect(record).toMatchObject({
        sample: { name: '', adminStatus: ERASED },
        curationLinks: [],
        structuredData: [],
      });
      for (let version = record?.sample.version ?? 0; version > 0; version--)
        expect(await store.readVersion(id, version)).toMatchObject({ name: '', content: emptyContent(), version });
    };
    const isWhole = async () => {
      expect([await store.integrityFaults(), await store.damagedVersions({ id: 0, version: 0 }, 1000)]).toEqual([
        [],
        { damaged: [] },
      ]);
      for (const { sample } of await store.sampleRecords(await store.sampleIds(0, 1000)))
        expect(sample.account).toBe('ada');
    };

    it('leaves of every version who wrote it and when, whether it stood in a block or a row, and its neighbours as they are', async () => {
      const ids = await register(named(2, 40));
      const id = ids[7] as number;
      clock += 1000;
      await apply(ids.map((each) => ({ id: each, name: `second ${each}`, cells: 'Mus musculus\tlung' })));
      clock += 1000;
      await rename(id, 'third');
      await rename(id, 'fourth');
      const before = await store.listVersions(id);
      const others = await store.sampleRecords(ids.filter((each) => each !== id));
      clock += 1000;
      expect(await store.eraseSamples([id], 'root')).toEqual([{ versions: 4, curations: 0, tables: 0 }]);
      expect((await store.readSample(id))?.sample).toEqual({
        id,
        account: 'ada',
        name: '',
        release: others[0]?.sample.release,
        content: emptyContent(),
        author: 'root',
        via: 'JSON_API',
        adminStatus: ERASED,
        version: 5,
        created: NOW,
        updated: clock,
        submitted: NOW,
      });
      expect((await store.listVersions(id)).slice(1)).toEqual(before);
      for (const { version } of before) {
        expect(await store.readVersion(id, version)).toMatchObject({ name: '', version });
        expect(await contentOf(id, version)).toEqual(emptyContent());
      }
      expect(await store.sampleRecords(ids.filter((each) => each !== id))).toEqual(others);
      for (const each of ids.slice(0, 3)) expect(await contentOf(each, 1)).not.toEqual(emptyContent());
      await isWhole();
    });

    it('is found by nothing that it said, at once, and by its accession', async () => {
      const ids = await register(
        named(2, 30).map((row) => ({ ...row, cells: `Homo sapiens\ttissue${row.name.slice(7)}` })),
      );
      const [id, other] = ids;
      while ((await store.indexNext(500)).more);
      await store.eraseSamples([id], 'root');
      expect(await found('wtissue2')).toEqual([]);
      expect(await found(nameTerm('sample 2'))).toEqual([]);
      expect(await found(valueTerm('tissue', 'tissue2'))).toEqual([]);
      expect(await found('wtissue3')).toEqual([other]);
      expect((await found()).length).toBe(30);
      expect(await store.findNamed('ada', ['sample 2', 'sample 3'])).toEqual(new Map([['sample 3', [other]]]));
      while ((await store.indexNext(500)).more);
      expect(await found('wtissue2')).toEqual([]);
      expect(await found('wsapiens')).toHaveLength(29);
    });

    it('takes what is attached away, and a curation that others have stays with them', async () => {
      const [id, other] = await register(named(2, 10));
      await store.addCurationLink(id, curationLink('1', { attributesPost: [{ type: 'note', value: 'a' }] }));
      const shared = curationLink('2', { attributesPost: [{ type: 'note', value: 'b' }] });
      await store.addCurationLink(id, shared);
      await store.addCurationLink(other, { ...shared, hash: '3' });
      await store.putStructuredData(id, 'ada', [table('x')], NOW);
      expect(await store.eraseSamples([id], 'root')).toEqual([{ versions: 1, curations: 2, tables: 1 }]);
      expect(await store.readSample(id)).toMatchObject({ curationLinks: [], structuredData: [] });
      const reader = { account: 'root', admin: true, now: clock };
      expect(await store.findCuration('c1', reader)).toBeUndefined();
      expect(await store.findCuration('c2', reader)).toMatchObject({ hash: 'c2' });
      expect((await store.readSample(other))?.curationLinks).toHaveLength(1);
      await isWhole();
    });

    it('lets nobody write it again: no row, no undo, no relationship that waited, nothing attached', async () => {
      const ids = await register(named(2, 12));
      const [id] = ids;
      await store.eraseSamples([id], 'root');
      const { rejected, updated } = await apply(ids.map((each) => ({ id: each, name: `next ${each}` })));
      expect(rejected).toMatchObject([{ line: 2, issues: [{ code: 'sample.erased', value: `SAMR${id}` }] }]);
      expect(idsOf(updated)).toEqual(ids.slice(1));
      for (const hold of [HOLD.kill, HOLD.missing, HOLD.complete]) {
        const completes = new Map([[0, { own: false, targets: [] }]]);
        const chunk = await apply([{ id, name: 'x' }], { holds: Uint8Array.of(hold), completes });
        expect([chunk.updated, chunk.missing, chunk.completed]).toEqual([[], undefined, undefined]);
      }
      await expect(store.addCurationLink(id, curationLink('1', {}))).rejects.toMatchObject({ code: 'sample.erased' });
      await expect(store.putStructuredData(id, 'ada', [table('x')], NOW)).rejects.toMatchObject({
        code: 'sample.erased',
      });
      expect(await store.readSample(id)).toMatchObject({
        sample: { version: 2 },
        curationLinks: [],
        structuredData: [],
      });
      await isWhole();
    });

    it('leaves nothing of writes that come at the same moment, each of which comes before it or not at all', async () => {
      const ids = await register(named(2, 24));
      const curation = (id: number, at: number) =>
        curationLink(`${id} ${at}`, { attributesPost: [{ type: 'note', value: `n${at}` }] });
      for (const id of ids.slice(0, 8)) {
        const rename = (name: string) =>
          store.updateSample(id, ({ sample }) => {
            if (sample.adminStatus === ERASED) throw new RegistryError('sample.erased', 'x');
            const provenance = { author: 'ada', via: 'JSON_API' } as const;
            return { kind: 'update', draft: { ...sample, name }, provenance };
          });
        await rename('before');
        await store.accept(draft('ada'), { sameBytes: false });
        const claim = await claimNext(store);
        const rows = ids.slice(0, 10).map((each) => ({ id: each, name: `by a sheet ${id}` }));
        const writes = [
          store.applyBatch(claim, batchOf(2, rows), LAST),
          ...[1, 2].map((at) => rename(`at once ${at}`)),
          // The same curations of neighbours, which are erased as well.
          ...[1, 2, 3].flatMap((at) => [id, id + 8].map((each) => store.addCurationLink(each, curation(each, at)))),
          store.putStructuredData(id, 'ada', [table('x')], NOW),
        ];
        const erasing = [store.eraseSamples([id], 'root'), store.eraseSamples([id + 8], 'root')];
        for (const outcome of await Promise.allSettled([...writes, ...erasing])) {
          if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'sample.erased' });
        }
        for (const each of [id, id + 8]) await expectNothing(each);
      }
      const reader = { account: 'root', admin: true, now: clock };
      expect((await store.listCurations(reader, undefined, 100)).curations).toEqual([]);
      await isWhole();
    });

    it('keeps its keys, so that an export means it still, and takes them on demand', async () => {
      const [id, other] = await register(named(2, 2));
      const at = (key: string) => ({ account: 'ada', space: 'lims', key });
      await store.giveKey(at('k1'), id);
      await store.giveKey({ ...at('k2'), space: 'second' }, id);
      await store.giveKey(at('k3'), other);
      await store.eraseSamples([id], 'root');
      expect(await store.keysOf(id)).toEqual(['k1', 'k2']);
      expect(await store.findKey(at('k1'))).toBe(id);
      await store.forgetKeysOf(id);
      expect([await store.keysOf(id), await store.findKey(at('k1'))]).toEqual([[], undefined]);
      expect(await store.keysOf(other)).toEqual(['k3']);
      await isWhole();
    });

    it('forgets the names that its relationships waited for, and that by which others came to it', async () => {
      const waits = [{ type: 'derived from', name: 'mother', place: 0 }];
      const documents = new Map([[0, JSON.stringify(emptyContent())]]);
      const opened = await apply(named(2, 2), { documents, open: new Map([[0, waits]]) });
      const [child] = idsOf(opened.created) as [number];
      expect(await store.openRelationships({ account: 'ada' }, undefined, 10)).toHaveLength(1);
      await store.eraseSamples([child], 'root');
      expect(await store.openRelationships({ account: 'ada' }, undefined, 10)).toEqual([]);
    });

    it('may be done again, and says which samples there are not', async () => {
      const [id, other] = await register(named(2, 2));
      const [first, none, second] = await store.eraseSamples([id, 999_999, other], 'root');
      expect([first?.versions, none, second?.versions]).toEqual([1, undefined, 1]);
      clock += 1000;
      await store.eraseSamples([id], 'root');
      expect((await store.readSample(id))?.sample).toMatchObject({ version: 2, updated: NOW });
      await isWhole();
    });

    it('tells those who follow the registry', async () => {
      const [id] = await register([{ name: 'a', release: NOW - 1000 }, { name: 'b' }]);
      while (await store.advanceChanges());
      const last = (await store.lastChange())?.number ?? 0;
      await store.eraseSamples([id], 'root');
      while (await store.advanceChanges());
      const runs = await store.readChanges(last + 1, 10);
      expect(runs).toMatchObject([{ first: id, count: 1, type: 'withdrawn', public: true }]);
    });

    it('writes the outcomes of an upload anew where it has ended, and the files of the database', async () => {
      const ids = await register(named(2, 40));
      const id = (await store.list({ size: 1 }))[0]?.id as string;
      const problem = { code: 'x', message: 'y', retryable: false };
      await store.rewriteOutcomes(id, {
        chunk: (chunk) => ({ ...chunk, left: 7 }),
        submission: (said) => ({ ...said, issues: [], problem }),
      });
      for await (const chunk of store.ledger(id)) expect([chunk.left, idsOf(chunk.created)]).toEqual([7, ids]);
      expect(await store.find(id)).toMatchObject({ issues: [], problem, counts: { created: 40 } });
      const before = await store.find(id);
      await store.rewriteOutcomes(id, { chunk: () => undefined, submission: (said) => said });
      expect(await store.find(id)).toEqual(before);
      await store.rewriteOutcomes(id, { chunk: () => undefined, submission: ({ problem: _, ...said }) => said });
      expect((await store.find(id))?.problem).toBeUndefined();
      await store.rewriteOutcomes(id, {
        chunk: () => undefined,
        submission: (said) => {
          expect(said).not.toHaveProperty('problem');
          return said;
        },
      });
      await store.accept(draft('ada'), { sameBytes: false });
      const [active] = await store.list({ size: 1 });
      await store.rewriteOutcomes(active?.id as string, {
        chunk: () => undefined,
        submission: (said) => ({ ...said, problem }),
      });
      expect((await store.find(active?.id as string))?.problem).toBeUndefined();
      await store.vacuum();
      expect(await store.sampleIds(0, 100)).toEqual(ids);
      expect(await found('wsapiens')).toHaveLength(40);
      await isWhole();
    });
  });
}
