/** What reading and surveying a sheet are asked, and what a survey answers. */
import type { RowCheck } from '../../registry/checklist.js';
import type { KeyDecision, KeyedRow } from '../../registry/samples/row-key.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import type { NameTable } from './name-table.js';

export interface ReadOptions {
  /** Of this registry's accessions. */
  prefix: string;
  /** Release of rows without one, milliseconds since 1970; samples that exist keep theirs unless `releaseExisting`. */
  releaseDate?: number;
  releaseExisting?: boolean;
  /** Is made true by the first row that has anything but a name, an identifier and a date. */
  content?: { found: boolean };
  /** When the file was accepted, milliseconds since 1970; for items of JSON, which may say a status. */
  accepted?: number;
  /** Good rows in a full batch. */
  batchRows: number;
  /** Of the whole file: what the number of its names is reckoned from. */
  fileSize?: number;
  /** Outcomes up to this line are recorded already: its rows are read, for the names they take, but not emitted. */
  fromLine?: number;
  /** Required when the sheet has relationship columns. */
  survey?: Survey;
  /** Accession number that a row has or will have: `ordinal` counts all data rows from 0. For relationship targets. */
  idOfRow?: (ordinal: number, line: number) => number;
  /** Of a surveyed upload with keys: the sample that a row means by its key, 0 for none. */
  meantByRow?: (ordinal: number) => number;
  /** What the rows do not mention stays. */
  merges?: boolean;
  /** Relationships may name samples that are still to come. */
  later?: boolean;
  /** A checklist's verdict on rows that are good so far. */
  check?: RowCheck;
}

export interface SurveyOptions extends ReadOptions {
  /** Owner of each of these samples that exists. Without it, accessions of ours are taken to exist. */
  ownersOf?(ids: number[]): Promise<Map<number, string>>;
  /** What these samples say: relationships to what is no accession stay where they are there. Those of the edits' question (read-task.ts). */
  storedForEdit?(
    ids: number[],
  ): Promise<({ id: number; account: string; doc: string } | { id: number; damaged: true })[]>;
  /** Name of the account that uploads; with `ownersOf`, the identifiers of others' samples are faults unless `admin`. */
  account?: string;
  admin?: boolean;
  /** Of a file whose reading goes on: up to which line outcomes are recorded, and which of its rows became samples. */
  recorded?: RecordedRows;
  /** Of an upload with keys: what becomes of each of these rows, in their order. */
  decideKeys?(rows: readonly KeyOfRow[]): Promise<KeyDecision[]>;
}

export interface RecordedRows {
  toLine: number;
  isSample(line: number): boolean;
}

/** A row with a key as it stands in the file. */
export type KeyOfRow = Omit<KeyedRow, 'meant'>;

export type IdentifierFault = 'unknown' | 'not-yours';

/** What a whole sheet says before its first row is registered. Lives in the thread that made it. */
export interface Survey {
  /** Data rows, good and bad. */
  rows: number;
  /** Rows that cannot be registered, for their own fault or because they refer to one that cannot. */
  rejected: number;
  /** Relationships of good rows that name samples still to come. */
  open: number;
  names: NameTable;
  /** Ordinal (0-based, among the data rows) of the data row that begins on this line. */
  ordinalOf(line: number): number;
  isRejected(ordinal: number): boolean;
  /** Accession number that the row updates, 0 when it registers. */
  idOf(ordinal: number): number;
  /** Accession numbers that the sheet names as targets or identifiers and that no sample has, or no sample of this account. */
  missingTargets: ReadonlySet<number>;
  /** Whether the sample of this row has the target of its relationship `place` already, which is no accession. */
  isKept(ordinal: number, place: number): boolean;
  badIdentifiers: ReadonlyMap<number, IdentifierFault>;
  /** Of rows by ordinal: what is wrong with their keys. */
  badKeys: ReadonlyMap<number, Issue>;
}
