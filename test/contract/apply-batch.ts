/** What `applyBatch` and the ledger of src/submissions/submission-store.ts promise, on any adapter. Over 300 lines: one list of promises, read from top to bottom. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LaidOutBatch, RejectedRow } from '../../src/registry/samples/sample-batch.js';
import type { Store } from '../../src/store/store.js';
import type { Claim, LedgerChunk, LedgerRun } from '../../src/submissions/submission-store.js';
import { batchOf, claimNext, curationLink, draft, named } from '../many-machines/store-samples.js';
import type { OpenStore } from './submission-store.js';

const LEASE = { leaseMs: 60_000, last: false };

export const idsOf = (runs: readonly LedgerRun[]): number[] =>
  runs.flatMap(([, id, count]) => Array.from({ length: count }, (_, at) => id + at));
export const linesOf = (runs: readonly LedgerRun[]): number[] =>
  runs.flatMap(([line, , count]) => Array.from({ length: count }, (_, at) => line + at));

export function applyBatchContract(name: string, open: OpenStore): void {
  describe(`ingest contract on ${name}`, () => {
    let store: Store;
    let clock: number;
    beforeEach(async () => {
      clock = Date.UTC(2030, 0, 1);
      store = await open({ prefix: 'SAMR', now: () => clock });
    });
    afterEach(() => store.close());

    const claim = async (account = 'ada', options: object = {}, admin = false): Promise<Claim> => {
      const base = draft(account, { admin });
      await store.accept({ ...base, options: { ...base.options, ...options } }, { sameBytes: true });
      return await claimNext(store);
    };
    const register = async (count: number, account = 'ada'): Promise<number[]> => {
      const { chunk } = await store.applyBatch(await claim(account), batchOf(2, named(2, count)), {
        ...LEASE,
        last: true,
      });
      return idsOf(chunk.created);
    };
    const ledgerOf = async (id: string, from?: number): Promise<LedgerChunk[]> => {
      const chunks: LedgerChunk[] = [];
      for await (const chunk of store.ledger(id, from)) chunks.push(chunk);
      return chunks;
    };
    const refused = (line: number): RejectedRow => ({
      line,
      name: `bad ${line}`,
      issues: [
        { line, column: 'Age', code: 'checklist.value', message: 'm', value: 'v', suggestion: 's', severity: 'error' },
      ],
    });

    it('registers rows, records each line, and moves cursor, counts and bytes', async () => {
      const claimed = await claim();
      const { chunk, submission } = await store.applyBatch(claimed, batchOf(2, named(2, 50)), LEASE);
      expect(chunk).toMatchObject({ fromLine: 2, toLine: 51, rejected: [] });
      expect(linesOf(chunk.created)).toEqual(Array.from({ length: 50 }, (_, at) => 2 + at));
      expect(new Set(idsOf(chunk.created)).size).toBe(50);
      expect(submission).toMatchObject({
        phase: 'REGISTERING',
        cursor: 51,
        bytesRead: 520,
        counts: { rows: 50, created: 50 },
      });
      expect(await store.find(submission.id)).toEqual(submission);
      expect(await ledgerOf(submission.id)).toEqual([chunk]);
      const record = await store.readSample(idsOf(chunk.created)[7] as number);
      expect(record?.sample).toMatchObject({
        name: 'sample 9',
        account: 'ada',
        author: 'ada',
        via: 'FILE_UPLOADER',
        submissionId: submission.id,
        line: 9,
        version: 1,
        created: clock,
        updated: clock,
        submitted: clock,
        release: 1_609_459_200_000,
      });
      expect(record?.sample.content.characteristics).toEqual({
        organism: [{ text: 'Homo sapiens' }],
        tissue: [{ text: 'liver' }],
      });
    });

    it('answers a batch at or before the cursor with what was recorded, and applies nothing again', async () => {
      const claimed = await claim();
      const first = await store.applyBatch(claimed, batchOf(2, named(2, 10)), LEASE);
      const second = await store.applyBatch(claimed, batchOf(12, named(12, 10)), LEASE);
      const next = await store.nextAccession();
      expect((await store.applyBatch(claimed, batchOf(2, named(2, 10)), LEASE)).chunk).toEqual(first.chunk);
      expect((await store.applyBatch(claimed, batchOf(12, named(12, 10)), LEASE)).chunk).toEqual(second.chunk);
      const part = await store.applyBatch(claimed, batchOf(8, named(8, 8)), LEASE);
      expect(linesOf(part.chunk.created)).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
      expect(idsOf(part.chunk.created)).toEqual([
        ...idsOf(first.chunk.created).slice(6),
        ...idsOf(second.chunk.created).slice(0, 4),
      ]);
      expect((await store.find(claimed.submission.id))?.counts.rows).toBe(20);
      expect(await store.sampleIds(0, 100)).toHaveLength(20);
      expect(await store.nextAccession()).toBe(next);
    });

    it('applies a batch once that arrives twice at the same moment', async () => {
      const claimed = await claim();
      for (let line = 2; line < 102; line += 20) {
        const [one, two] = await Promise.all(
          [0, 1].map(() => store.applyBatch(claimed, batchOf(line, named(line, 20)), LEASE)),
        );
        expect(one?.chunk).toEqual(two?.chunk);
      }
      expect((await store.find(claimed.submission.id))?.counts.created).toBe(100);
      expect(await store.sampleIds(0, 1000)).toHaveLength(100);
    });

    it('refuses a batch that straddles the cursor, and changes nothing', async () => {
      const claimed = await claim();
      await store.applyBatch(claimed, batchOf(2, named(2, 10)), LEASE);
      await expect(store.applyBatch(claimed, batchOf(8, named(8, 8)), LEASE)).rejects.toThrow(/straddle/);
      expect(await store.sampleIds(0, 100)).toHaveLength(10);
    });

    it('ends the submission with the last batch, in one step, also when that batch was applied before', async () => {
      const one = await claim();
      const { submission } = await store.applyBatch(one, batchOf(2, named(2, 3)), { ...LEASE, last: true });
      expect(submission).toMatchObject({ state: 'COMPLETED', phase: 'DONE' });
      const two = await claim();
      await store.applyBatch(two, batchOf(2, named(2, 3)), LEASE);
      const ended = await store.applyBatch(two, batchOf(2, named(2, 3)), { ...LEASE, last: true });
      expect(ended.submission.state).toBe('COMPLETED');
      expect(ended.submission.counts.created).toBe(3);
    });

    it('keeps rejected rows and warnings with their issues, and groups them', async () => {
      const claimed = await claim();
      const warned = { ...refused(3), issues: [{ ...refused(3).issues[0]!, severity: 'warning' as const }] };
      const batch: LaidOutBatch = {
        ...batchOf(2, named(2, 2)),
        toLine: 20,
        rejected: [refused(7), refused(9)],
        warnings: [warned],
      };
      const { submission, chunk } = await store.applyBatch(claimed, batch, { ...LEASE, last: true });
      expect(chunk.rejected).toEqual([refused(7), refused(9)]);
      expect(chunk.warnings).toEqual([warned]);
      expect(submission.counts).toEqual({ rows: 4, created: 2, updated: 0, unchanged: 0, rejected: 2 });
      expect(submission.issues).toEqual([
        { code: 'checklist.value', column: 'Age', count: 2, lines: [7, 9], message: 'm', severity: 'error' },
        { code: 'checklist.value', column: 'Age', count: 1, lines: [3], message: 'm', severity: 'warning' },
      ]);
      expect(await ledgerOf(submission.id)).toEqual([chunk]);
    });

    it('counts what is noted of rows by batch, but not of rows that are rejected, by whomever', async () => {
      const [a, b, c] = (await register(3)) as [number, number, number];
      const claimed = await claim('ada', { dryRun: true });
      const rows = [
        { id: a, name: 'a' },
        { id: b, name: 'b' },
        { id: c, name: 'c' },
      ];
      const note = (lines: [number, number][]) => [
        { code: 'edit.already' as const, column: 'Age', message: 'm', lines },
      ];
      const first = { ...batchOf(2, rows), expected: Float64Array.of(1, 7, 1), rejected: [refused(5)], toLine: 5 };
      const { chunk } = await store.applyBatch(claimed, { ...first, notes: note([[2, 4]]) }, LEASE);
      expect(chunk.notes).toEqual(note([[2, 4]]));
      expect(chunk.rejected.map(({ line }) => line)).toEqual([3, 5]);
      const second = { ...batchOf(6, named(6, 1)), notes: note([[6, 1]]) };
      const { submission } = await store.applyBatch(claimed, second, { ...LEASE, last: true });
      const noted = submission.issues.filter(({ severity }) => severity === 'note');
      expect(noted).toEqual([{ ...note([])[0], count: 3, lines: [2, 4, 6], severity: 'note' }]);
      expect(await ledgerOf(submission.id)).toMatchObject([{ notes: note([[2, 4]]) }, { notes: note([[6, 1]]) }]);
    });

    it('updates samples by number and keeps what they were', async () => {
      const [a, b, c] = (await register(3)) as [number, number, number];
      clock += 1000;
      const claimed = await claim();
      const rows = [
        { id: a, name: 'renamed', cells: 'Mus musculus\tbrain' },
        { id: b, name: 'sample 3' },
        { id: c, name: 'sample 4', cells: 'Homo sapiens\tkidney' },
        { name: 'new' },
      ];
      const { chunk, submission } = await store.applyBatch(claimed, batchOf(2, rows), { ...LEASE, last: true });
      expect([linesOf(chunk.updated), idsOf(chunk.updated)]).toEqual([
        [2, 4],
        [a, c],
      ]);
      expect([linesOf(chunk.unchanged), idsOf(chunk.unchanged)]).toEqual([[3], [b]]);
      expect(linesOf(chunk.created)).toEqual([5]);
      expect(submission.counts).toEqual({ rows: 4, created: 1, updated: 2, unchanged: 1, rejected: 0 });
      const now = (await store.readSample(a))?.sample;
      expect(now).toMatchObject({ name: 'renamed', version: 2, updated: clock, created: clock - 1000, line: 2 });
      expect(now?.content.characteristics.organism).toEqual([{ text: 'Mus musculus' }]);
      expect(await store.readVersion(a, 1)).toMatchObject({ name: 'sample 2', version: 1, updated: clock - 1000 });
      expect((await store.listVersions(a)).map(({ version }) => version)).toEqual([2, 1]);
      expect(await store.listVersions(b)).toHaveLength(1);
    });

    it('warns of each sample that a row gives another name by its accession alone', async () => {
      const ids = await register(3);
      const rows = ['sample 2', 'sample 4', 'sample 3'].map((name, at) => ({ id: ids[at] as number, name }));
      const known: RejectedRow = { ...refused(3), issues: refused(3).issues.map((issue) => ({ ...issue })) };
      const warned = { ...batchOf(2, rows), warnings: [known] };
      const { chunk, submission } = await store.applyBatch(await claim('ada', { dryRun: true }), warned, LEASE);
      const codes = chunk.warnings?.map(({ line, issues }) => [line, ...issues.map(({ code }) => code)]);
      expect(codes).toEqual([
        [3, 'checklist.value', 'name.changed'],
        [4, 'name.changed'],
      ]);
      expect(chunk.warnings?.[1]?.issues[0]).toMatchObject({
        column: 'Sample Name',
        value: 'sample 3',
        severity: 'warning',
        message: expect.stringMatching(
          /^The row gives SAMR\d+, which was "sample 4", the name "sample 3" with all else/,
        ),
      });
      expect(submission.issues.find(({ code }) => code === 'name.changed')).toMatchObject({ count: 2, lines: [3, 4] });
      const silent = async (options: object): Promise<LedgerChunk> =>
        (await store.applyBatch(await claim('ada', options), batchOf(2, rows), LEASE)).chunk;
      expect((await silent({ dryRun: true, rereadOf: 'first' })).warnings).toBeUndefined();
      expect((await silent({ undoOf: 'first' })).warnings).toBeUndefined();
      expect((await silent({ update: 'merge' })).warnings).toBeUndefined();
    });

    describe('the same bytes read anew', () => {
      const first = async () => {
        const sha256 = 'ab'.repeat(32);
        const base = draft('ada', { sha256 });
        await store.accept(base, { sameBytes: true });
        const claimed = await claimNext(store);
        const { chunk } = await store.applyBatch(claimed, batchOf(2, named(2, 3)), { ...LEASE, last: true });
        return { sha256, id: base.id, ids: idsOf(chunk.created) };
      };
      const again = async (sha256: string, rereadOf: string, ids: readonly number[]) => {
        const base = draft('ada', { sha256 });
        const options = { ...base.options, unknownColumns: 'characteristics' as const, rereadOf };
        expect((await store.accept({ ...base, options }, { sameBytes: true })).kind).toBe('accepted');
        const claimed = await claimNext(store);
        const rows = ids.map((id, at) => ({ id, name: `sample ${at + 2}`, cells: 'Mus musculus\tbrain' }));
        return store.applyBatch(claimed, batchOf(2, rows), { ...LEASE, last: true });
      };
      const edit = (id: number) =>
        store.updateSample(id, ({ sample }) => ({
          kind: 'update',
          draft: { name: 'edited', release: sample.release, content: sample.content },
          provenance: { author: 'ada', via: 'JSON_API' },
        }));

      it('asks for it by rereadOf only, and then knows the lines of the first', async () => {
        const { sha256, id } = await first();
        const base = draft('ada', { sha256 });
        const options = { ...base.options, unknownColumns: 'reject' as const };
        const refused = await store.accept({ ...base, options }, { sameBytes: true });
        expect(refused).toMatchObject({ kind: 'other-options', submission: { id } });
        const taken = await store.accept({ ...base, options: { ...options, rereadOf: id } }, { sameBytes: true });
        expect(taken).toMatchObject({ kind: 'accepted', submission: { earlierUpload: id, options: { rereadOf: id } } });
      });

      it('finds the samples that something else wrote last, and leaves them as they are', async () => {
        const { sha256, id, ids } = await first();
        const [a, b] = ids as [number, number, number];
        expect(await store.findRewritten(id, a, 3)).toEqual([]);
        await edit(b);
        expect(await store.findRewritten(id, a, 3)).toEqual([b]);
        expect(await store.findRewritten(id, a, 1)).toEqual([]);
        const { chunk } = await again(sha256, id, ids);
        expect(linesOf(chunk.updated)).toEqual([2, 4]);
        expect(chunk.rejected.map(({ line, issues }) => [line, issues[0]?.code])).toEqual([[3, 'row.changed-since']]);
        expect((await store.readSample(b))?.sample).toMatchObject({ name: 'edited', version: 2 });
        expect(await store.findRewritten(id, a, 3)).toEqual([b]);
      });
    });

    describe('the release', () => {
      const NONE = Number.NaN;
      const releasesOf = async (ids: readonly number[]) =>
        Promise.all(ids.map(async (id) => (await store.readSample(id))?.sample.release));
      const make = async (releases: readonly number[], options: object = {}) => {
        const rows = releases.map((release, at) => ({ name: `sample ${at}`, release }));
        const { chunk, submission } = await store.applyBatch(await claim('ada', options), batchOf(2, rows), LEASE);
        return { ids: idsOf(chunk.created), submission };
      };
      const change = async (
        rows: readonly { id?: number; release: number }[],
        options: object = {},
        given?: number,
      ) => {
        const named = rows.map((row, at) => ({ name: `sample ${at}`, cells: 'changed', ...row }));
        const batch = { ...batchOf(2, named), ...(given === undefined ? {} : { releaseDate: given }) };
        return (await store.applyBatch(await claim('ada', options), batch, { ...LEASE, last: true })).submission;
      };

      it.each(['replace', 'merge'])('of an existing sample stays when its row says none (%s)', async (update) => {
        const { ids } = await make([clock + 1000, clock - 1000]);
        const rows = ids.map((id) => ({ id, release: NONE }));
        for (const given of [undefined, clock - 5, clock + 5]) {
          const { counts, becomePublic } = await change(rows, { update }, given);
          expect([counts.rejected, becomePublic]).toEqual([0, 0]);
          expect(await releasesOf(ids)).toEqual([clock + 1000, clock - 1000]);
        }
      });

      it('of a new sample whose row says none is that of the upload', async () => {
        const submission = await change([{ release: NONE }, { release: clock - 7 }], {}, clock + 9);
        expect(submission).toMatchObject({ counts: { created: 2 }, createdPublic: 1, becomePublic: 0 });
        const ids = await store.sampleIds(0, 10);
        expect(await releasesOf(ids)).toEqual([clock + 9, clock - 7]);
      });

      it('of a sample that was never submitted is that of the upload', async () => {
        const content = { characteristics: {}, relationships: [], externalReferences: [] };
        const draft = {
          name: 'p',
          release: clock + 1e9,
          content: { ...content, contact: [], organization: [], publications: [] },
        };
        const made = { draft, account: 'ada', author: 'ada', via: 'JSON_API' as const };
        const ids = [
          (await store.createSample({ ...made, placeholder: true })).id,
          (await store.createSample({ ...made, placeholder: true })).id,
        ];
        await change([{ id: ids[0] as number, release: NONE }], {}, clock - 1);
        await change([{ id: ids[1] as number, release: NONE }]);
        expect(await releasesOf(ids)).toEqual([clock - 1, clock + 1e9]);
      });

      it.each([false, true])('that makes samples public is counted (dry run: %s)', async (dryRun) => {
        const { ids, submission } = await make([clock + 1000, clock + 1000, clock, clock + 1000, clock + 1000]);
        expect(submission.createdPublic).toBe(1);
        await store.updateSample(ids[3] as number, ({ sample }) => ({
          kind: 'update',
          draft: { name: sample.name, release: sample.release, content: sample.content },
          provenance: { author: 'root', via: 'JSON_API' },
          adminStatus: 'SUPPRESSED',
        }));
        const releases = [clock, clock + 2000, clock - 1, clock, NONE];
        const rows = ids.map((id, at) => ({ id, release: releases[at] as number }));
        const changed = await change([...rows, { release: clock }, { release: clock + 1 }], { dryRun });
        expect(changed).toMatchObject({ becomePublic: 1, createdPublic: 1, counts: { updated: 5, created: 2 } });
        expect(await store.find(changed.id)).toEqual(changed);
      });
    });

    it('overwrites a sample that one batch names twice twice, and merges what is asked to be merged', async () => {
      const [id] = (await register(1)) as [number];
      const claimed = await claim('ada', { update: 'merge' });
      const rows = [
        { id, name: 'sample 2', cells: '\tbrain' },
        { id, name: 'sample 2', cells: 'Mus musculus\t' },
      ];
      const { chunk } = await store.applyBatch(claimed, batchOf(2, rows), LEASE);
      expect(linesOf(chunk.updated)).toEqual([2, 3]);
      const record = await store.readSample(id);
      expect(record?.sample.version).toBe(3);
      expect(record?.sample.content.characteristics).toEqual({
        organism: [{ text: 'Mus musculus' }],
        tissue: [{ text: 'brain' }],
      });
      const cleared = { characteristics: ['tissue', 'none'], relationships: [], lists: [] };
      const clearing = { ...batchOf(4, [{ id, name: 'sample 2', cells: '\t' }, { name: 'new' }]) };
      clearing.cleared = new Map([
        [0, cleared],
        [1, cleared],
      ]);
      const written = await store.applyBatch(claimed, clearing, LEASE);
      expect([linesOf(written.chunk.updated), linesOf(written.chunk.created)]).toEqual([[4], [5]]);
      expect((await store.readSample(id))?.sample.content.characteristics).toEqual({
        organism: [{ text: 'Mus musculus' }],
      });
    });

    it("rejects rows that name a sample that there is not or that is another account's, unless an administrator sends them", async () => {
      const [foreign] = (await register(1, 'bo')) as [number];
      const rows = [{ id: 999_999, name: 'x' }, { id: foreign, name: 'mine?', cells: 'a\tb' }, { name: 'fine' }];
      const { chunk, submission } = await store.applyBatch(await claim(), batchOf(2, rows), { ...LEASE, last: true });
      expect(chunk.rejected.map(({ line, issues }) => [line, issues[0]?.code])).toEqual([
        [2, 'identifier.unknown'],
        [3, 'identifier.not-yours'],
      ]);
      expect(chunk.rejected[1]?.issues[0]?.value).toBe(`SAMR${foreign}`);
      expect(submission.counts).toMatchObject({ created: 1, rejected: 2 });
      expect((await store.readSample(foreign))?.sample.name).toBe('sample 2');
      const admin = await store.applyBatch(await claim('ada', {}, true), batchOf(2, rows.slice(1, 2)), LEASE);
      expect(linesOf(admin.chunk.updated)).toEqual([2]);
      expect((await store.readSample(foreign))?.sample).toMatchObject({ name: 'mine?', account: 'bo', author: 'ada' });
    });

    it('makes a placeholder a submitted sample though its content is the same', async () => {
      const content = {
        characteristics: {},
        relationships: [],
        externalReferences: [],
        contact: [],
        organization: [],
        publications: [],
      };
      const made = { draft: { name: 'p', release: 1_609_459_200_000, content }, account: 'ada', author: 'ada' };
      const { id } = await store.createSample({ ...made, via: 'JSON_API', placeholder: true });
      const { chunk } = await store.applyBatch(await claim(), batchOf(2, [{ id, name: 'p', cells: '\t' }]), LEASE);
      expect(linesOf(chunk.updated)).toEqual([2]);
      expect((await store.readSample(id))?.sample.submitted).toBe(clock);
    });

    it('uses numbers that were fixed beforehand, and documents where a row cannot be packed', async () => {
      const claimed = await claim();
      const from = await store.reserve(claimed, 3);
      const document = JSON.stringify({ characteristics: { note: [{ text: 'a\tb' }] } });
      const batch: LaidOutBatch = {
        ...batchOf(2, named(2, 3)),
        reserved: Float64Array.of(from + 2, from, from + 1),
        documents: new Map([[1, document]]),
      };
      const { chunk } = await store.applyBatch(claimed, batch, LEASE);
      expect(chunk.created).toEqual([
        [2, from + 2, 1],
        [3, from, 2],
      ]);
      expect((await store.readSample(from))?.sample.content.characteristics).toEqual({ note: [{ text: 'a\tb' }] });
      expect((await store.readSample(from + 1))?.sample.content.characteristics.tissue).toEqual([{ text: 'liver' }]);
      expect(await store.nextAccession()).toBeGreaterThanOrEqual(from + 3);
    });

    it('takes what a read showed for what is stored, curations and what follows from the organism included', async () => {
      const organism = (term: string) => [{ text: 'one', ontologyTerms: [`NCBITaxon:${term}`] }];
      const human = { organism: organism('9606') };
      const items = (rows: { id?: number; name: string }[], documents: object[]): LaidOutBatch => ({
        ...batchOf(2, rows),
        documents: new Map(documents.map((document, at) => [at, JSON.stringify(document)])),
        asRead: true,
      });
      const first = items(named(2, 2), [{ characteristics: human }, { characteristics: human }]);
      const [a, b] = idsOf((await store.applyBatch(await claim(), first, { ...LEASE, last: true })).chunk.created);
      await store.addCurationLink(
        a as number,
        curationLink('l', { attributesPost: [{ type: 'tissue', value: 'liver' }] }),
      );
      const shown = { taxId: 9606, characteristics: { ...human, tissue: [{ text: 'liver' }] } };
      const rows = [
        { id: a as number, name: 'sample 2' },
        { id: b as number, name: 'sample 3' },
      ];
      const again = items(rows, [shown, { taxId: 9606, characteristics: { organism: organism('10090') } }]);
      const { chunk } = await store.applyBatch(await claim(), again, { ...LEASE, last: true });
      expect([idsOf(chunk.unchanged), idsOf(chunk.updated)]).toEqual([[a], [b]]);
      const now = (await store.readSample(b as number))?.sample.content;
      expect(now).toMatchObject({ characteristics: { organism: organism('10090') } });
      expect(now).not.toHaveProperty('taxId');
      // What an upload says without having read it is the sample's own, whatever curations show.
      const { asRead: _, ...plain } = items(rows.slice(0, 1), [shown]);
      const said = await store.applyBatch(await claim(), plain, { ...LEASE, last: true });
      expect(idsOf(said.chunk.updated)).toEqual([a]);
    });

    it('writes nothing in a dry run, and tells what it would do', async () => {
      const [id] = (await register(1)) as [number];
      const next = await store.nextAccession();
      const rows = [
        { name: 'new' },
        { id, name: 'renamed' },
        { id, name: 'sample 2' },
        { id: 99_999, name: 'x' },
        { name: 'newer' },
      ];
      const { chunk, submission } = await store.applyBatch(await claim('ada', { dryRun: true }), batchOf(2, rows), {
        ...LEASE,
        last: true,
      });
      expect(submission.counts).toEqual({ rows: 5, created: 2, updated: 1, unchanged: 1, rejected: 1 });
      expect(chunk.created).toEqual([
        [2, 0, 1],
        [6, 0, 1],
      ]);
      expect((await store.readSample(id))?.sample).toMatchObject({ name: 'sample 2', version: 1 });
      expect(await store.sampleIds(0, 10)).toEqual([id]);
      expect(await store.nextAccession()).toBe(next);
    });

    it('accounts for lines without rows', async () => {
      const claimed = await claim();
      const { submission } = await store.applyBatch(claimed, { ...batchOf(2, []), toLine: 400 }, LEASE);
      expect(submission).toMatchObject({ cursor: 400, counts: { rows: 0 } });
      const one = await store.applyBatch(claimed, batchOf(401, [{ name: 'only', cells: '' }]), LEASE);
      expect((await store.readSample(idsOf(one.chunk.created)[0] as number))?.sample.content.characteristics).toEqual(
        {},
      );
    });

    it('gives the ledger in order of lines, from any line on', async () => {
      const claimed = await claim();
      const made: LedgerChunk[] = [];
      for (let line = 2; line < 402; line += 10) {
        made.push((await store.applyBatch(claimed, batchOf(line, named(line, 10)), LEASE)).chunk);
      }
      const { id } = claimed.submission;
      expect(await ledgerOf(id)).toEqual(made);
      expect(await ledgerOf(id, 57)).toEqual(made.slice(5));
      expect(await ledgerOf(id, 399)).toEqual(made.slice(-1));
      expect(await ledgerOf(id, 500)).toEqual([]);
      expect(await ledgerOf(draft('x').id)).toEqual([]);
    });

    it('gives no number twice when several submissions are applied at once', async () => {
      const claims = [await claim('ada'), await claim('bo'), await claim('cy')];
      const chunks = await Promise.all(
        claims.map(async (each) => {
          const all: LedgerChunk[] = [];
          for (let line = 2; line < 202; line += 20) {
            all.push((await store.applyBatch(each, batchOf(line, named(line, 20)), LEASE)).chunk);
          }
          return all;
        }),
      );
      const ids = chunks.flat().flatMap(({ created }) => idsOf(created));
      expect(ids).toHaveLength(600);
      expect(new Set(ids).size).toBe(600);
      expect(await store.sampleIds(0, 1000)).toHaveLength(600);
    });

    it('keeps every character of names, cells and messages', async () => {
      const odd = [
        'a\u0000b',
        '\u0001',
        '\u00010',
        'x\u001fy',
        '"\\',
        '{}',
        "'; drop table sample --",
        '\\N',
        '😀',
        'Ａ\u202e',
        '__proto__',
      ];
      const claimed = await claim();
      const rows = odd.map((text) => ({ name: text, cells: `${text}\tliver` }));
      const said = refused(50);
      said.name = 'n\u0000';
      said.issues[0]!.value = 'v\u0000\u001f';
      const batch = { ...batchOf(2, rows), toLine: 60, rejected: [said] };
      const { chunk } = await store.applyBatch(claimed, batch, { ...LEASE, last: true });
      expect((await ledgerOf(claimed.submission.id))[0]?.rejected).toEqual([said]);
      for (const [at, id] of idsOf(chunk.created).entries()) {
        const sample = (await store.readSample(id))?.sample;
        expect(sample?.name).toBe(odd[at]);
        expect(sample?.content.characteristics.organism).toEqual([{ text: odd[at] }]);
      }
      const again = await store.applyBatch(
        await claim(),
        batchOf(
          2,
          rows.map((row, at) => ({ ...row, id: idsOf(chunk.created)[at] as number })),
        ),
        LEASE,
      );
      expect(linesOf(again.chunk.unchanged)).toHaveLength(odd.length);
    });
  });
}
