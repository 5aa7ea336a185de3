/**
 * Processes one submission in a fresh process and sees how that ends: a crash counts against the submission, a kill
 * from outside does not. The process takes the claim over as it is; every write of it is fenced like any other.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Logger } from '../observability/log.js';
import { isFromOutside, sendSignal } from '../processes.js';
import type { AttemptRules, Setback } from '../submissions/processing/attempts.js';
import type { Claim, SubmissionStore } from '../submissions/submission-store.js';
import type { WorkerMessage } from './supervise-workers.js';

export interface AloneOptions {
  /** File of the process: it says `begun` when it is ready, and ends when the claim that it is sent is done with. */
  entry: string;
  store: Pick<SubmissionStore, 'setBack' | 'heartbeat'>;
  rules: AttemptRules;
  leaseMs: number;
  onMessage(message: WorkerMessage): void;
  /** The submission was given up. */
  onGivenUp(claim: Claim): void;
  log: Logger;
}

/** To the process. */
export interface AloneMessage {
  claim: Claim;
}

/** Silent for this long it is stuck and ended. A busy machine must not make a healthy file look stuck: it counts against it. */
const SILENCE_MS = 30_000;
/** How long it may take to begin. */
const START_MS = 60_000;
/** How often its silence is looked at. */
const LOOK_MS = 1_000;
/** A stop lets the process hand its claim back, for at most this long. */
const STOP_MS = 3_000;

/** The answer never rejects. */
export const runAlone =
  (options: AloneOptions) =>
  async (claim: Claim, signal: AbortSignal): Promise<void> => {
    const { store, leaseMs, rules, log } = options;
    const seen = { submissionId: claim.submission.id, attempt: claim.attempt };
    log.info(seen, 'processing a submission alone: workers have ended over it');
    const keep = setInterval(() => void store.heartbeat(claim, { leaseMs }).catch(() => {}), leaseMs / 3);
    try {
      const setback = await watch(options, claim, signal);
      if (!setback) return;
      log.error({ ...seen, cause: setback.cause, problem: setback.problem?.message }, 'the process ended early');
      const after = await store.setBack(claim, setback, rules);
      if (after.state !== 'ACTIVE') options.onGivenUp({ ...claim, submission: after });
    } catch (error) {
      // Lost to another, or the store is away: the lease runs out.
      log.warn({ ...seen, err: error }, 'could not record how processing ended');
    } finally {
      clearInterval(keep);
    }
  };

/** Undefined when the process ended in order. */
function watch(options: AloneOptions, claim: Claim, signal: AbortSignal): Promise<Setback | undefined> {
  const child = fork(options.entry, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const silence = endWhenSilent(child);
  let begun = false;
  const stop = () => {
    sendSignal(child, 'SIGTERM');
    setTimeout(() => sendSignal(child, 'SIGKILL'), STOP_MS).unref();
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  child.on('message', (message) => {
    silence.heard();
    if ('begun' in (message as object)) {
      begun = true;
      silence.patienceMs = SILENCE_MS;
      child.send({ claim } satisfies AloneMessage, () => {});
    }
    options.onMessage(message as WorkerMessage);
  });
  return new Promise((resolve) => {
    const settle = (setback: Setback | undefined) => {
      silence.stop();
      signal.removeEventListener('abort', stop);
      resolve(setback);
    };
    child.on('error', () => settle({ cause: 'outside' }));
    child.once('exit', (code, ended) => {
      if (code === 0) return settle(undefined);
      // One that could not even start found its surroundings wanting, not the file.
      const outside = !begun || (isFromOutside(ended) && !silence.stuck);
      settle({ cause: outside ? 'outside' : 'itself' });
    });
  });
}

function endWhenSilent(child: ChildProcess) {
  let heard = performance.now();
  let looked = heard;
  const state = {
    stuck: false,
    patienceMs: START_MS,
    heard: () => (heard = performance.now()),
    stop: () => clearInterval(timer),
  };
  const timer = setInterval(() => {
    // Were we held up ourselves, its messages may lie unread: it gets its time anew.
    if (performance.now() - looked > 2 * LOOK_MS) heard = performance.now();
    looked = performance.now();
    if (looked - heard < state.patienceMs) return;
    state.stuck = true;
    sendSignal(child, 'SIGKILL');
  }, LOOK_MS);
  return state;
}
