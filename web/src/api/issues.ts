/** Issues of a submission with the rows they stand in, as the page works with them. */
import type { CellIssue } from './contract.js';

export interface BadRow {
  line: number;
  /** The row as it stands in the sheet, one text per column. */
  cells: string[];
  issues: CellIssue[];
  /** Of a good row with warnings that is registered. */
  accession?: string;
}

export interface IssueReport {
  /** Header texts of the sheet, in its order. */
  columns: string[];
  rows: BadRow[];
}

/** A, B, … Z, AA, …; 0-based. */
export function columnLetter(index: number): string {
  let letters = '';
  for (let left = index + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  }
  return letters;
}

/** 0-based position of a column named by letter, or undefined. */
export function columnIndex(letter: string | undefined): number | undefined {
  if (letter === undefined || !/^[A-Z]{1,3}$/.test(letter)) return undefined;
  let index = 0;
  for (const character of letter) index = index * 26 + character.charCodeAt(0) - 64;
  return index - 1;
}

/**
 * Where in the row an issue points: by letter, which may lie beyond the last header, else by the header when only one
 * column has it. Rows that come without their cells have no place to mend.
 */
export function placeOf({ columnLetter: letter, column }: CellIssue, columns: readonly string[]): number | undefined {
  const byLetter = columnIndex(letter);
  if (byLetter !== undefined) return byLetter;
  if (column === undefined) return undefined;
  const first = columns.indexOf(column);
  return first >= 0 && columns.indexOf(column, first + 1) < 0 ? first : undefined;
}
