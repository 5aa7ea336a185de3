/**
 * PORT: a store that is a copy of another registry. Samples keep the accessions, versions and times that they have
 * there; how far the copy is stands in the transaction that writes them. Adapters keep these promises; the suite
 * test/contract/mirror-store.ts checks each of them.
 */
import type { StoredSample } from '../samples/sample.js';
import type { SampleRecord } from '../samples/sample-store.js';

/** A sample as it is at the source. */
export interface MirroredSample {
  record: SampleRecord;
  /** Versions before it that this store has not, as far as they can be had. */
  former: StoredSample[];
}

export interface MirrorState {
  /** Address of the source. */
  source: string;
  /** Of the source's log of changes; absent before the first step. */
  cursor?: string;
}

export interface MirrorStep {
  /** The cursor that the step follows upon; absent for the first one. */
  after: string | undefined;
  cursor: string;
  samples: readonly MirroredSample[];
  /** Numbers of samples that are not public at the source any more, and that are not to be seen there. */
  withdrawn: readonly number[];
  /** Numbers of samples that were erased at the source, and of which it says no more than that. */
  erased: readonly number[];
}

export interface MirrorStore {
  mirrorState(): Promise<MirrorState | undefined>;
  /** Begins, or goes on from another address. @throws RegistryError conflict when the store has samples of its own */
  beginMirror(source: string): Promise<void>;
  /** The copy becomes a registry of its own; false when it was none. */
  endMirror(): Promise<boolean>;
  /**
   * Makes these samples what they are at the source and moves the cursor: all or nothing. A step that was taken before
   * changes nothing. @throws RegistryError conflict when another process has moved the cursor, or there is no mirror
   */
  applyMirrored(step: MirrorStep): Promise<void>;
}
