/** Kills that meet work: the worker that holds a submission is stopped, looked at while nothing of it moves, and only then killed. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusDocument } from '../support/api-caller.js';
import { childrenOf, killNow, settingOf, standStill } from '../support/processes.js';
import type { TestServer } from '../support/server.js';
import { isUnlocked } from '../support/write-lock.js';

export interface AtWork {
  /** Of the submission that it holds. */
  status: StatusDocument;
  goOn(): void;
}

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
  for (;;) {
    const all = await Promise.all(ids.map((id) => server.status(id)));
    if (all.every(({ submissionStatus }) => submissionStatus !== 'ACTIVE')) return undefined;
    const seen = all.find((status) => status.worker !== undefined && wanted(status));
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
    await sleep(5);
  }
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
    while (isHeldBy(after, held.status)) {
      await sleep(5);
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
