import type { NoteCode, RowIssueCode } from '../issue-codes.js';
import type { RowPlaces } from '../row-places.js';
import type { Cleared } from './merge.js';
import type { SampleLayout } from './packed-sample.js';

/**
 * Samples on their way from a table into the store: a few strings and typed arrays for up to some thousand rows,
 * not an object per row or cell. Measured at 1 000 000 rows: objects cost more than parsing and writing together.
 * Survives structured cloning, so a batch can be posted between threads.
 */
export interface SampleBatch {
  /** Lines of the file that this batch accounts for, `fromLine` to `toLine`, both inclusive: rows, blanks, rejected ones. */
  fromLine: number;
  toLine: number;
  /** Bytes of the file consumed once this batch is applied; for progress. */
  bytesRead: number;
  /** Good rows in the batch. */
  count: number;
  /** Hold every row's name, key and packed cells. Short ones (docs/decisions/0173). */
  texts: readonly string[];
  /** Number of each row's text in `texts`; absent: the first holds all. */
  inTexts?: Uint16Array;
  /** Four per row: start and end of the name, start and end of the packed cells, in UTF-16 units of its text. */
  spans: Uint32Array;
  /** Line of each row. */
  lines: Uint32Array;
  /** Release of each row, milliseconds since 1970; NaN when the row says none: a sample that exists keeps its own. */
  releases: Float64Array;
  /** Release of new samples whose rows say none. */
  releaseDate?: number;
  /** Of each row: 0 registers a sample, another number updates the sample of that accession number. */
  ids: Float64Array;
  /**
   * Of an upload with keys: start and end of each row's key in its text, two per row. A row whose number is 0 then means
   * the sample that has its key, else the one of `meant`, and registers only when there is neither.
   */
  keys?: Uint32Array;
  meant?: Float64Array;
  /** Of an undo: the submission whose keys go with its changes, and samples that it gave keys without changing them. */
  keysOf?: { submissionId: string; unchanged: number[] };
  /** For rows that register: accession numbers fixed beforehand (files whose rows refer to each other). Absent: the store allocates. */
  reserved?: Float64Array;
  /** Of each row that updates: the version that the sample must still have; 0 for any. Absent: any. */
  expected?: Float64Array;
  /** Rows are made of what was read of their samples, or of the samples of their keys: where that is another by now, nothing of the batch is applied (`OutdatedBatch`). */
  mayBeReadAgain?: true;
  /** Of each row that updates: a `Hold`. */
  holds?: Uint8Array;
  /** Row position → JSON document (`SampleContent`), for the rare row that cannot be packed. */
  documents: Map<number, string>;
  /** Row position → what the row takes away of the sample that it updates, where what it does not mention stays. */
  cleared?: Map<number, Cleared>;
  /** Rows may be what a read of their sample showed, with its curations: whoever sends that back changes nothing. */
  asRead?: true;
  /** Of the last batch of a standing sheet: what came of it (submissions/standing/standing.ts). */
  standing?: object;
  /** Row position → relationships that wait for samples of these names: kept beside the sample until a later upload brings them. */
  open?: Map<number, OpenTarget[]>;
  /** Row position → what becomes of relationships of the sample beside its rows (`HOLD.complete`). */
  completes?: Map<number, Completion>;
  /** The batch takes back what rows say of rows that the submission will not come to: it is applied though a cancel was requested. */
  endsEarly?: true;
  /** Of an undo: the submission that is undone. What it opened is given up, what it completed is open again. */
  undoes?: string;
  /** Where its file has what is found out later; absent where it is of no file. */
  places?: RowPlaces;
  /** Rows refused before the store was asked. */
  rejected: RejectedRow[];
  /** Good rows of the batch that have something to be said about them; kept in the ledger. */
  warnings?: RejectedRow[];
  /** What is to be counted of rows, good or refused by the store, without being an issue of theirs. */
  notes?: RowNote[];
}

/** What a row does to the status of the sample that it updates. */
export const HOLD = {
  none: 0,
  /** KILLED; the content stays. An undo of what registered it. */
  kill: 1,
  /** MISSING, unless it is held already; the content stays. */
  missing: 2,
  /** Beside the row's content, in an undo: no longer MISSING. */
  back: 3,
  /** The same: MISSING again. */
  missingAgain: 4,
  /** The sample gets relationships that waited, or loses some whose target does not come, and stays as it is else. */
  complete: 5,
} as const;
export type Hold = (typeof HOLD)[keyof typeof HOLD];

/** A relationship whose target is a name that no sample has yet. */
export interface OpenTarget {
  type: string;
  name: string;
  /** Position among the relationships of its row, open or not. */
  place: number;
  /** Where it stands in the file. */
  column?: string;
  columnLetter?: string;
}

/** What becomes of relationships that waited: `own` where a row of this very submission wrote the sample. */
export interface Completion {
  own: boolean;
  targets: { type: string; name: string; target: number }[];
  /** Accessions that nobody has and nobody will be given: relationships to them are taken away. */
  gone?: string[];
}

/** Lines of one batch of which the same is to be said; those of rejected rows are not counted. */
export interface RowNote {
  code: NoteCode;
  column: string;
  message: string;
  /** Consecutive lines: the first, how many. */
  lines: [line: number, count: number][];
}

export interface RejectedRow {
  line: number;
  name: string;
  /** Of an upload with keys: the row's, empty where it says none. */
  key?: string;
  issues: Issue[];
}

/**
 * One thing wrong with one cell or row, in the sheet's own words: the line as a spreadsheet shows it (header = 1), the
 * column's header text, a stable code, the value cut at 100 characters, what is wrong, and a suggested value when there is one.
 */
export interface Issue {
  line: number;
  column?: string;
  /** Spreadsheet letter of the column: A, B, … AA. */
  columnLetter?: string;
  code: RowIssueCode;
  value?: string;
  message: string;
  suggestion?: string;
  severity: 'error' | 'warning';
}

/**
 * UTF-8 bytes of a file that are made text at once, and twice the UTF-16 units of a text that is spelled: what takes up to 128 KiB, two bytes
 * a unit where it is no ASCII, is made in memory that was used before. The engine asks the machine for new memory for anything larger, which
 * takes 5 ms a MiB where pages are slow to come, and is freed by a whole collection only (docs/decisions/0173).
 */
export const SHORT_TEXT = 60 * 1024;

/** A batch with the layout that its rows share. */
export interface LaidOutBatch extends SampleBatch {
  layout: SampleLayout;
}

/** What holds the row's name, key and packed cells. */
export const batchText = ({ texts, inTexts }: SampleBatch, row: number): string =>
  texts[inTexts === undefined ? 0 : (inTexts[row] as number)] as string;

export const batchName = (batch: SampleBatch, row: number): string =>
  batchText(batch, row).substring(batch.spans[row * 4] as number, batch.spans[row * 4 + 1] as number);

/** Release of the sample that a row registers. */
export function newRelease({ releases, releaseDate }: SampleBatch, row: number): number {
  const own = releases[row] as number;
  if (!Number.isNaN(own)) return own;
  if (releaseDate === undefined) throw new Error(`row ${row} of the batch registers a sample without a release`);
  return releaseDate;
}

export const batchCells = (batch: SampleBatch, row: number): string =>
  batchText(batch, row).substring(batch.spans[row * 4 + 2] as number, batch.spans[row * 4 + 3] as number);
