/**
 * The row of a file's head that is its header, the first that names samples: blank rows, `#` rows, titles and what
 * another format writes above its table are passed over.
 */
import { RegistryError } from '../../registry/errors.js';
import { headRows, rowsBelow } from '../bytes/head-rows.js';
import { RowReader } from '../bytes/row-reader.js';
import { DELIMITERS, type Delimiter, fold } from '../dialect.js';
import type { ChosenProfile, SheetOptions } from './columns.js';
import { columnKind } from './header-name.js';
import { columnTitle, isNamed, pointedName } from './name-column.js';
import { bare, firstText, isDirective, Preamble } from './preamble.js';
import { pointedProfile } from './profile.js';
import { ProfileChoice } from './profile-choice.js';
import type { ChangedHeader } from './recognise.js';
import { type RowStart, withRowNames } from './row-names.js';
import { isUnitsRow } from './units.js';

/** Rows without a name column that may stand above the header: titles, groups of columns, what a program writes of itself. */
const TITLE_ROWS = 20;

export interface HeaderRow {
  delimiter: Delimiter;
  cells: string[];
  headerLine: number;
  headerEnd: number;
  /** The first of the rows above it that is a comment of several cells: meant as a header, for messages. */
  marked?: HeaderRow;
  /** It has a column that names the samples. */
  named: boolean;
  /** Of a sheet that was made for something else, with the rows above its header and those below that are no samples. */
  profile?: ChosenProfile;
  above?: readonly (readonly string[])[];
  below?: readonly (readonly string[])[];
  /** The profile that was asked for, by the option or a row above. */
  wanted?: string;
  /** The kept profile whose columns these nearly are. */
  changed?: ChangedHeader;
  /** The column that names the samples, where it was said which. */
  nameColumn?: string;
}

export type HeaderOptions = Pick<SheetOptions, 'rowsAreLines' | 'nameColumn' | 'profile' | 'profiles'>;

/** With the first delimiter that gives a column for names; else the first row that could have been a header. */
export function findHeader(text: string, complete: boolean, options: HeaderOptions = {}): HeaderRow | undefined {
  let fallback: HeaderRow | undefined;
  /** Cells of its row as it stands. */
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const found = headerRow(text, complete, new RowReader(delimiter, options.rowsAreLines), options);
    const row = found && overRowNames(found, text, options);
    if (row?.named) return row;
    if (row && found.cells.length > most) {
      fallback = row;
      most = found.cells.length;
    }
    // A row with TABs is meant to be split at them.
    if (delimiter === '\t' && most > 1) break;
  }
  return fallback;
}

/** The header row as wide as the rows below it, where these begin with names of theirs. */
function overRowNames(row: HeaderRow, text: string, options: HeaderOptions): HeaderRow {
  if (row.below) return row;
  const cells = withRowNames(row.cells, startsBelow(row, text, options), row.named);
  if (cells === row.cells) return row;
  const { nameColumn } = options;
  const isNames = !row.named && nameColumn !== undefined && isNamed(columnTitle('', 0), nameColumn);
  return { ...row, cells, ...(isNames ? { named: true, nameColumn } : {}) };
}

function* startsBelow(header: HeaderRow, text: string, { rowsAreLines }: HeaderOptions): Generator<RowStart> {
  for (const row of rowsBelow(header, text, rowsAreLines)) yield [row.cells, row.raw(0)];
}

function headerRow(text: string, complete: boolean, reader: RowReader, options: HeaderOptions): HeaderRow | undefined {
  const search = new HeaderSearch(options);
  try {
    for (const row of headRows(text, complete, reader, reader)) {
      if (row.firstFilled() < 0) continue;
      const cells = row.toCells();
      const place = { delimiter: reader.delimiter, headerLine: row.line, headerEnd: row.lastLine };
      const seen = { ...place, cells, named: false };
      const found = search.found ? search.lookBelow(seen) : search.look(seen);
      if (found) return search.withWanted(found);
    }
  } catch (error) {
    // Rows below what may be the header are looked at only to see whether one of them is: by another delimiter they read well.
    if ((search.found ?? search.plain) === undefined || !(error instanceof RegistryError)) throw error;
  }
  const row = search.found ?? search.plain ?? (complete ? search.meant : undefined);
  return row && search.withWanted(row);
}

/** Is given the filled rows of a head from its top on. */
class HeaderSearch {
  /** The header, while the rows below it are still to be seen. */
  found: HeaderRow | undefined;
  readonly #preamble = new Preamble();
  readonly #choice: ProfileChoice;
  /** The rows passed over. */
  readonly #above: string[][] = [];
  #nameColumn: string | undefined;
  #marked: HeaderRow | undefined;
  #top: HeaderRow | undefined;
  #plain: HeaderRow | undefined;
  #previous: HeaderRow | undefined;
  #titles = 0;

  /** Without a name column or a profile among the options, a row above the header may say one. */
  constructor(options: HeaderOptions) {
    this.#nameColumn = options.nameColumn;
    this.#choice = new ProfileChoice(options);
  }

  /** Of a head without a header: the row that comes nearest to one. */
  get meant(): HeaderRow | undefined {
    return this.#marked ?? this.#top;
  }

