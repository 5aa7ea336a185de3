/**
 * Sheets with a row for each file or assay: rows of one name that agree in what is stored are one sample, read from
 * the first of them. Keeps 33 bytes a name.
 */
import type { Row } from '../bytes/row.js';
import type { SheetPlan } from '../header/columns.js';
import { NameTable } from './name-table.js';
import { Uint32List } from './number-list.js';

export class SameName {
  readonly #names = new NameTable();
  readonly #hashes = new NameTable();
  /** Of the first rows: their lines, and two numbers each for content, date and identifier. */
  readonly #lines = new Uint32List();
  readonly #content = new Uint32List();
  readonly #own = new Uint32List();
  readonly #kept: readonly number[];
  /** A date and an identifier may stand in the first row alone. */
  readonly #optional: readonly number[];

  constructor({ keptColumns, releaseColumn, identifierColumn }: SheetPlan) {
    this.#kept = keptColumns;
    this.#optional = [releaseColumn, identifierColumn].filter((column) => column !== undefined);
  }

  /** Line of the row above that this one repeats; 0 when it is the first of its name, or differs. */
  repeated(row: Row, nameStart: number, nameEnd: number): number {
    if (nameStart === nameEnd) return 0;
    const first = this.#names.add(row.text, nameStart, nameEnd, row.line, false);
    if (first !== 0) return this.#agrees(row, this.#lines.search(first)) ? first : 0;
    this.#lines.push(row.line);
    this.#hash(this.#kept.map((column) => row.cell(column)).join('\t'), this.#content);
    for (const column of this.#optional) this.#hash(row.cell(column), this.#own);
    return 0;
  }

  #agrees(row: Row, ordinal: number): boolean {
    const content = this.#kept.map((column) => row.cell(column)).join('\t');
    if (!this.#is(content, this.#content, ordinal)) return false;
    return this.#optional.every((column, at) => {
      const text = row.cell(column);
      return text === '' || this.#is(text, this.#own, ordinal * this.#optional.length + at);
    });
  }

  #hash(text: string, into: Uint32List): void {
    const { a, b } = this.#hashes.hash(text, 0, text.length);
    into.push(a);
    into.push(b);
  }

  #is(text: string, of: Uint32List, at: number): boolean {
    const { a, b } = this.#hashes.hash(text, 0, text.length);
    return of.at(at * 2) === a && of.at(at * 2 + 1) === b;
  }
}
