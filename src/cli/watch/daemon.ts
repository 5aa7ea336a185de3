import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UploadOptions } from '../../client/documents.js';
import type { RegistryClient } from '../../client/registry-client.js';
import { EXIT } from '../exit-codes.js';
import { WatchedFolder } from './folder.js';
import { Inbox } from './inbox.js';
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
  /** Files worked on at the same time. */
  concurrency: number;
  retryPauseMs: number;
  /** Ends when the inbox is empty and every file has its end. */
  once: boolean;
  signal: AbortSignal;
  report: (event: WatchEvent) => void;
}

/**
 * Watches a directory until it is asked to stop.
 * @throws FolderBusyError when another process watches it
 */
export async function watchFolder(options: WatchOptions): Promise<void> {
  const folder = new WatchedFolder(options.directory);
  await folder.prepare();
  const journal = new Journal(folder.journalPath);
  const { client, report, signal, retryPauseMs } = options;
  const lateWrites = new LateWrites(folder);
  const context: WorkerContext = { folder, journal, lateWrites, client, report, signal, retryPauseMs };
  const running = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const start = (entry: JournalEntry): void => {
    const work = processFile(context, entry)
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
    while (!signal.aborted && failures.length === 0) {
      while (inherited.length > 0 && running.size < options.concurrency) start(inherited.shift() as JournalEntry);
      for (const { entry, reason } of await lateWrites.take()) start(await rejectLate(context, entry, reason));
      const { complete, growing, misnamed } = await inbox.look();
      reportMisnamed(misnamed, reported, report);
      const free = inherited.length > 0 ? 0 : options.concurrency - running.size;
      for (const name of complete.slice(0, Math.max(0, free))) {
        const entry = journal.claim({ key: randomUUID(), name, options: options.upload });
        if (await take(context, entry)) {
          report({ event: 'taken', file: name, key: entry.key });
          start(entry);
        } else {
          inbox.putOff(name, retryPauseMs);
        }
      }
      if (options.once && running.size + inherited.length + complete.length + growing === 0) break;
      await pause(options.pollMs, running, signal);
    }
    if (failures.length > 0) throw failures[0];
  } finally {
    await Promise.allSettled(running.values());
    journal.close();
  }
}

/** Each once: nothing becomes of these files until somebody gives them other names. */
function reportMisnamed(names: readonly string[], reported: Set<string>, report: WatchOptions['report']): void {
  for (const name of names) {
    if (reported.has(name)) continue;
    reported.add(name);
    const reason = 'Its name is not in UTF-8, so it cannot be opened by it. Give it a name of plain letters.';
    report({ event: 'waiting', file: name, code: EXIT.refused, reason });
  }
  for (const name of reported) if (!names.includes(name)) reported.delete(name);
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
