import { open, rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SubmissionDocument } from '../../client/documents.js';
import { RefusedError } from '../../client/failures.js';
import type { RegistryClient } from '../../client/registry-client.js';
import type { WatchedFolder } from './folder.js';
import type { Journal, JournalEntry, Outcome } from './journal.js';

export interface WatchEvent {
  event: 'taken' | 'submitted' | 'settled' | 'gone' | 'waiting';
  file: string;
  key: string;
  submissionId?: string;
  outcome?: Outcome;
  place?: string;
  status?: string;
  reason?: string;
}

export interface WorkerContext {
  folder: WatchedFolder;
  journal: Journal;
  client: RegistryClient;
  report: (event: WatchEvent) => void;
  signal: AbortSignal;
  /** Pause before a file is tried again after a failure that is not its own. */
  retryPauseMs: number;
}

/** What is wrong with the daemon's settings and not with the file: no valid token, no right, a wrong address. */
const NOT_THE_FILES_FAULT = new Set([401, 403, 404, 405]);

/** How often a submission that failed for a reason outside the file is sent again. */
const RESENDS = 10;

/**
 * Carries one file from any stage to its end. Every step is journalled before the next begins and may be repeated, so
 * being killed between any two of them costs nothing but the repetition.
 */
export async function processFile(shop: WorkerContext, start: JournalEntry): Promise<void> {
  let entry = start;
  if (entry.stage === 'claimed' && !(await shop.folder.take(entry))) {
    shop.journal.forget(entry.key);
    shop.report({ event: 'gone', file: entry.name, key: entry.key });
    return;
  }
  while (entry.stage !== 'settled') {
    try {
      if (entry.stage === 'settling') return await settle(shop, entry);
      entry = await learnOutcome(shop, entry);
    } catch (error) {
      if (shop.signal.aborted) throw error;
      // The disk, the network or the service: none of it says anything about the file, which waits.
      const reason = error instanceof Error ? error.message : String(error);
      shop.report({ event: 'waiting', file: entry.name, key: entry.key, reason });
      await sleep(shop.retryPauseMs, undefined, { signal: shop.signal });
    }
  }
}

async function learnOutcome(shop: WorkerContext, entry: JournalEntry): Promise<JournalEntry> {
  try {
    const { submission, entry: submitted } = await submit(shop, entry);
    const outcome: Outcome = /^COMPLETED/.test(submission.submissionStatus) ? 'done' : 'rejected';
    await savePapers(shop, submitted, submission, outcome);
    return shop.journal.settling(submitted, outcome, shop.folder.freePlace(submitted, outcome, shop.journal));
  } catch (error) {
    if (!(error instanceof RefusedError) || NOT_THE_FILES_FAULT.has(error.status)) throw error;
    await writeReceipt(shop, entry, 'rejected', { problem: error.problem });
    return shop.journal.settling(entry, 'rejected', shop.folder.freePlace(entry, 'rejected', shop.journal));
  }
}

/** Sends the file unless the service has it, and waits for its end. */
async function submit(
  shop: WorkerContext,
  start: JournalEntry,
): Promise<{ submission: SubmissionDocument; entry: JournalEntry }> {
  let entry = start;
  for (let sends = 0; ; sends++) {
    if (entry.submissionId === undefined || sends > 0) {
      const { submission } = await shop.client.upload({
        path: shop.folder.workFile(entry),
        fileName: entry.name,
        options: entry.options,
        idempotencyKey: entry.key,
      });
      entry = shop.journal.submitted(entry, submission.submissionId);
      shop.report({ event: 'submitted', file: entry.name, key: entry.key, submissionId: submission.submissionId });
    }
    const submission = await shop.client.wait(entry.submissionId as string);
    if (!submission.problem?.retryable || sends >= RESENDS) return { submission, entry };
    await sleep(shop.retryPauseMs, undefined, { signal: shop.signal });
  }
}

async function savePapers(
  shop: WorkerContext,
  entry: JournalEntry,
  submission: SubmissionDocument,
  outcome: Outcome,
): Promise<void> {
  const { submissionId: id, counts } = submission;
  if (outcome === 'done') {
    await shop.client.savePart(id, 'result', shop.folder.paper(entry, 'result'));
    await shop.client.savePart(id, 'mapping', shop.folder.paper(entry, 'mapping'));
  }
  if (counts.rejected > 0) await shop.client.savePart(id, 'errors', shop.folder.paper(entry, 'errors'));
  await writeReceipt(shop, entry, outcome, { submission });
}

async function writeReceipt(
  shop: WorkerContext,
  entry: JournalEntry,
  outcome: Outcome,
  rest: Record<string, unknown>,
): Promise<void> {
  const path = shop.folder.paper(entry, 'receipt');
  const file = await open(`${path}.part`, 'w');
  await file.writeFile(`${JSON.stringify({ file: entry.name, key: entry.key, outcome, ...rest }, null, 2)}\n`);
  await file.sync();
  await file.close();
  await rename(`${path}.part`, path);
}

async function settle(shop: WorkerContext, entry: JournalEntry): Promise<void> {
  const { outcome, place } = entry;
  if (outcome === undefined || place === undefined) throw new Error(`The journal lacks the outcome of ${entry.name}.`);
  await shop.folder.settle(entry, outcome, place);
  shop.journal.settled(entry);
  shop.report({ event: 'settled', file: entry.name, key: entry.key, outcome, place });
}
