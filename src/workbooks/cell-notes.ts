/** Notes of what stands beside the values of cells, and the addresses that cells link to. */

import type { ColumnNote } from '../tsv/beside-cells.js';

/** Columns of which something is noted, and characters of each note. */
const MOST_COLUMNS = 20;
const NOTE_LETTERS = 200;

export class ColumnNotes {
  readonly #columns = new Map<number, ColumnNote>();

  /** Both from 1. */
  add(row: number, column: number, text: string): void {
    const note = { row, text: text.slice(0, NOTE_LETTERS) };
    const found = this.#columns.get(column);
    if (found === undefined) {
      if (this.#columns.size < MOST_COLUMNS) this.#columns.set(column, { column: column - 1, first: note, last: note });
    } else if (row < found.first.row) found.first = note;
    else if (row > found.last.row) found.last = note;
  }

  /** From left to right. */
  list(): ColumnNote[] {
    return [...this.#columns.values()].sort((one, other) => one.column - other.column);
  }
}

/** Row → column → the address that the cell links to; both from 1. */
export type CellLinks = ReadonlyMap<number, ReadonlyMap<number, string>>;

/** The address that a formula links to, where it stands in it: `HYPERLINK("https://…","S1")`, with a semicolon in an OpenDocument. */
export function linkInFormula(formula: string): string | undefined {
  // Blanks in front are taken away first: an expression that may find no sign between two shares of them tries all.
  const [, quoted] = /^(?:of:)?=?\s*HYPERLINK\(\s*"((?:[^"]|"")*)"\s*[,;)]/i.exec(formula.trimStart()) ?? [];
  return addressIn(quoted?.replaceAll('""', '"'));
}

/** What a link that is a formula shows, where that stands in it and need not be calculated. */
export function shownByLink(formula: string): string | undefined {
  const [, address, , shown = address] =
    /^(?:of:)?=?\s*HYPERLINK\(\s*"((?:[^"]|"")*)"\s*([,;]\s*"((?:[^"]|"")*)"\s*)?\)$/i.exec(formula.trim()) ?? [];
  return shown?.replaceAll('""', '"');
}

/** A link to a place of the workbook has no address. */
export const addressIn = (link: string | undefined): string | undefined =>
  link === undefined || link === '' || link.startsWith('#') ? undefined : link;
