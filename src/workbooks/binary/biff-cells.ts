/** The cells of a sheet of a binary workbook, row by row ([MS-XLS] 2.4). */

import { LIMITS } from '../limits.js';
import { type NumberMeaning, numberText } from '../number-format.js';
import { broken, tooLarge, uncalculated } from '../refusal.js';
import type { CellContent, SheetContext, SheetNotes, SheetSink } from '../sheet.js';
import { ofNumber } from '../shown-number.js';
import { type BiffRecord, RECORD } from './biff-records.js';
import { BiffStrings, textAt } from './biff-strings.js';

const NUMBER: NumberMeaning = { kind: 'number' };

const ERRORS: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};

const HIDDEN_ROW = 0x20;
/** Of a formula's result: an empty text. */
const EMPTY = 3;

export class BiffSheetReader {
  readonly notes: SheetNotes = { merged: 0, formulas: 0, hiddenRows: 0 };
  #row = 0;
  #column = 0;
  #positions = 0;
  /** The text that a formula gives follows it, perhaps in several records. */
  #following: BiffStrings | undefined;
  #followed = false;
  #firstFormula: { row: number; column: number } | undefined;
  /** A formula has given more than a zero or nothing. */
  #isCalculated = false;

  constructor(
    private readonly context: SheetContext,
    private readonly sink: SheetSink,
  ) {}

  /** @throws RegistryError file.not-understood, file.too-large */
  read({ type, data }: BiffRecord): void {
    switch (type) {
      case RECORD.number:
        this.#cell(data, this.#numberOf(data.readUInt16LE(4), data.readDoubleLE(6)));
        break;
      case RECORD.shortNumber:
        this.#cell(data, this.#numberOf(data.readUInt16LE(4), shortNumber(data.readInt32LE(6))));
        break;
      case RECORD.numbers:
        this.#numbers(data);
        break;
      case RECORD.sharedText:
        this.#cell(data, this.#shared(data.readUInt32LE(6)));
        break;
      case RECORD.text:
      case RECORD.richText:
        this.#cell(data, textOf(textAt(data, 6, 2)));
        break;
      case RECORD.booleanOrError:
        this.#cell(data, booleanOrError(data.readUInt8(6), data.readUInt8(7) === 1));
        break;
      case RECORD.formula:
        this.#formula(data);
        break;
      case RECORD.formulaText:
        this.#followed = true;
        this.#following?.feed(data, false);
        break;
      case RECORD.continued:
        if (this.#followed) this.#following?.feed(data, true);
        break;
      case RECORD.row:
        if (data.readUInt16LE(4) > 0 && (data.readUInt8(12) & HIDDEN_ROW) !== 0) {
          this.notes.hiddenRows++;
          this.sink.hidden?.(data.readUInt16LE(0) + 1);
        }
        break;
      case RECORD.merged:
        this.notes.merged += data.readUInt16LE(0);
    }
  }

  /** Where all has been read. @throws RegistryError file.not-understood where formulas are there and no result of one */
  end(): void {
    const first = this.#firstFormula;
    if (this.context.uncalculated && first && !this.#isCalculated)
      throw uncalculated(this.context.sheet, first.row, first.column);
  }

  /** Of several cells side by side: a format and a number of each. */
  #numbers(data: Buffer): void {
    const first = data.readUInt16LE(2);
    for (let at = 4; at + 6 < data.length; at += 6) {
      const content = this.#numberOf(data.readUInt16LE(at), shortNumber(data.readInt32LE(at + 2)));
      this.#cell(data, content, first + (at - 4) / 6, data.readUInt16LE(at));
    }
  }

  #numberOf(format: number, value: number): CellContent {
    const { formats, date1904 } = this.context;
    return ofNumber(numberText(String(value), formats[format] ?? NUMBER, date1904));
  }

  #shared(number: number): CellContent | undefined {
    const { texts, sheet } = this.context;
    if (number >= texts.count)
      throw broken(`The sheet ${sheet} points at a text that the workbook does not have, behind row ${this.#row}.`);
    return texts.isFilled(number) ? { shared: number } : undefined;
  }

  /** Its result: a number, or by two bytes that no number ends with, of another kind. */
  #formula(data: Buffer): void {
    this.notes.formulas++;
    const isNumber = data.readUInt16LE(12) !== 0xffff;
    const kind = data.readUInt8(6);
    if (!(isNumber ? data.readDoubleLE(6) === 0 : kind === EMPTY)) this.#isCalculated = true;
    this.#firstFormula ??= { row: data.readUInt16LE(0) + 1, column: data.readUInt16LE(2) + 1 };
    if (isNumber) this.#cell(data, this.#numberOf(data.readUInt16LE(4), data.readDoubleLE(6)));
    else if (kind === 1 || kind === 2) this.#cell(data, booleanOrError(data.readUInt8(8), kind === 2));
    else this.#cell(data, undefined);
    if (isNumber || kind !== 0) return;
    const [row, column] = [this.#row, this.#column];
    this.#following = new BiffStrings(1, (text) => {
      if (text === '') return;
      this.sink.row(row);
      this.sink.cell(row, column, { text });
    });
  }

  /** The next cell, of the row that the record begins with; `from0`: its column, where the record does not say that next. */
  #cell(
    data: Buffer,
    content: CellContent | undefined,
    from0 = data.readUInt16LE(2),
    format = data.readUInt16LE(4),
  ): void {
    this.#following = undefined;
    this.#followed = false;
    const { sheet } = this.context;
    const row = data.readUInt16LE(0) + 1;
    const column = from0 + 1;
    if (row < this.#row || (row === this.#row && column <= this.#column))
      throw broken(`The cells of the sheet ${sheet} are out of order near row ${row}.`);
    if (row > this.#row) this.#column = 0;
    this.#positions += column - this.#column;
    if (column > LIMITS.columns || this.#positions > LIMITS.cells) {
      throw tooLarge(
        `The sheet ${sheet} has more cells than are read (${LIMITS.columns} columns, ${LIMITS.cells} cells).`,
      );
    }
    this.#row = row;
    this.#column = column;
    if (content === undefined) return;
    this.sink.row(row);
    if (this.context.struck?.has(format)) this.sink.struck?.(row, column);
    this.sink.cell(row, column, content);
  }
}

const textOf = (text: string): CellContent | undefined => (text === '' ? undefined : { text });

const booleanOrError = (value: number, isError: boolean): CellContent => ({
  text: isError ? (ERRORS[value] ?? '#N/A') : value === 0 ? 'FALSE' : 'TRUE',
});

/** Thirty bits of a whole number, or the first thirty of a double; perhaps in hundredths ([MS-XLS] 2.5.217). */
function shortNumber(bits: number): number {
  let value: number;
  if ((bits & 2) !== 0) value = bits >> 2;
  else {
    const double = Buffer.alloc(8);
    double.writeInt32LE(bits & ~3, 4);
    value = double.readDoubleLE(0);
  }
  return (bits & 1) !== 0 ? value / 100 : value;
}
