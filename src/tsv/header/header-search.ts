/** The search for the row of a head that is its header, from the top on. */
import type { Delimiter } from '../dialect.js';
import { saysOfColumns } from './column-notes.js';
import type { ChosenProfile, ColumnBlock, Headless, SheetOptions } from './columns.js';
import { namesSamples } from './header-name.js';
import { columnTitle, isNamed, pointedName } from './name-column.js';
import { NamingColumns } from './naming-columns.js';
import { bare, firstText, isBelowHeader, isDirective, Preamble, type SectionKind, sectionKind } from './preamble.js';
import { pointedProfile } from './profile.js';
import { ProfileChoice } from './profile-choice.js';
import type { ChangedHeader } from './recognise.js';
import { apartFrom, namesFromAbove } from './two-rows.js';

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
  /** Of a sheet that was made for something else, with the rows above its header; those below that are no samples, or units right above it. */
  profile?: ChosenProfile;
  above?: readonly (readonly string[])[];
  below?: readonly (readonly string[])[];
  /** Of a header in two rows: the first as it stands. The second is the first of those below. */
  groups?: readonly string[];
  /** The profile that was asked for, by the option or a row above. */
  wanted?: string;
  /** The kept profile whose columns these nearly are. */
  changed?: ChangedHeader;
  /** The column that names the samples, where it was said which. */
  nameColumn?: string;
  /** Columns that number the rows, by names that they were given for want of any. */
  rowNumbers?: readonly number[];
  /** Columns without a header that have values. */
  headless?: readonly Headless[];
  /** Of columns that stand together, where empty ones stand between them. */
  blocks?: readonly ColumnBlock[];
  /** The row above it, remarks apart, begins a section of the file. */
  inSection?: SectionKind;
}

export type HeaderOptions = Pick<SheetOptions, 'nameColumn' | 'profile' | 'profiles'>;

/** Is given the filled rows of a head from its top on. */
export class HeaderSearch {
  /** The header, while the rows below it are still to be seen. */
  found: HeaderRow | undefined;
  readonly #preamble = new Preamble();
  readonly #choice: ProfileChoice;
  /** The rows passed over, and the first text of each. */
  readonly #above: string[][] = [];
  readonly #firsts: string[] = [];
  #nameColumn: string | undefined;
  #marked: HeaderRow | undefined;
  #top: HeaderRow | undefined;
  #plain: HeaderRow | undefined;
  #previous: HeaderRow | undefined;
  /** Of the row before, remarks apart, where it begins a section. */
  #begun: SectionKind | undefined;
  /** The rows are in a section of the file, which may have any number above that of the samples. */
  #inSections = false;
  #titles = 0;
  #names: NamingColumns | undefined;

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
  look(seen: HeaderRow): HeaderRow | undefined {
    const first = firstText(seen.cells);
    const previous = this.#previous;
    const row = this.#begun ? { ...seen, inSection: this.#begun } : seen;
    this.#previous = row;
    if (!first.startsWith('#')) this.#begun = sectionKind(first, filled(seen.cells));
    this.#inSections ||= this.#begun !== undefined;
    if (this.#preamble.takes(row.cells)) {
      this.#top ??= row;
      this.#pass(row.cells);
      return undefined;
    }
    if (this.#points(row.cells)) return undefined;
    if (previous && isDirective(first) && this.#isOfProfile(previous, first)) {
      this.#above.pop();
      this.#firsts.pop();
      return this.lookBelow(row);
    }
    if (this.#isOfProfile(row)) return undefined;
    const changed =
      this.#nameColumn === undefined ? this.#choice.nearly({ cells: row.cells, line: row.headerLine }) : undefined;
    if (this.isNamed(row.cells)) {
      this.found = this.#namedHeader(row, previous, changed);
      return undefined;
    }
    this.#pass(row.cells);
    if (!first.startsWith('#')) return this.#plainRow(row, changed);
    this.#mark(row, first);
    return undefined;
  }

  #namedHeader(row: HeaderRow, previous: HeaderRow | undefined, changed: ChangedHeader | undefined): HeaderRow {
    const nameColumn = this.#nameColumn;
    const found = {
      ...row,
      cells: namesFromAbove(row.cells, this.#above) ?? row.cells,
      named: true,
      ...(nameColumn === undefined ? {} : { nameColumn }),
      ...(changed ? { changed } : {}),
    };
    const isBelowUnits = previous && !row.below && new NamingColumns(found).areUnits(previous.cells);
    return isBelowUnits ? { ...found, below: [previous.cells] } : found;
  }

  /** The header, if it is one of so many titles that none is to come. */
  #plainRow(row: HeaderRow, changed: ChangedHeader | undefined): HeaderRow | undefined {
    this.#plain ??= { ...row, ...(this.#marked ? { marked: this.#marked } : {}) };
    if (changed && !this.#plain.changed) this.#plain = { ...row, changed };
    return this.#inSections || ++this.#titles < TITLE_ROWS ? undefined : this.#plain;
  }

  #mark(row: HeaderRow, first: string): void {
    if (filled(row.cells) < 2) return;
    // A program that marks its header by # marks what it says of itself by two.
    if (first.startsWith('##')) this.#top ??= row;
    else this.#marked ??= row;
  }

  /** Whether a column of the row names the samples by itself, or is the one that was said to. */
  isNamed(cells: readonly string[]): boolean {
    const nameColumn = this.#nameColumn;
    return cells.some((cell, column) =>
      nameColumn === undefined ? namesSamples(cell) : isNamed(columnTitle(cell, column), nameColumn),
    );
  }

  /** Whether a kept profile reads the row as it stands. */
  isKept({ cells, headerLine: line }: HeaderRow): boolean {
    return this.#choice.isKept({ cells, line });
  }

  /** The header with this row of units, types or labels, until one is a sample; remarks among them are passed over. */
  lookBelow(row: HeaderRow): HeaderRow | undefined {
    const first = firstText(row.cells);
    // What stands below it may say of a header of many kinds which kind it is.
    if (isDirective(first) && this.found?.profile?.known.general) this.#isOfProfile(this.found, first);
    const found = this.found as HeaderRow;
    const cells = apartFrom(found.cells, row.cells);
    const names = this.#namesOf(found);
    const units = names.areUnits(cells);
    const isNote = units || isBelowHeader(first) || saysOfColumns(row.cells, names.in(row.cells));
    if (!isNote && !names.areLabels(row.cells) && !names.areAgain(row.cells))
      return first.startsWith('#') && (filled(row.cells) === 1 || names.areNone(row.cells)) ? undefined : found;
    this.found = { ...found, headerEnd: row.headerEnd, below: [...(found.below ?? []), units ? cells : row.cells] };
    return undefined;
  }

  /** The rows below are each held against the same header. */
  #namesOf(found: HeaderRow): NamingColumns {
    if (!this.#names?.isOf(found)) this.#names = new NamingColumns(found);
    return this.#names;
  }

  #pass(cells: string[]): void {
    this.#above.push(cells);
    this.#firsts.push(bare(cells));
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
    const seen = { cells: row.cells, line: row.headerLine, above: this.#firsts };
    const profile = this.#choice.of(below === undefined ? seen : { ...seen, below });
    if (profile) this.found = { ...row, named: true, profile, above: this.#above };
    return profile !== undefined;
  }
}

const filled = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length;
