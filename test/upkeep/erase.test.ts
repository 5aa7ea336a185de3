/** Erasing samples for good (src/upkeep/erase.ts): what goes of uploads, what stays, and that it may be stopped anywhere. */
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERASED } from '../../src/registry/samples/sample.js';
import type { BlobRange } from '../../src/submissions/blobs.js';
import type { LedgerChunk } from '../../src/submissions/submission-store.js';
import { type EraseDependencies, erase, planErasure } from '../../src/upkeep/erase.js';
import { verifyStore } from '../../src/upkeep/verify.js';
import { batchOf, claimNext, draft } from '../many-machines/store-samples.js';
import { filesHolding } from '../support/files-holding.js';
import { newRows, SmallRegistry } from './small-registry.js';

/** In the name of the sample, in what is said of it, and nowhere else. */
const MARK = 'quetzal';
const ROWS = [...newRows(12), [`${MARK} 1`, `Pharomachrus ${MARK}`, ''], ...newRows(12, 'T')];
const MARKED = 13;

let registry: SmallRegistry;
beforeEach(async () => {
  registry = await new SmallRegistry().open();
});
afterEach(() => registry.close());

const parts = (): EraseDependencies => ({ store: registry.store, blobs: registry.blobs, prefix: 'SAMR' });
const eraseMarked = (more: Partial<EraseDependencies> = {}, withKeys = false) =>
  erase({ ...parts(), ...more }, [MARKED], { author: 'admin', withKeys, record: () => undefined });
const ledger = async (id: string): Promise<LedgerChunk[]> => {
  const chunks: LedgerChunk[] = [];
  for await (const chunk of registry.store.ledger(id)) chunks.push(chunk);
  return chunks;
};
/** Files of the registry that hold the mark, the database and its log among them. */
const traces = (folder = registry.folder): string[] => filesHolding(folder, MARK);
const faults = async () => (await verifyStore(registry.store, { blobs: registry.blobs, originals: true })).faults;

