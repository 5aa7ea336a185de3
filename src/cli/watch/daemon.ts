import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UploadOptions } from '../../client/documents.js';
import type { RegistryClient } from '../../client/registry-client.js';
import { EXIT } from '../exit-codes.js';
import { WatchedFolder } from './folder.js';
import { Inbox, type Looked, type Seen } from './inbox.js';
import { Journal, type JournalEntry } from './journal.js';
import { LateWrites } from './late-writes.js';
import { processFile, rejectLate, take, type WatchEvent, type WorkerContext } from './process-file.js';

export interface WatchOptions {
  directory: string;
  client: RegistryClient;
  upload: UploadOptions;
  /** How long a file must stay as it is before it is taken. */
  stableMs: number;
  /** Pause between two looks into the inbox. */
  pollMs: number;
  /** Files worked on at the same time; with own keys they go one after the other, oldest first. */
  concurrency: number;
  retryPauseMs: number;
  /** Ends when the inbox is empty and every file has its end, or what is left has to wait for something else. */
  once: boolean;
  signal: AbortSignal;
  report: (event: WatchEvent) => void;
}

/** While complete files wait, a tenth of the time goes into looks: each asks for every file, and thousands may lie there. */
const LOOK_SHARE = 10;

/**
 * Watches a directory until it is asked to stop.
 * @throws FolderBusyError when another process watches it
 */
export async function watchFolder(options: WatchOptions): Promise<void> {
  const folder = new WatchedFolder(options.directory);
  await folder.prepare();
  const journal = new Journal(folder.journalPath);
  const { client, report, signal, retryPauseMs, once } = options;
  const lateWrites = new LateWrites(folder);
  const context: WorkerContext = { folder, journal, lateWrites, client, report, signal, retryPauseMs, once };
  const running = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const isOrdered = wantsOrder(options.upload);
  const atOnce = isOrdered ? 1 : options.concurrency;
  /** Of a single run: what holds one file up would hold up the next, or that would overtake it. */
  let isHeldUp = false;
  const start = (entry: JournalEntry, isTaken?: boolean): void => {
    const work = processFile(context, entry, isTaken)
      .then((heldUp) => {
        if (heldUp) isHeldUp ||= isOrdered || heldUp.byService;
      })
      .catch((error: unknown) => {
        if (!signal.aborted) failures.push(error);
      })
      .finally(() => running.delete(entry.key));
    running.set(entry.key, work);
  };
  try {
    const inherited = await recover(context, options.upload);
    const inbox = new Inbox(folder.inbox, options.stableMs);
    const reported = new Set<string>();
    let waiting: Seen[] = [];
    let growing = 0;
    let nextLook = 0;
    const look = async (): Promise<void> => {
      const began = performance.now();
      for (const { entry, reason } of await lateWrites.take()) start(await rejectLate(context, entry, reason));
      const looked = await inbox.look();
      waiting = looked.complete;
      growing = looked.growing;
      reportUntaken(looked.untaken, reported, report);
      const end = performance.now();
      nextLook = end + Math.max(options.pollMs, LOOK_SHARE * (end - began));
    };
    /** Takes what may be taken; answers how many files are still to come. */
    const takeSome = async (): Promise<number> => {
      if (waiting.length === 0 || performance.now() >= nextLook) await look();
      const toCome = waiting.length + growing;
      const free = inherited.length > 0 ? 0 : atOnce - running.size;
      for (const seen of waiting.splice(0, Math.max(0, free))) {
        if (!(await inbox.isAsSeen(seen))) continue;
        const { name } = seen;
        const entry = journal.claim({ key: randomUUID(), name, options: options.upload });
        const isTaken = await takeOrWait(context, entry);
        if (isTaken === false) inbox.putOff(name, once ? Number.POSITIVE_INFINITY : retryPauseMs);
        else start(entry, isTaken);
      }
      return toCome;
    };
    while (!signal.aborted && failures.length === 0 && !isHeldUp) {
      while (inherited.length > 0 && running.size < atOnce) start(inherited.shift() as JournalEntry);
      try {
        const toCome = await takeSome();
        if (once && running.size + inherited.length + toCome === 0) break;
        // Some have their end by now, or were not what they had been: the next in turn need not wait.
        const hasRoom = waiting.length > 0 && inherited.length === 0 && running.size < atOnce;
        if (!hasRoom) await pause(options.pollMs, running, signal);
      } catch (error) {
        // The folder is on a share that is away, say, or its disk is full: what arrives then is taken afterwards.
        if (once) throw error;
        report({ event: 'waiting', file: options.directory, reason: (error as Error).message });
        await pause(retryPauseMs, new Map(), signal);
      }
    }
    if (failures.length > 0) throw failures[0];
  } finally {
    await Promise.allSettled(running.values());
    journal.close();
  }
}

/**
 * Whether what a file says of a sample goes before what an older one said, so that the older one has to have its end first. The
 * service works on uploads into one key space in the order in which they come, and a small file comes sooner than a large one.
 */
const wantsOrder = ({ key, standing }: UploadOptions): boolean => key !== undefined || standing !== undefined;

/** Undefined when it is not known whether the file has been moved: whoever goes on with it finds out. */
async function takeOrWait(context: WorkerContext, entry: JournalEntry): Promise<boolean | undefined> {
  const { key, name: file } = entry;
  try {
    const isTaken = await take(context, entry);
    if (isTaken) context.report({ event: 'taken', file, key });
    return isTaken;
  } catch (error) {
    context.report({ event: 'waiting', file, key, reason: (error as Error).message });
    return undefined;
  }
}

/** Each once: nothing becomes of these files until somebody does something about them. */
function reportUntaken(untaken: Looked['untaken'], reported: Set<string>, report: WatchOptions['report']): void {
  for (const [name, reason] of untaken) {
    if (reported.has(name)) continue;
    reported.add(name);
    report({ event: 'waiting', file: name, code: EXIT.refused, reason });
  }
  for (const name of reported) if (!untaken.has(name)) reported.delete(name);
}

/** What an earlier process left unfinished; files in `working` that the journal has lost go on under the key of their folder. */
async function recover(context: WorkerContext, upload: UploadOptions): Promise<JournalEntry[]> {
  for (const { key, name } of await context.folder.found()) {
    if (!context.journal.knows(key)) context.journal.claim({ key, name, options: upload });
  }
  return context.journal.unsettled();
}

/** Until the next look: the pause, or as soon as a file has ended and there may be room for another. */
async function pause(ms: number, running: Map<string, Promise<void>>, signal: AbortSignal): Promise<void> {
  await Promise.race([sleep(ms, undefined, { signal }).catch(() => undefined), ...running.values()]);
}
