/**
 * PORT: the doorbell. It carries no work, only word that there is some: rings may be lost or repeated, and nothing
 * breaks, because a worker asks the store what to do and the poll loop rings again for what waits.
 */
import type { Lane } from './submission.js';

export interface Ring {
  submissionId: string;
  lane: Lane;
  account: string;
}

export interface Consumer {
  /** Takes no further rings and resolves when the running handlers have ended. */
  stop(): Promise<void>;
}

export interface Queue {
  /** Rings once for this submission. May reject when the carrier is away; the submission is safe in the store. */
  publish(ring: Ring): Promise<void>;
  /** Says that a submission of this lane is on its way, to who can prepare for it. Nobody need hear it. */
  foretell?(lane: Lane): void;
  /** Calls `handle` for each ring of the lane, at least once, at most `concurrency` at a time. A rejected handle is rung again later. */
  consume(lane: Lane, concurrency: number, handle: () => Promise<void>): Consumer;
  /** Tells everyone who waits that this submission has ended. May be lost. */
  announce(submissionId: string): Promise<void>;
  /** Resolves true when the submission is announced, false after `timeoutMs`; the caller reads the store either way. */
  waitFor(submissionId: string, timeoutMs: number): Promise<boolean>;
  /** Rejects with the reason when the carrier is away. */
  check(): Promise<void>;
  /** May be called twice. */
  close(): Promise<void>;
}
