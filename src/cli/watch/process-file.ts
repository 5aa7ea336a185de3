import { randomUUID } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formOf, type SubmissionDocument } from '../../client/documents.js';
import { RefusedError, UnavailableError } from '../../client/failures.js';
import type { RegistryClient } from '../../client/registry-client.js';
import { syncFolder } from '../../durable-names.js';
import { EXIT, type ExitCode, exitCodeOf, exitCodeOfFailure } from '../exit-codes.js';
import { asFlags } from '../flags.js';
import { describeTrouble, isLeftToPeople } from '../print.js';
import { LeftInInboxError, type WatchedFolder } from './folder.js';
import type { FileEnd, Journal, JournalEntry, Outcome } from './journal.js';
import { type LateWrites, lateWrite } from './late-writes.js';

export interface WatchEvent {
  event: 'taken' | 'submitted' | 'settled' | 'gone' | 'waiting' | 'changed';
  file: string;
  /** Of one that was claimed. */
  key?: string;
  submissionId?: string;
  outcome?: Outcome;
  /** What `upload` would have ended with; of one that cannot be taken, that it is refused. */
  code?: ExitCode;
  place?: string;
  status?: string;
  reason?: string;
}

export interface WorkerContext {
  folder: WatchedFolder;
  journal: Journal;
  lateWrites: LateWrites;
  client: RegistryClient;
  report: (event: WatchEvent) => void;
  signal: AbortSignal;
  /** Pause before a file is tried again after a failure that is not its own. */
  retryPauseMs: number;
  /** Such a file is left for the next run. */
  once: boolean;
}

/** The file has no end yet, for reasons that are not its own. */
export interface HeldUp {
  /** The next file would meet the same: what answers is away, or says no to whoever asks. */
  byService: boolean;
}

/** The service does not know what it accepted, which no waiting changes. */
const isForgotten = ({ problem }: RefusedError): boolean => problem.code === 'submission.not-found';

/** What is wrong with the daemon's settings and not with the file: no valid token, no right, a wrong address, one that sends on. */
const isTheFilesFault = ({ status }: RefusedError): boolean => status >= 400 && ![401, 403, 404, 405].includes(status);

/** How often a submission that failed for a reason outside the file is sent again. */
const RESENDS = 10;

/**
 * Carries one file from any stage to its end. Every step is journalled before the next begins and may be repeated, so
 * being killed between any two of them costs nothing but the repetition.
 */
export async function processFile(
  context: WorkerContext,
  start: JournalEntry,
  isTaken = start.stage !== 'claimed',
): Promise<HeldUp | undefined> {
  let entry = start;
  let isHere = isTaken;
  while (true) {
    try {
      if (!isHere && !(await take(context, entry))) return undefined;
      isHere = true;
      if (entry.stage === 'settling') return await settle(context, entry);
      entry = await learnOutcome(context, entry);
    } catch (error) {
      if (context.signal.aborted) throw error;
      if (isHere && (await isGone(context, entry, error))) return undefined;
      const heldUp = reportHeldUp(context, entry, error);
      if (context.once) return heldUp;
      await sleep(context.retryPauseMs, undefined, { signal: context.signal });
    }
  }
}

/** The disk, the network or the service: none of it says anything about the file, which waits. */
function reportHeldUp({ once, report }: WorkerContext, { name: file, key }: JournalEntry, error: unknown): HeldUp {
  const reason = asFlags(error instanceof Error ? error.message : String(error));
  report({ event: 'waiting', file, key, ...(once ? { code: exitCodeOfFailure(error) } : {}), reason });
  return { byService: error instanceof RefusedError || error instanceof UnavailableError };
}

/**
 * False when the claim is given up again: the file is gone, or lies in the inbox because it cannot be moved. Then nothing was
 * sent of it, and the next look finds it.
 */
export async function take({ folder, journal, report, once }: WorkerContext, entry: JournalEntry): Promise<boolean> {
  const { key, name } = entry;
  try {
    if (await folder.take(entry)) return true;
    forgetGone({ journal, report }, entry);
    return false;
  } catch (error) {
    if (!(error instanceof LeftInInboxError)) throw error;
    report({ event: 'waiting', file: name, key, ...(once ? { code: EXIT.refused } : {}), reason: error.message });
  }
  journal.forget(key);
  return false;
}

/** Its file is still needed: nothing is known to have been accepted of it, or that is to be sent again. */
const isUnsent = ({ stage }: JournalEntry, error: unknown): boolean =>
  stage === 'claimed' || (stage === 'submitted' && (error as NodeJS.ErrnoException).code === 'ENOENT');

async function isGone(context: WorkerContext, entry: JournalEntry, error: unknown): Promise<boolean> {
  if (!isUnsent(entry, error) || !(await context.folder.isTakenAway(entry))) return false;
  forgetGone(context, entry);
  return true;
}

/** There is nothing left of it to send, however often that is tried. */
function forgetGone({ journal, report }: Pick<WorkerContext, 'journal' | 'report'>, { key, name }: JournalEntry): void {
  report({ event: 'gone', file: name, key });
  journal.forget(key);
}

