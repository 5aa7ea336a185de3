/**
 * PORT: what the registry asks of a store, one sample at a time. Every method is one unit of work: what it wrote is
 * durable when its promise resolves, and nothing is changed when it rejects. Adapters keep these promises; the suite
 * test/contract/sample-store.ts checks each of them on every adapter.
 */
import type { CurationLink } from '../curations/curation.js';
import type { CurationUsage } from '../curations/curation-limits.js';
import type { StructuredDataTable } from '../structured-data/structured-data.js';
import type { HeldStatus, Provenance, SampleDraft, StoredSample } from './sample.js';

/** A sample with all that its visible content depends on, read in one snapshot. */
export interface SampleRecord {
  sample: StoredSample;
  /** In order of `created`, then of arrival. */
  curationLinks: CurationLink[];
  structuredData: StructuredDataTable[];
}

/** Of one that has just been registered, or of a version by itself. */
export const withNothingAttached = (sample: StoredSample): SampleRecord => ({
  sample,
  curationLinks: [],
  structuredData: [],
});

export interface NewSample extends Provenance {
  draft: SampleDraft;
  account: string;
  /** A placeholder has an accession but was never submitted. */
  placeholder: boolean;
  /** Set by an administrator with the sample. */
  adminStatus?: HeldStatus;
}

/** What `decide` answers inside `updateSample`. */
export type SampleDecision = { kind: 'unchanged' } | ({ kind: 'update' } & SampleUpdate);

/** What a sample is to be. `adminStatus`: null takes back the one that it has, absent leaves it. */
export interface SampleUpdate {
  draft: SampleDraft;
  provenance: Provenance;
  adminStatus?: HeldStatus | null;
}

/** One line of a sample's history. */
export interface SampleVersion extends Provenance {
  version: number;
  /** When this version was written, milliseconds since 1970. */
  updated: number;
}

/** Who looks for curations: sees those of public samples and of its own, an administrator all. */
export interface CurationReader {
  account?: string;
  admin: boolean;
  /** Milliseconds since 1970: samples released by then and without a status of an administrator's are public. */
  now: number;
}

export interface CurationPage {
  curations: CurationLink['curation'][];
  /** Hash to go on after. */
  next?: string;
}

/** Synchronous and pure: a transaction may be begun anew. @throws RegistryError */
export type AdmitTables = (present: readonly StructuredDataTable[]) => void;

/** A version of a sample, by its number. */
export interface VersionOf {
  id: number;
  version: number;
}

export interface SampleStore {
  /** Allocates the accession number and stores version 1. */
  createSample(sample: NewSample): Promise<StoredSample>;

  /**
   * Locks the sample, calls `decide` with its present record, and does what it answers; the former version is kept.
   * `decide` is synchronous, pure, and may be called again if the transaction has to be repeated; an error it throws
   * leaves everything as it was. Resolves to the record after the decision, or undefined when there is no such sample.
   */
  updateSample(id: number, decide: (current: SampleRecord) => SampleDecision): Promise<SampleRecord | undefined>;

  /** The present record, or undefined. */
  readSample(id: number): Promise<SampleRecord | undefined>;

  /** One version, the present one included, or undefined. */
  readVersion(id: number, version: number): Promise<StoredSample | undefined>;
  /** The same of several, in their order: a reading of its own for each is what takes longest on PostgreSQL. */
  readVersions(wanted: readonly VersionOf[]): Promise<(StoredSample | undefined)[]>;

  /** Versions, newest first: all, or `size` of those before a version. */
  listVersions(id: number, page?: { before: number; size: number }): Promise<SampleVersion[]>;

  /** Owner of each of these samples that exists; numbers without a sample are absent from the answer. A sample, once there, stays and keeps its owner. */
  findOwners(ids: readonly number[]): Promise<Map<number, string>>;

  /**
   * Adds a curation link unless one with the same hash is there; resolves to the stored one. Before a new one is added,
   * `admit` is called with what the sample holds and the bytes of the new link; an error it throws leaves everything as
   * it was. It is synchronous, pure, and sees every link added before: none slips in between.
   * @throws RegistryError sample.not-found
   */
  addCurationLink(
    id: number,
    link: CurationLink,
    admit?: (present: CurationUsage, bytes: number) => void,
  ): Promise<{ link: CurationLink; added: boolean }>;
  /**
   * Sets when the link was declined, or takes that back with null; one that is declined already keeps its time. Resolves
   * to the link as it is then, or undefined when there is none.
   */
  declineCurationLink(id: number, hash: string, declined: number | null): Promise<CurationLink | undefined>;
  /** True when it was there. */
  deleteCurationLink(id: number, hash: string): Promise<boolean>;
  /**
   * The curation with this hash, or undefined when it is linked to no sample that the reader may read. The latest 1 000
   * links are looked at.
   */
  findCuration(hash: string, reader: CurationReader): Promise<CurationLink['curation'] | undefined>;
  /**
   * Such curations in the order of their hashes, `size` at most, a megabyte at most and never fewer than the first.
   * Bounded work: a page may hold fewer, even none, and `next` is there as long as there may be more.
   */
  listCurations(reader: CurationReader, after: string | undefined, size: number): Promise<CurationPage>;

  /**
   * Replaces this account's tables of the sample and keeps the others'; the same tables in the same order are no change. `admit` sees all that are there in the transaction that
   * writes, and throws where it may not.
   * @throws RegistryError sample.not-found
   */
  putStructuredData(
    id: number,
    account: string,
    tables: StructuredDataTable[],
    now: number,
    admit?: AdmitTables,
  ): Promise<SampleRecord>;
  /** Takes tables away: all of the sample, or those of this account, of this type. Resolves to how many there were. */
  deleteStructuredData(id: number, which: { account?: string; type?: string }, admit?: AdmitTables): Promise<number>;
}