describe('erasing a sample', () => {
  it('leaves nothing in any file of the registry, and all else as it was', async () => {
    const first = await registry.upload(ROWS);
    const second = await registry.upload([
      [`${MARK} 2`, MARK, `SAMR${MARKED}`],
      ['S1', 'Mus musculus', 'SAMR2'],
    ]);
    const third = await registry.upload([
      [`${MARK} 2`, MARK, 'not one'],
      ['S3', 'Mus musculus', 'SAMR4'],
    ]);
    const other = await registry.upload(newRows(3, 'U'));
    const before = await registry.store.sampleRecords(await registry.store.sampleIds(0, 100));
    expect(traces().length).toBeGreaterThan(3);
    const plan = await planErasure(parts(), [MARKED]);
    expect(plan).toMatchObject({
      samples: [{ accession: `SAMR${MARKED}`, account: 'ada', name: `${MARK} 2`, versions: 2 }],
      uploads: [
        { submissionId: third.id, lines: [2], kept: true },
        { submissionId: second.id, lines: [2], kept: true },
        { submissionId: first.id, lines: [14], kept: true },
      ],
    });
    expect(await eraseMarked()).toEqual(plan);
    expect(traces()).toEqual([]);
    const after = await registry.store.sampleRecords(await registry.store.sampleIds(0, 100));
    const others = (records: typeof before) => records.filter(({ sample }) => sample.id !== MARKED);
    expect(others(after)).toEqual(others(before));
    expect(after.find(({ sample }) => sample.id === MARKED)?.sample).toMatchObject({ adminStatus: ERASED, name: '' });
    expect(await registry.store.originalGone(other.id)).toBe(false);
    const [chunk] = await ledger(third.id);
    expect(chunk?.rejected).toEqual([
      {
        line: 2,
        name: '',
        issues: [
          {
            line: 2,
            column: 'Sample Identifier',
            columnLetter: 'C',
            code: 'identifier.unknown',
            message: expect.stringContaining('erased'),
            severity: 'error',
          },
        ],
      },
    ]);
    expect(await faults()).toEqual([]);
  });

  it('has an upload of the same bytes mean the same samples as before, and refuses the row', async () => {
    await registry.upload(ROWS);
    await eraseMarked();
    const again = await registry.upload(ROWS, { update: 'merge' }).catch((error: unknown) => error);
    expect(again).toMatchObject({ code: 'submission.same-file-other-options' });
    const sent = await registry.upload(
      ROWS.map(([name, organism], at) => [name, organism, `SAMR${at + 1}`] as string[]),
    );
    expect(sent.counts).toMatchObject({ created: 0, unchanged: 24, rejected: 1 });
    expect(sent.issues).toMatchObject([{ code: 'sample.erased', lines: [14], count: 1 }]);
    expect(await registry.store.sampleIds(0, 100)).toHaveLength(25);
  });

  it('takes the files of uploads that never came to their rows, where they hold it or cannot be read, and those of nobody else', async () => {
    await registry.upload(newRows(MARKED - 1));
    await registry.upload([[`${MARK} 1`, 'x', '']]);
    const failed = async (text: string, account?: string): Promise<string> => {
      const error = await registry.uploadText(text, {}, account).catch((reason: unknown) => reason);
      return (error as { detail: { extra: { submissionId: string } } }).detail.extra.submissionId;
    };
    // A header that comes twice is no table.
    const header = 'Sample Name\tSample Name\n';
    const holding = await failed(`${header}${MARK} 1\tx\n`);
    const quoted = await failed(`${header}a\tx\n"${MARK} 1"\tx`);
    const alike = await failed(`${header}${MARK} 11\tx\n`);
    const others = await failed(`${header}${MARK} 1\tx\n`, 'bo');
    const { store, blobs } = registry;
    // Wherever a block ends.
    const text = Buffer.from(`${header}a\tx\n"${MARK} 1"\tx`);
    for (let at = 0; at <= text.length; at++) {
      const open = (key: string, range?: BlobRange) =>
        range?.size === text.length
          ? Readable.from([text.subarray(0, at), text.subarray(at)].filter(({ length }) => length > 0))
          : blobs.open(key, range);
      const { uploads } = await planErasure({ store, blobs: { open, delete: async () => {} }, prefix: 'SAMR' }, [
        MARKED,
      ]);
      expect(uploads.map(({ submissionId }) => submissionId)).toContain(quoted);
    }
    await eraseMarked();
    const gone = await Promise.all([holding, quoted, alike, others].map((id) => store.originalGone(id)));
    expect(gone).toEqual([true, true, false, false]);
  });

  it('takes what comes while it looks, and writes the sample before it is erased', async () => {
    await registry.upload(ROWS);
    const { store } = registry;
    const eraseSamples: typeof store.eraseSamples = async (...given) => {
      const { counts } = await registry.upload([[`${MARK} 9`, MARK, `SAMR${MARKED}`]]);
      expect(counts.updated).toBe(1);
      return store.eraseSamples(...given);
    };
    const { uploads } = await eraseMarked({ store: { ...store, eraseSamples } });
    expect(uploads).toHaveLength(2);
    expect(traces()).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  it('knows the rows of a dry run, of its commit and of an undo', async () => {
    const first = await registry.upload(ROWS);
    const dry = await registry.upload([[`${MARK} 3`, MARK, `SAMR${MARKED}`]], { dryRun: true });
    const commit = await registry.commit(dry.id);
    expect(commit.counts.updated).toBe(1);
    const undo = await registry.undo(commit.id);
    const { uploads } = await eraseMarked();
    expect(uploads.map(({ submissionId }) => submissionId)).toEqual([undo.id, commit.id, dry.id, first.id]);
    expect(traces()).toEqual([]);
    expect(await faults()).toEqual([]);
    // Of what the upload registered, all else can be taken back.
    const taken = await registry.undo(first.id);
    expect(taken.counts).toMatchObject({ updated: 24, rejected: 1 });
    expect(taken.issues.map(({ code }) => code)).toEqual(['sample.erased']);
  });

  it('takes the file of an undo that has no row of it, which is that of its upload', async () => {
    await registry.upload(ROWS);
    const marked = [`${MARK} 1`, `Pharomachrus ${MARK}`, `SAMR${MARKED}`];
    const second = await registry.upload([marked, ['S1', 'Mus musculus', 'SAMR2']]);
    expect(second.counts).toMatchObject({ unchanged: 1, updated: 1 });
    const undo = await registry.undo(second.id);
    const { uploads } = await eraseMarked();
    expect(uploads.map(({ submissionId }) => submissionId)).not.toContain(undo.id);
    expect(await registry.store.originalGone(undo.id)).toBe(true);
    expect(await faults()).toEqual([]);
  });

  it('waits for an upload that may write it, and for no other', async () => {
    await registry.upload(ROWS);
    await registry.stop();
    const copy = await registry.copied();
    const { store, blobs } = copy;
    try {
      const own = await store.accept(draft('ada'), { sameBytes: false });
      await store.accept(draft('bo'), { sameBytes: false });
      let worked: Promise<unknown> | undefined;
      const work = async () => {
        const claim = await claimNext(store);
        expect(claim.submission.id).toBe(own.submission.id);
        await store.applyBatch(claim, batchOf(2, [{ name: 'later', id: MARKED }]), { leaseMs: 60_000, last: true });
      };
      const onProgress = (done: string): void => {
        if (done.startsWith('waiting')) worked ??= work();
      };
      const { uploads } = await erase({ store, blobs, prefix: 'SAMR', onProgress }, [MARKED], {
        author: 'admin',
        withKeys: false,
        record: () => undefined,
      });
      await worked;
      expect(uploads.map(({ submissionId }) => submissionId)).toContain(own.submission.id);
      expect((await store.readSample(MARKED))?.sample).toMatchObject({ adminStatus: ERASED, version: 3 });
    } finally {
      await copy.close();
      await registry.open();
    }
  });

  it('changes nothing where one of several is not there', async () => {
    await registry.upload(ROWS);
    const both = erase(parts(), [MARKED, 999], {
      author: 'admin',
      withKeys: false,
      record: () => expect.unreachable(),
    });
    await expect(both).rejects.toMatchObject({ code: 'sample.not-found', message: expect.stringContaining('SAMR999') });
    expect(traces().length).toBeGreaterThan(0);
  });

  it('is done when it is run again, wherever it was stopped', async () => {
    await registry.upload(ROWS);
    await registry.upload([[`${MARK} 1`, MARK, 'not one']]);
    await registry.stop();
    const order = { author: 'admin', withKeys: false, record: () => undefined };
    let stops = 0;
    for (let stopped = true; stopped; stops++) {
      const copy = await registry.copied();
      let calls = 0;
      const stopping = <T extends object>(of: T): T =>
        new Proxy(of, {
          get: (target, name) => {
            const member = target[name as keyof T];
            if (typeof member !== 'function') return member;
            return (...given: unknown[]) => {
              if (calls++ === stops) throw new Error('stopped');
              return member.apply(target, given);
            };
          },
        });
      const { store, blobs } = copy;
      const begun = erase({ store: stopping(store), blobs: stopping(blobs), prefix: 'SAMR' }, [MARKED], order);
      stopped = await begun.then(
        () => false,
        (error: Error) => error.message === 'stopped',
      );
      await erase({ store, blobs, prefix: 'SAMR' }, [MARKED], order);
      expect(traces(copy.folder)).toEqual([]);
      expect((await verifyStore(store, { blobs, originals: true })).faults).toEqual([]);
      await copy.close();
    }
    // Each call of the store and of the files, once.
    expect(stops).toBeGreaterThan(20);
    await registry.open();
  });
});
