/** Why a submission takes long, in a sentence: each reason that there is, of submissions of a real store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import { activeSubmissions, whatHappens } from '../../src/submissions/what-happens.js';
import { claimNext, draft } from '../many-machines/store-samples.js';

const folder = mkdtempSync(join(tmpdir(), 'what-happens-'));
let store: Store;
beforeAll(async () => {
  store = await openStore(`sqlite:${join(folder, 'registry.db')}`, { prefix: 'SAMR' });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function accept(account: string, options: Partial<UploadOptions> = {}, sha256?: string): Promise<string> {
  const plain = draft(account);
  const made = { ...plain, options: { ...plain.options, ...options }, ...(sha256 === undefined ? {} : { sha256 }) };
  return (await store.accept(made, { sameBytes: false })).submission.id;
}

const saidOf = async (account: string): Promise<string[]> =>
  (await activeSubmissions(store, account, Date.now)).list.map(({ what }) => what);

const NEXT = 'It is the next one as soon as a worker is free; where that does not happen, no worker runs.';
const waitsFor = (id: string): string =>
  `It waits until submission ${id} has ended, which has the same file or writes into the same key space.`;

it('is before it, or the next one', async () => {
  await accept('queue');
  await accept('queue');
  expect(await saidOf('queue')).toEqual([NEXT, '1 before it in the lane of large files; accounts take turns.']);
  expect((await activeSubmissions(store, undefined, Date.now)).list).toHaveLength(2);
});

/** The store, as if all had come at the same moment. */
const withTime = <T extends Submission | undefined>(one: T): T => (one === undefined ? one : { ...one, created: 7 });
const atOnce: Store['searchSubmissions'] = async (search) => {
  const page = await store.searchSubmissions(search);
  return { ...page, submissions: page.submissions.map(withTime) };
};

it('waits for the same key space, whichever way it is named, and for the same bytes, where they are asked for', async () => {
  const standing = await accept('keys', { key: 'Barcode', standing: 'lims', dryRun: true });
  await accept('keys', { key: 'Barcode', keySpace: 'lims' });
  await accept('keys', { key: 'Barcode' });
  const [first, second, third] = await saidOf('keys');
  expect([first, third]).not.toContain(waitsFor(standing));
  expect(second).toBe(waitsFor(standing));

  const commitOf = { submissionId: standing, automatic: true } as const;
  const commit = await accept('keys', { key: 'Barcode', standing: 'lims', commitOf });
  for (let claimed = await claimNext(store); ; claimed = await claimNext(store)) {
    await store.finish(claimed);
    if (claimed.submission.id === standing) break;
  }
  expect((await saidOf('keys')).map((what) => what === waitsFor(commit))).toEqual([true, false, false]);
  // Also of those that came in one millisecond.
  const within = { ...store, find: async (id: string) => withTime(await store.find(id)), searchSubmissions: atOnce };
  const { list } = await activeSubmissions(within, 'keys', Date.now);
  expect(list.map(({ what }) => what === waitsFor(commit))).toEqual([true, false, false]);

  const bytes = 'b'.repeat(64);
  const earlier = await accept('bytes', {}, bytes);
  await accept('bytes', { duplicate: 'allow' }, bytes);
  await accept('bytes', {}, bytes);
  await accept('bytes', {}, 'c'.repeat(64));
  await accept('bytes', { key: 'Barcode' }, bytes);
  await accept('bytes', { duplicate: 'allow', undoOf: earlier }, bytes);
  const waits = (await saidOf('bytes')).map((what) => what === waitsFor(earlier));
  expect(waits).toEqual([false, false, true, false, true, true]);
  // As claims have it.
  for (const { id, account } of (await store.list({ size: 100 })).reverse())
    if (account !== 'bytes') await store.cancel(id);
  const claimed = [await claimNext(store), await claimNext(store), await claimNext(store)];
  expect(claimed.map(({ submission }) => submission.sha256 === bytes)).toEqual([true, true, false]);
  expect(await claimNext(store)).toBeUndefined();
});

it('is with a worker, was left by one, or is tried again later', async () => {
  await claimNext(store);
  const submission = (await store.list({ size: 100 })).find(({ worker }) => worker !== undefined) as Submission;
  const now = submission.updated + 5_000;
  const half = {
    ...submission,
    bytesRead: submission.fileSize / 2,
    cursor: 11,
    counts: { ...submission.counts, rows: 10 },
  };
  expect(whatHappens(submission, { now })).toBe(
    'Worker w reads it: 0 % of the file is read, 0 rows are done; last heard of 5 s ago.',
  );
  expect(whatHappens(half, { now })).toBe(
    'Worker w registers its rows: 50 % of the file is read, 10 rows are done; last heard of 5 s ago.',
  );
  expect(whatHappens(half, { position: 0, now })).toBe(
    'Worker w was last heard of 5 s ago: another one goes on behind line 11, as soon as one is free.',
  );
  const setbacks = { outside: 7, itself: 0, since: now, nextTry: now + 8_000 };
  expect(whatHappens({ ...half, setbacks }, { position: 0, now })).toBe(
    'Worker lost 7 times after line 11, next try in 8 s.',
  );
});
