/**
 * The row of a file's head that is its header, the first that names samples: blank rows, `#` rows, titles and what
 * another format writes above its table are passed over.
 */
import { RegistryError } from '../../registry/errors.js';
import type { Row } from '../bytes/row.js';
import { RowReader } from '../bytes/row-reader.js';
import { DELIMITERS, type Delimiter } from '../dialect.js';
import { columnKind } from './header-name.js';
import { isNamed, pointedName } from './name-column.js';
import { Preamble, type SheetFormat, sheetFormat, unitsRow } from './sheet-formats.js';

/** Rows without a name column that may stand above the header: titles, groups of columns, what a program writes of itself. */
const TITLE_ROWS = 20;

/** UTF-16 units of the head that are split at a time. */
const PIECE = 16 * 1024;

export interface HeaderRow {
  delimiter: Delimiter;
  cells: string[];
  headerLine: number;
  headerEnd: number;
  /** The first of the rows above it that is a comment of several cells: meant as a header, for messages. */
  marked?: HeaderRow;
  /** It has a column that names the samples. */
  named: boolean;
  /** Of a sheet that was made for something else, and the units that it names for its columns. */
  format?: SheetFormat;
  units?: readonly string[];
  /** The column that names the samples, where it was said which. */
  nameColumn?: string;
}

/** With the first delimiter that gives a column for names; else the first row that could have been a header. */
export function findHeader(
  text: string,
  complete: boolean,
  { rowsAreLines, nameColumn }: { rowsAreLines?: true; nameColumn?: string } = {},
): HeaderRow | undefined {
  let fallback: HeaderRow | undefined;
  for (const delimiter of DELIMITERS) {
    const row = headerRow(text, complete, new RowReader(delimiter, rowsAreLines), nameColumn);
    if (row?.named) return row;
    if (row && (fallback === undefined || row.cells.length > fallback.cells.length)) fallback = row;
    // A row with TABs is meant to be split at them.
    if (delimiter === '\t' && row && row.cells.length > 1) break;
  }
  return fallback;
}

function headerRow(
  text: string,
  complete: boolean,
  reader: RowReader,
  nameColumn: string | undefined,
): HeaderRow | undefined {
  const search = new HeaderSearch(nameColumn);
  try {
    for (const row of headRows(text, complete, reader, reader)) {
      if (row.firstFilled() < 0) continue;
      const cells = row.toCells();
      const place = { delimiter: reader.delimiter, headerLine: row.line, headerEnd: row.lastLine };
      const found = search.found ? search.withUnits(cells) : search.look({ ...place, cells, named: false });
      if (found) return found;
    }
  } catch (error) {
    // Rows below what may be the header are looked at only to see whether one of them is: by another delimiter they read well.
    if (search.plain === undefined || !(error instanceof RegistryError)) throw error;
  }
  return search.found ?? search.plain ?? (complete ? search.meant : undefined);
}

/** Is given the filled rows of a head from its top on. */
class HeaderSearch {
  /** The header of another format, while the row below it is still to be seen. */
  found: HeaderRow | undefined;
  readonly #preamble = new Preamble();
  /** The first cells of the rows passed over. */
  readonly #before: string[] = [];
  #marked: HeaderRow | undefined;
  #top: HeaderRow | undefined;
  #plain: HeaderRow | undefined;
  #titles = 0;

  /** `nameColumn`: header of the column that names the samples; without it a row above the header may say. */
  constructor(private nameColumn: string | undefined) {}

  /** Of a head without a header: the row that comes nearest to one. */
  get meant(): HeaderRow | undefined {
    return this.#marked ?? this.#top;
  }

  /** The first row that could have been a header. */
  get plain(): HeaderRow | undefined {
    return this.#plain;
  }

  /** The row, when it is the header and nothing below it matters. */
  look(row: HeaderRow): HeaderRow | undefined {
    const first = (row.cells.find((cell) => cell.trim() !== '') as string).trim();
    if (this.#preamble.takes(row.cells)) {
      this.#top ??= row;
      this.#before.push(first.slice(0, 200));
      return undefined;
    }
    const pointed = pointedName(row.cells);
    if (pointed !== undefined) {
      this.nameColumn ??= pointed;
      return undefined;
    }
    const { nameColumn } = this;
    const format = nameColumn === undefined ? sheetFormat(row.cells, this.#before) : undefined;
    if (format) {
      this.found = { ...row, named: true, format };
      return undefined;
    }
    const named = row.cells.some((cell) =>
      nameColumn === undefined ? columnKind(cell).kind === 'name' : isNamed(cell, nameColumn),
    );
    if (named) return { ...row, named, ...(nameColumn === undefined ? {} : { nameColumn }) };
    if (!first.startsWith('#')) {
      this.#plain ??= { ...row, ...(this.#marked ? { marked: this.#marked } : {}) };
      return ++this.#titles < TITLE_ROWS ? undefined : this.#plain;
    }
    this.#before.push(first.slice(0, 200));
    if (row.cells.filter((cell) => cell.trim() !== '').length > 1) this.#marked ??= row;
    return undefined;
  }

  withUnits(cells: readonly string[]): HeaderRow {
    const units = unitsRow(cells);
    return { ...(this.found as HeaderRow), ...(units ? { units } : {}) };
  }
}

/** The rows of a head of the file, read a piece at a time: what stands at its top is not worth splitting all of it. */
export function* headRows(
  text: string,
  complete: boolean,
  reader: RowReader,
  rows: { next(): boolean },
): Generator<Row> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = text.indexOf('\n', from + PIECE) + 1 || text.length;
    reader.load(text.substring(from, to), complete && to === text.length);
    while (rows.next()) yield reader.row;
  }
}
