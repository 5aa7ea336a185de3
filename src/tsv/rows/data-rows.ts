/** The rows of a sheet that are meant as samples: blank rows, `#` rows, receipts and other sections left out, by one rule for every pass. */
import type { Row } from '../bytes/row.js';
import type { RowReader } from '../bytes/row-reader.js';
import { isErrorValue } from '../error-values.js';
import { BlankForms } from '../forms/blank-forms.js';
import type { SheetPlan } from '../header/columns.js';
import { isDirective, sectionKind } from '../header/preamble.js';
import { MarkedCells } from './clear-marker.js';
import { CellReader } from './read-cells.js';
import { RECEIPT_END, RECEIPT_START, receiptUnclosed } from './receipt.js';
import { SameName } from './same-name.js';

type ReadPlan = Pick<SheetPlan, 'header' | 'nameColumn' | 'headerEnd' | 'added' | 'inSection' | 'form'>;

/** Rows, and the lines of the first and the last of them. */
export interface SomeRows {
  count: number;
  first: number;
  last: number;
}

const STAR = 42;
const HASH = 35;
const BRACKET = 91;
/** With which programs of DOS end a file. */
const END_OF_FILE = 26;
/** What a row begins with that may be no sample's. */
const OTHER_THAN_SAMPLES = [STAR, HASH, BRACKET, END_OF_FILE];
/** `|---|:-:|` of Markdown, `-----+-----` and `+----+----+` of a database's prompt: drawn of these signs, three in a row of the one or marked at an end. */
const DRAWN = /^[\s:+-]+$/;
const MARKED = /^\s*(?::-+:?|-+:)\s*$/;
const isDrawn = (cell: string): boolean => DRAWN.test(cell) && (cell.includes('---') || MARKED.test(cell));
/** What a database's prompt says below: `(2 rows)`, `2 rows in set (0.01 sec)`. */
const ROWS_SAID = /^\s*(?:\(\d+ rows?\)\s*$|\d+ rows? in set\b)/;

/** A line between a header and the rows or around them, or the number of rows, drawn by whatever parts cells by vertical bars. */
export const isRule = (cells: readonly string[]): boolean =>
  cells.every((cell) => cell.trim() === '' || isDrawn(cell)) ||
  (cells.length === 1 && ROWS_SAID.test(cells[0] as string));

/**
 * A `#` row is a remark when it has no Sample Name, or when its only cell is the remark: under a Sample Name header in
 * the first column, that is.
 */
export class DataRows {
  readonly row: Row;
  /** Position of the sample's name in the row's text, without blanks around it; equal when the row has no name. */
  nameStart = 0;
  nameEnd = 0;
  /** The file ends within the row, before cells that every row above has. */
  isCutOff = false;
  /** Rows so far; -1 from the first one on that is shorter than the header. */
  #whole = 0;
  /** Line at which the receipt that the rows are in begins; 0 outside of one. */
  #receipt = 0;
  /** Line of the first receipt that has no end before the next one begins. */
  #unclosed = 0;
  readonly #blankForms: BlankForms | undefined;
  #passedOver: SomeRows | undefined;
  #failed: SomeRows | undefined;
  /** The section of the header is over. */
  #isBehind = false;
  /** The sheet may be one that a program draws. */
  readonly #drawn: boolean;
  /** Rows that are no samples may begin as any sample does: those that are drawn, and those that begin sections of GEO. */
  readonly #looksAtAll: boolean;
  #cells: CellReader | undefined;
  #marked: MarkedCells | undefined;
  #sameName: SameName | undefined;
  /** The column that says whether a `#` row is a remark: of a joined name the first that it is made of. */
  readonly #nameColumn: number;

  /** The rows as they are written. */
  constructor(
    readonly reader: RowReader,
    private readonly plan: ReadPlan,
  ) {
    this.row = reader.row;
    this.#drawn = reader.delimiter === '|';
    this.#looksAtAll = this.#drawn || plan.inSection === 'geo';
    const { header, nameColumn, added, form } = plan;
    this.#blankForms = form && new BlankForms(form);
    this.#nameColumn = added?.[nameColumn - header.length]?.join?.columns[0] ?? nameColumn;
  }

  /** One row for each sample, its cells as the sheet's profile reads them. `merges`: of an existing sample what the row does not mention stays. */
  static ofSamples(reader: RowReader, plan: SheetPlan, merges = false): DataRows {
    const rows = new DataRows(reader, plan);
    rows.#cells = CellReader.of(plan, merges);
    if (plan.clearMarker !== undefined) rows.#marked = new MarkedCells(plan.clearMarker, plan);
    if (plan.oneSamplePerName) rows.#sameName = new SameName(plan);
    return rows;
  }

