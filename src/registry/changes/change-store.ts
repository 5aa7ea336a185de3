/**
 * PORT: the log of changes to samples, kept for ever. A change is written in the transaction that makes it; its number is
 * given when it is certain that none before it can still arrive, so that a place in the log never passes a change that
 * is being written. Adapters keep these promises; the suite test/contract/change-store.ts checks each of them.
 */
import type { ChangeType, Visibility } from './sample-change.js';

/** Changes of one kind to the samples `first` to `first + count - 1`. */
export interface ChangeRun {
  /** 1 and up, in order, each once; never given again. */
  number: number;
  /** When it was written, milliseconds since 1970. */
  at: number;
  first: number;
  count: number;
  type: ChangeType;
  public: boolean;
}

export interface OwnedVisibility extends Visibility {
  /** Name of the owner. */
  account: string;
}

export interface ChangeStore {
  /**
   * Takes into the log what has arrived, and the releases of samples whose date has passed: a bounded step. Resolves to
   * whether there may be more. Any number of processes may call it.
   */
  advanceChanges(): Promise<boolean>;
  /** Up to `limit` runs in order of their numbers, from `from` on. */
  readChanges(from: number, limit: number): Promise<ChangeRun[]>;
  /** What decides who may read each of these samples that exists; reads no content. */
  readVisibility(ids: readonly number[]): Promise<Map<number, OwnedVisibility>>;
  /** The newest run, or undefined. */
  lastChange(): Promise<ChangeRun | undefined>;
}
