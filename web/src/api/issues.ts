/** Issues of a submission with the rows they stand in, as the page works with them. */
import type { Answered, CellIssue } from './contract.js';

export type ReportDocument = Answered<'/submissions/{id}/errors'>;

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
  /** Rows that stand above and below the header in a sheet of another format, and without which it would be read otherwise. */
  above: string[][];
  below: string[][];
  rows: BadRow[];
}

export function reportOf({ head, rejected, warned }: ReportDocument): IssueReport {
  const columns = (rejected[0] ?? warned[0])?.cells.map(({ column }) => column) ?? [];
  const rows: BadRow[] = rejected.map(
    ({ line, cells, issues }): BadRow => ({ line, cells: cells.map(({ value }) => value), issues }),
  );
  for (const { line, accession, cells, issues } of warned) {
    rows.push({
      line,
      cells: cells.map(({ value }) => value),
      issues,
      ...(accession === undefined ? {} : { accession }),
    });
  }
  const header = head.findIndex((cells) => cells.join('\t') === columns.join('\t'));
  return {
    columns,
    above: head.slice(0, header),
    below: head.slice(header + 1),
    rows: rows.sort((one, other) => one.line - other.line),
  };
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
 * column has it. Rows that come without their cells have no place to fix.
 */
export function placeOf({ columnLetter: letter, column }: CellIssue, columns: readonly string[]): number | undefined {
  const byLetter = columnIndex(letter);
  if (byLetter !== undefined) return byLetter;
  if (column === undefined) return undefined;
  const first = columns.indexOf(column);
  return first >= 0 && columns.indexOf(column, first + 1) < 0 ? first : undefined;
}
