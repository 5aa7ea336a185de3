/** What a check of several cells is given of a row, and what it finds. */
import type { SenseCode } from '../../../registry/issue-codes.js';

export interface SenseRow {
  line: number;
  name: string;
  /** Lines stand between it and the row before: blank ones, or rows that are no samples. */
  apart: boolean;
  /** Milliseconds since 1970; NaN when it is not known. */
  release: number;
  /** The packed cells, joined. */
  packed: string;
  /** By number those that the checks want of it, and others; empty ones may be missing. */
  cells: readonly (string | undefined)[];
}

export interface Finding {
  code: SenseCode;
  /** Packed cell; -1 for the name. */
  cell: number;
  value: string;
  /** Plain words after the value and the column's name. */
  what: string;
  suggestion?: string | undefined;
}

/** One check of some cells of each row, in the order of the file. `learn` sees the rows of a batch before `look` does. */
export interface SenseCheck {
  /** Packed cells that it looks at. */
  readonly wanted: readonly number[];
  /** Whether after this many rows and characters there is nothing left that it could find, or too much to keep. */
  isDone?(rows: number, characters: number): boolean;
  learn?(row: SenseRow): void;
  look(row: SenseRow, found: Finding[]): void;
}

/** Cells and characters of the first rows that show what a sheet's columns are like: fewer rows where these are wide. */
const TAUGHT_CELLS = 400_000;
export const TAUGHT_CHARACTERS = 4_000_000;
const FEWEST_TAUGHT = 20;
/** Of megabytes each. */
const FEWEST_WIDE = 5;

/** Of so many rows those that teach, by one of them. */
export const teachingRows = (rows: number, packed: string): number =>
  Math.min(
    rows,
    Math.max(FEWEST_TAUGHT, Math.floor(TAUGHT_CELLS / packed.split('\t').length)),
    Math.max(FEWEST_WIDE, Math.floor(TAUGHT_CHARACTERS / packed.length)),
  );

const NO_VALUE =
  /^(?:not |n\.?\/?a\.?$|nan?$|null$|none$|missing|unknown|unspecified|undetermined|restricted|-+$|\?+$)/i;

/** A word that stands where no value is known. */
export const isNoValue = (text: string): boolean => NO_VALUE.test(text);
