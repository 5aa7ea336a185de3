/** What reading a submission's file is asked, and what it asks of the store. */
import type { KnownKeys } from '../../registry/samples/row-key.js';
import type { ReadOptions } from '../../tsv/rows/reading.js';
import type { UploadOptions } from '../submission.js';
import type { TextRange } from './stored-source.js';

/** Everything about one reading that can be posted to a thread. */
export interface ReadTask {
  fileSize: number;
  options: UploadOptions;
  prefix: string;
  account: string;
  admin: boolean;
  batchRows: number;
  /** When the file was accepted, milliseconds since 1970: what its items say is checked as of then, however late they are read. */
  accepted: number;
  /** Outcomes up to this line are recorded already. */
  cursor: number;
  /** Rows of it are registered. */
  registers: boolean;
  /** Runs of an earlier submission of the same bytes (line, number, count …): rows without identifier mean these samples. */
  earlier?: Float64Array;
  /** Of one that goes on behind its cursor: what its own lines became, in the same form. */
  recorded?: Float64Array;
  /** Of a commit: what its dry run showed (preview.ts). */
  preview?: Float64Array;
}

/** What every reading takes from the task, whatever the form of the file. */
export const readOptionsOf = ({ prefix, batchRows, cursor, options }: ReadTask): ReadOptions => ({
  prefix,
  batchRows,
  fromLine: cursor,
  ...(options.releaseDate === undefined ? {} : { releaseDate: options.releaseDate }),
  ...(options.releaseExisting ? { releaseExisting: true } : {}),
  ...(options.relationships === 'later' ? { later: true } : {}),
});

/** In place of accession numbers that a dry run does not reserve: no sample will ever have them. */
export const NEVER_GIVEN = 9_000_000_000_000_000;

/** What an edit must know of a sample that it names: present, or of the version that a dry run saw. */
export type StoredForEdit =
  | {
      id: number;
      account: string;
      name: string;
      /** Milliseconds since 1970. */
      release: number;
      version: number;
      /** False while it only has an accession. */
      submitted: boolean;
      /** Its content as JSON: what is posted between threads keeps no object without prototype. */
      doc: string;
    }
  | { id: number; damaged: true };

export interface StoreQuestions {
  /** Those that there are. */
  storedForEdit(ids: number[]): Promise<StoredForEdit[]>;
  ownersOf(ids: number[]): Promise<Map<number, string>>;
  /** What the upload's key space says of these keys and samples. */
  knownKeys(keys: string[], samples: number[]): Promise<KnownKeys>;
  /** How many relationships of the account are open that other submissions opened. */
  openRelationships(): Promise<number>;
  /** Accession numbers for this many rows; the same ones each time. */
  reserve(count: number): Promise<number>;
}

export type OpenBytes = (range?: TextRange) => AsyncIterable<Buffer>;
