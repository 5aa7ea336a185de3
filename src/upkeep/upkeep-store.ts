/**
 * PORT: what looking after a registry asks of a store beyond its daily work: reading all of it, and forgetting what
 * need not be kept. test/contract/upkeep-store.ts checks each promise on every adapter.
 */

import type { SampleRecord } from '../registry/samples/sample-store.js';

/** Which line of which submission wrote a version of a sample; neither for a request's. */
export interface VersionOrigin {
  id: number;
  version: number;
  submissionId?: string;
  line?: number;
}

export interface VersionPlace {
  id: number;
  version: number;
}

/** How accessions begin; the mark of the place where uploaded files lie (site-files.ts). */
export type SiteFact = 'prefix' | 'files';

export interface StoreFault {
  /** A table, a sample, or the store as a whole. */
  place: string;
  message: string;
}

export interface UpkeepStore {
  /** Names of submissions, newest first, at most `limit`, from before the one named. */
  submissionIds(before: string | undefined, limit: number): Promise<string[]>;
  /** Numbers of samples above `after`, ascending, at most `limit`. */
  sampleIds(after: number, limit: number): Promise<number[]>;
  /** Those of these samples that exist, in order of their numbers. Rejects when one of them cannot be read. */
  sampleRecords(ids: readonly number[]): Promise<SampleRecord[]>;
  /** Every version, the present ones included, of the samples `first` to `first + count - 1`, ascending. */
  versionOrigins(first: number, count: number): Promise<VersionOrigin[]>;
  /** How many samples began as a row of a table that was uploaded here, and not at the source of a mirror. */
  countSamplesFromFiles(): Promise<number>;
  /** The next accession number that would be given. */
  nextAccession(): Promise<number>;
  /** What all processes on the store must agree on; undefined while it is not settled. */
  settled(fact: SiteFact): Promise<string | undefined>;
  /** Settles it where it is not; resolves to what is settled. */
  settle(fact: SiteFact, value: string): Promise<string>;
  /** Settles it as this value, whatever it was; without one it is not settled any more. */
  settleAnew(fact: SiteFact, value: string | undefined): Promise<void>;
  /** Remembers that a backup was taken, milliseconds since 1970; an earlier one than is known changes nothing. */
  recordBackup(at: number): Promise<void>;
  /** When the last one was; undefined when none was ever recorded. */
  lastBackup(): Promise<number | undefined>;
  /** What the database itself finds wrong with its files, and rows that lack what they go with; nothing when all is well. */
  integrityFaults(): Promise<StoreFault[]>;
  /** Overwritten versions behind `after` that are not as they were written, among the next `limit`; `next`: go on there. */
  damagedVersions(after: VersionPlace, limit: number): Promise<{ damaged: VersionPlace[]; next?: VersionPlace }>;
  /** How many versions, the present ones included, were written without a checksum. */
  uncheckedVersions(): Promise<number>;

  /** Ended submissions from before this time whose original is still kept, and is no later or ACTIVE submission's, oldest first, at most `limit`. */
  originalsFrom(before: number, limit: number): Promise<{ submissionId: string; blobKey: string }[]>;
  /** Those of these blobs that are the original of a submission, or were. */
  originalsAmong(blobKeys: readonly string[]): Promise<string[]>;
  /** Remembers that the originals of these submissions are gone. */
  markOriginalsGone(submissionIds: string[]): Promise<void>;
  /** Submissions whose original was removed as the settings for keeping say. */
  originalGone(submissionId: string): Promise<boolean>;
  /** Removes the ledgers of submissions that ended before this time and remembers it; resolves to how many. */
  forgetLedgers(before: number): Promise<number>;
  ledgerGone(submissionId: string): Promise<boolean>;
  /** Removes the idempotency keys of submissions that ended before this time; resolves to how many. */
  forgetKeys(before: number): Promise<number>;
}