async function learnOutcome(context: WorkerContext, entry: JournalEntry): Promise<JournalEntry> {
  try {
    const { submission: sent, entry: submitted } = await submit(context, entry);
    const submission = await context.client.carriedOut(sent);
    const registered = /^COMPLETED/.test(submission.submissionStatus) && !isLeftToPeople(submission);
    const reason = registered ? await lateWrite(context.folder.workFile(entry), sent) : undefined;
    if (reason !== undefined) reportChanged(context, submitted, reason);
    const outcome: Outcome = registered && reason === undefined ? 'done' : 'rejected';
    await savePapers(context, submitted, submission, registered);
    await writeReceipt(context, entry, outcome, { submission, ...problemOf(reason) });
    const code = reason === undefined ? exitCodeOf(submission) : EXIT.refused;
    const end = { outcome, code, ...becauseOf(reason ?? describeTrouble(submission)) };
    return { ...settling(context, submitted, end), sentBytes: sent.fileSize };
  } catch (error) {
    if (!(error instanceof RefusedError) || !(isTheFilesFault(error) || isForgotten(error))) throw error;
    const reason = isForgotten(error) ? FORGOTTEN(error.message) : error.message;
    const problem = isForgotten(error) ? { ...error.problem, detail: reason } : error.problem;
    await context.folder.makeRoomForPapers(entry);
    await writeReceipt(context, entry, 'rejected', { problem });
    return settling(context, entry, { outcome: 'rejected', code: EXIT.refused, ...becauseOf(asFlags(reason)) });
  }
}

const becauseOf = (reason: string | undefined): Pick<FileEnd, 'reason'> => (reason === undefined ? {} : { reason });

const FORGOTTEN = (said: string): string =>
  `The file was sent and accepted, and now the service answers: ${said} Its store was set back to a backup, or the token is ` +
  'of another account than that of then. When the token is right, put the file into the inbox again: what is registered of it is not registered twice.';

const settling = ({ journal, folder }: WorkerContext, entry: JournalEntry, end: FileEnd): JournalEntry =>
  journal.settling(entry, end, folder.freePlace(entry, end.outcome, journal));

/** Sends the file unless the service has it, and waits for its end. */
async function submit(
  context: WorkerContext,
  start: JournalEntry,
): Promise<{ submission: SubmissionDocument; entry: JournalEntry }> {
  let entry = start;
  for (let sends = 0; ; sends++) {
    if (entry.submissionId === undefined || sends > 0) {
      const { submission } = await context.client.upload({
        path: context.folder.workFile(entry),
        fileName: entry.name,
        options: entry.options,
        idempotencyKey: entry.key,
      });
      entry = context.journal.submitted(entry, submission.submissionId);
      context.report({ event: 'submitted', file: entry.name, key: entry.key, submissionId: submission.submissionId });
    }
    const submission = await context.client.wait(entry.submissionId as string);
    if (!submission.problem?.retryable || sends >= RESENDS) return { submission, entry };
    await sleep(context.retryPauseMs, undefined, { signal: context.signal });
  }
}

async function savePapers(
  context: WorkerContext,
  entry: JournalEntry,
  submission: SubmissionDocument,
  registered: boolean,
): Promise<void> {
  const { submissionId: id, counts } = submission;
  await context.folder.makeRoomForPapers(entry);
  const save = (part: 'result' | 'mapping' | 'errors') =>
    context.client.savePart(id, part, context.folder.paper(entry, part, formOf(submission)));
  if (registered) {
    await save('result');
    await save('mapping');
  }
  if (counts.rejected > 0) await save('errors');
}

const problemOf = (reason: string | undefined) =>
  reason === undefined ? {} : { problem: { code: 'file.changed', detail: reason } };

const reportChanged = ({ report }: WorkerContext, { key, name, submissionId }: JournalEntry, reason: string): void =>
  report({ event: 'changed', file: name, key, ...(submissionId === undefined ? {} : { submissionId }), reason });

async function writeReceipt(
  context: WorkerContext,
  entry: JournalEntry,
  outcome: Outcome,
  rest: Record<string, unknown>,
): Promise<void> {
  const path = context.folder.paper(entry, 'receipt');
  const file = await open(`${path}.part`, 'w');
  await file.writeFile(`${JSON.stringify({ file: entry.name, key: entry.key, outcome, ...rest }, null, 2)}\n`);
  await file.sync();
  await file.close();
  await rename(`${path}.part`, path);
  await syncFolder(dirname(path));
}

async function settle(context: WorkerContext, entry: JournalEntry): Promise<undefined> {
  const { end, place } = entry;
  if (end === undefined || place === undefined) throw new Error(`The journal lacks the outcome of ${entry.name}.`);
  await context.folder.settle(entry, end.outcome, place);
  context.journal.settled(entry);
  if (end.outcome === 'done' && entry.sentBytes !== undefined) await context.lateWrites.add(entry, entry.sentBytes);
  context.report({ event: 'settled', file: entry.name, key: entry.key, ...end, place });
  return undefined;
}

/**
 * Takes a file out of `done` that was written to since; answers the entry that brings it to `rejected`. The journal knows
 * its end before it is moved, so that no daemon takes it for one that was never sent.
 */
export async function rejectLate(context: WorkerContext, late: JournalEntry, reason: string): Promise<JournalEntry> {
  const { folder, journal } = context;
  const { name, options } = late;
  reportChanged(context, late, reason);
  const entry = settling(context, journal.claim({ key: randomUUID(), name, options }), {
    outcome: 'rejected',
    code: EXIT.refused,
  });
  try {
    await folder.takeBack(late, entry);
    const receipt = JSON.parse(await readFile(folder.paper(entry, 'receipt'), 'utf8')) as object;
    await writeReceipt(context, entry, 'rejected', { ...receipt, outcome: 'rejected', ...problemOf(reason) });
  } catch (error) {
    // What was not moved stays in `done`; the event has said why it should not.
    context.report({ event: 'waiting', file: name, key: entry.key, reason: (error as Error).message });
  }
  return entry;
}
