/** Kills that meet work: the worker that holds a submission is stopped, looked at while nothing of it moves, and only then killed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from '../../src/store/sqlite/driver.js';
import type { StatusDocument } from '../support/api-caller.js';
import { childrenOf, killNow, settingOf, standStill } from '../support/processes.js';
import type { TestServer } from '../support/server.js';
import { isUnlocked } from '../support/write-lock.js';

/**
 * Rows of a transaction, as a setting: a file of a thousand rows is registered in as many steps as one of fifty thousand
 * is by default, and can be met between any two of them.
 */
export const SMALL_BATCHES = { BATCH_ROWS: '50' };

export interface AtWork {
  /** Of the submission that it holds. */
  status: StatusDocument;
  goOn(): void;
}

/** What takes longer does not end by itself, and what it waits for is said. */
const LONGEST_MS = 5 * 60_000;

function bounded(what: () => string): () => void {
  const end = performance.now() + LONGEST_MS;
  return () => {
    if (performance.now() > end) throw new Error(`${LONGEST_MS / 60_000} minutes: ${what()}`);
  };
}

/** Between two looks for a worker at its work: into a file, and at others over HTTP. */
const LOOK_MS = 5;
const OTHER_LOOK_MS = 25;

type Wanted = (status: StatusDocument) => boolean;

/** Those that register samples, and those that work on one submission beside them. */
export const workersOf = (server: TestServer): number[] =>
  server.ingestPids().flatMap((pid) => [pid, ...childrenOf(pid, /workers[\\/]alone/)]);

/**
 * Resolves when a worker that holds one of the submissions, in a state that is wanted, stands still: what it wrote by then
 * is all that it writes. Undefined when all have ended before one could be stopped.
 */
export async function stopAtWork(
  server: TestServer,
  ids: readonly string[],
  wanted: Wanted = () => true,
): Promise<AtWork | undefined> {
  const pids = new Map<string, number>();
  const lookAround = () => {
    for (const pid of server.ingestPids()) pids.set(settingOf(pid, 'WORKER_NAME') ?? '', pid);
  };
  lookAround();
  const store = writesTo(server);
  let all: StatusDocument[] = [];
  const lookedAt = bounded(() => `no worker of ${[...pids]} was met at work: ${JSON.stringify(all)}`);
  try {
    let open = [...ids];
    for (let sawOne = true; ; await sleep(store.lookMs)) {
      lookedAt();
      if (!sawOne && !store.isWritten()) continue;
      all = await Promise.all(open.map((id) => server.status(id)));
      // What has ended stays so, and is not asked about again.
      open = open.filter((_, at) => all[at]?.submissionStatus === 'ACTIVE');
      if (open.length === 0) return undefined;
      const seen = all.find((status) => status.worker !== undefined && wanted(status));
      sawOne = seen !== undefined;
      if (seen && !pids.has(seen.worker as string)) lookAround();
      const holder = pids.get(seen?.worker as string);
      if (seen && holder !== undefined) {
        // At once: what is looked for on the way may end meanwhile.
        killNow([holder], 'SIGSTOP');
        const both = [holder, ...childrenOf(holder, /workers[\\/]alone/)];
        await standStill(both);
        const status = await server.status(seen.submissionId);
        if (isHeldBy(status, seen) && wanted(status)) return { status, goOn: () => killNow(both, 'SIGCONT') };
        killNow(both, 'SIGCONT');
      }
    }
  } finally {
    store.close();
  }
}

interface Writes {
  /** Whether anybody has written since it was asked last. */
  isWritten(): boolean;
  lookMs: number;
  close(): void;
}

/**
 * What is written to the service's store: before that there is nothing new to see, and each question over HTTP takes 8 ms of
 * processor from the work that is waited for. A store that is no file of this machine is asked less often instead.
 */
function writesTo(server: TestServer): Writes {
  const file = join(server.dataDir, 'registry.db');
  if (!existsSync(file)) return { isWritten: () => true, lookMs: OTHER_LOOK_MS, close: () => {} };
  const store = new Database(file, { readonly: true });
  let before: unknown;
  const isWritten = () => {
    const now = store.pragma('data_version', { simple: true });
    const isNew = now !== before;
    before = now;
    return isNew;
  };
  return { isWritten, lookMs: LOOK_MS, close: () => store.close() };
}

/** Kills every worker while one of them holds one of the submissions; resolves to that one, or to undefined when all had ended. */
export async function killAtWork(
  server: TestServer,
  ids: readonly string[],
  wanted?: Wanted,
): Promise<string | undefined> {
  for (;;) {
    const held = await stopAtWork(server, ids, wanted);
    if (!held) return undefined;
    killNow(server.ingestPids());
    held.goOn();
    // PostgreSQL may still carry out what the worker had asked for: the last step of all, then nothing was interrupted.
    let after = await server.status(held.status.submissionId);
    const takenOver = bounded(() => `nobody took over from a worker that was killed: ${JSON.stringify(after)}`);
    while (isHeldBy(after, held.status)) {
      takenOver();
      await sleep(OTHER_LOOK_MS);
      after = await server.status(held.status.submissionId);
    }
    if (after.submissionStatus === 'ACTIVE' || after.attempts > held.status.attempts) return held.status.submissionId;
  }
}

/** Stops every worker while none is inside a write, which would hold up everybody's; answers what lets them go on. */
export async function stopWorkers(server: TestServer): Promise<() => void> {
  for (;;) {
    const pids = server.ingestPids();
    await standStill(pids);
    const goOn = () => void killNow(pids, 'SIGCONT');
    if (isUnlocked(join(server.dataDir, 'registry.db'))) return goOn;
    goOn();
    await sleep(5);
  }
}

const isHeldBy = (now: StatusDocument, before: StatusDocument): boolean =>
  now.submissionStatus === 'ACTIVE' && now.worker === before.worker && now.attempts === before.attempts;