  get isNamed(): boolean {
    return this.nameEnd > this.nameStart;
  }

  /** Columns whose values the row takes away. */
  get clearedColumns(): readonly number[] {
    return this.#marked?.columns ?? [];
  }

  /** Goes to the next data row; false when the loaded text holds no further one. */
  next(): boolean {
    const { reader, row } = this;
    const { headerEnd } = this.plan;
    while (reader.next()) {
      if (row.line <= headerEnd || this.#isBehind) continue;
      this.#findName(this.#nameColumn);
      if (this.#isNoSample()) continue;
      this.#measure();
      if (this.#cells) {
        this.#cells.read(row);
        this.#findName(this.plan.nameColumn);
      }
      if (this.#marked) {
        this.#marked.read(row, reader.text);
        if (this.#marked.columns.length > 0) this.#findName(this.plan.nameColumn);
      }
      if (this.#sameName === undefined || this.#sameName.repeated(row, this.nameStart, this.nameEnd) === 0) return true;
    }
    return false;
  }

  /**
   * When all rows have been read: a receipt that has no end may have hidden some.
   * @throws RegistryError file.receipt-unclosed
   */
  requireClosedReceipts(): void {
    const line = this.#unclosed || this.#receipt;
    if (line > 0) throw receiptUnclosed(line);
  }

  /** Rows of a form that hold nothing but what stood in all of them, since this was last asked. */
  takePassedOver(): SomeRows | undefined {
    const found = this.#passedOver;
    this.#passedOver = undefined;
    return found;
  }

  /** Rows with values that count as remarks because they begin with what is shown of a formula that failed, since this was last asked. */
  takeFailed(): SomeRows | undefined {
    const found = this.#failed;
    this.#failed = undefined;
    return found;
  }

  #isNoSample(): boolean {
    // A marker or a remark stands alone in its row, so the row has no name or is named so.
    const first = this.isNamed ? this.row.text.charCodeAt(this.nameStart) : HASH;
    if ((OTHER_THAN_SAMPLES.includes(first) || this.#receipt > 0 || this.#looksAtAll) && this.#skips()) return true;
    if (this.#blankForms === undefined || this.isNamed || !this.#blankForms.has(this.row)) return false;
    this.#passedOver = this.#with(this.#passedOver);
    return true;
  }

  /** These rows and the present one. */
  #with(rows: SomeRows | undefined): SomeRows {
    const { line } = this.row;
    const { count, first } = rows ?? { count: 0, first: line };
    return { count: count + 1, first, last: line };
  }

  #measure(): void {
    const short = this.row.cells < this.plan.header.length;
    this.isCutOff = short && this.#whole > 0 && this.reader.endsFile;
    this.#whole = short || this.#whole < 0 ? -1 : this.#whole + 1;
  }

  #findName(column: number): void {
    const { row } = this;
    const present = column < row.cells;
    this.nameStart = present ? row.trimmedStart(column) : 0;
    this.nameEnd = present ? row.trimmedEnd(column, this.nameStart) : 0;
  }

  #skips(): boolean {
    const { row } = this;
    const first = row.firstFilled();
    if (first < 0) return true;
    const text = row.cell(first);
    const alone = row.firstFilled(first + 1) < 0;
    if (text === RECEIPT_START && alone) {
      if (this.#receipt > 0) this.#unclosed ||= this.#receipt;
      this.#receipt = row.line;
      return true;
    }
    if (this.#receipt > 0) {
      if (text === RECEIPT_END) this.#receipt = 0;
      return true;
    }
    if (text === RECEIPT_END && alone) return true;
    if (alone && this.plan.inSection && sectionKind(text, 1) === this.plan.inSection) {
      this.#isBehind = true;
      return true;
    }
    if (this.#drawn && isRule(row.toCells())) return true;
    if (alone && text.charCodeAt(0) === END_OF_FILE && text.length === 1) return true;
    return text.startsWith('#') && this.#isRemark(text, alone);
  }

  #isRemark(text: string, alone: boolean): boolean {
    if (!alone && this.isNamed && !isDirective(text)) return false;
    if (!alone && isErrorValue(text)) this.#failed = this.#with(this.#failed);
    return true;
  }
}