  /** The first row that could have been a header. */
  get plain(): HeaderRow | undefined {
    return this.#plain;
  }

  withWanted(row: HeaderRow): HeaderRow {
    const { wanted } = this.#choice;
    return wanted === undefined ? row : { ...row, wanted };
  }

  /** The row that is taken for the header, where it is one by now: of one that names samples the rows below are seen first. */
  look(row: HeaderRow): HeaderRow | undefined {
    const first = firstText(row.cells);
    const previous = this.#previous;
    this.#previous = row;
    if (this.#preamble.takes(row.cells)) {
      this.#top ??= row;
      this.#above.push(row.cells);
      return undefined;
    }
    if (this.#points(row.cells)) return undefined;
    if (previous && isDirective(first) && this.#isOfProfile(previous, first)) {
      this.#above.pop();
      return this.lookBelow(row);
    }
    if (this.#isOfProfile(row)) return undefined;
    const nameColumn = this.#nameColumn;
    const named = row.cells.some((cell, column) =>
      nameColumn === undefined ? columnKind(cell).kind === 'name' : isNamed(columnTitle(cell, column), nameColumn),
    );
    const changed = nameColumn === undefined ? this.#choice.nearly(row.cells) : undefined;
    if (named) {
      this.found = {
        ...row,
        named,
        ...(nameColumn === undefined ? {} : { nameColumn }),
        ...(changed ? { changed } : {}),
      };
      return undefined;
    }
    this.#above.push(row.cells);
    if (!first.startsWith('#')) {
      this.#plain ??= { ...row, ...(this.#marked ? { marked: this.#marked } : {}) };
      if (changed && !this.#plain.changed) this.#plain = { ...row, changed };
      return ++this.#titles < TITLE_ROWS ? undefined : this.#plain;
    }
    if (row.cells.filter((cell) => cell.trim() !== '').length > 1) this.#marked ??= row;
    return undefined;
  }

  /** The header with this row of units, types or labels, until one is a sample; remarks among them are passed over. */
  lookBelow(row: HeaderRow): HeaderRow | undefined {
    const first = firstText(row.cells);
    // What stands below it may say of a header of many kinds which kind it is.
    if (isDirective(first) && this.found?.profile?.known.general) this.#isOfProfile(this.found, first);
    const found = this.found as HeaderRow;
    if (!isDirective(first) && !isLabels(found, row.cells) && !isUnits(found, row.cells))
      return isRemark(found, row.cells) ? undefined : found;
    this.found = { ...found, headerEnd: row.headerEnd, below: [...(found.below ?? []), row.cells] };
    return undefined;
  }

  /** A row that only says how the sheet is read. */
  #points(cells: readonly string[]): boolean {
    const column = pointedName(cells);
    const profile = pointedProfile(cells);
    if (column !== undefined) this.#nameColumn ??= column;
    if (profile !== undefined) this.#choice.point(profile);
    return column !== undefined || profile !== undefined;
  }

  #isOfProfile(row: HeaderRow, below?: string): boolean {
    if (this.#nameColumn !== undefined && !this.#choice.named) return false;
    const seen = { cells: row.cells, line: row.headerLine, above: this.#above.map(bare) };
    const profile = this.#choice.of(below === undefined ? seen : { ...seen, below });
    if (profile) this.found = { ...row, named: true, profile, above: this.#above };
    return profile !== undefined;
  }
}

/** Whether the row says in words what the header above it names. */
function isLabels({ cells, profile }: HeaderRow, labels: readonly string[]): boolean {
  if (profile === undefined) return false;
  const { document } = profile.known;
  const texts = document.labels?.map(fold) ?? [];
  if (texts.length === 0) return false;
  const names = document.columns.filter(({ as }) => as === 'name').map(({ header }) => fold(header));
  return cells.some((cell, column) => names.includes(fold(cell)) && texts.includes(fold(labels[column] ?? '')));
}

/** Whether the row names no sample and has units of the header above it. */
const isUnits = (header: HeaderRow, units: readonly string[]): boolean =>
  isUnitsRow(units) && namesNothing(header, units);

/** As DataRows passes one over. */
const isRemark = (header: HeaderRow, cells: readonly string[]): boolean =>
  firstText(cells).startsWith('#') &&
  (cells.filter((cell) => cell.trim() !== '').length === 1 || namesNothing(header, cells));

function namesNothing(header: HeaderRow, row: readonly string[]): boolean {
  const isName = nameHeaders(header);
  return header.cells.every(
    (text, column) => !isName(text, column) || /^(?:units?)?$/i.test((row[column] ?? '').trim()),
  );
}

/** Whether a column with this header names the samples. */
function nameHeaders({ profile, nameColumn }: HeaderRow): (header: string, column: number) => boolean {
  if (nameColumn !== undefined) return (text, column) => isNamed(columnTitle(text, column), nameColumn);
  if (profile === undefined) return (text) => columnKind(text).kind === 'name';
  const names = profile.known.document.columns.filter(({ as }) => as === 'name').map(({ header }) => fold(header));
  return (text) => names.includes(fold(text));
}
