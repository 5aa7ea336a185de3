/** The cells of one sheet, row by row, as they stream by. */

import type { BesideCells } from '../tsv/beside-cells.js';
import { columnNumber } from '../tsv/dialect.js';
import { linkInFormula, shownByLink } from './cell-notes.js';
import { LIMITS } from './limits.js';
import { type NumberMeaning, numberText } from './number-format.js';
import { RaisedRuns } from './raised.js';
import { broken, tooLarge, uncalculated } from './refusal.js';
import { ofNumber } from './shown-number.js';
import { type Texts, unescapeXstring } from './texts.js';
import type { XmlHandler } from './xml.js';

/** A cell that holds something: a shared text by number, or its own text. `measured`: of a number that is shown with something behind its digits. */
export type CellContent = { shared: number } | { text: string; measured?: boolean };

/** The first cell, and the last row that is merged with it; from 1. */
export interface MergedRows {
  row: number;
  column: number;
  lastRow: number;
}

export interface SheetSink {
  /** Rows come in order; those in between are blank. Rows and columns count from 1. */
  row(row: number): void;
  cell(row: number, column: number, content: CellContent): void;
  /** Of a form of workbook that says so with the cell: before its row. */
  merged?(range: MergedRows): void;
  /** Of what stands beside the cells, where a form says so with them: before the cell. */
  hidden?(row: number): void;
  struck?(row: number, column: number): void;
  linked?(row: number, column: number, address: string): void;
  commented?(row: number, column: number, text: string): void;
}

export interface SheetContext {
  texts: Texts;
  formats: readonly NumberMeaning[];
  /** Formats of cells that are struck through. */
  struck?: ReadonlySet<number>;
  date1904: boolean;
  /** The program that wrote the workbook may not calculate: it leaves a zero, or nothing, for the result of each formula. */
  uncalculated?: boolean;
  /** Name of the sheet, for messages. */
  sheet: string;
}

export interface SheetNotes {
  merged: number;
  formulas: number;
  hiddenRows: number;
  /** Once the whole sheet has been read. */
  beside?: BesideCells;
}

const NUMBER: NumberMeaning = { kind: 'number' };
const TEXTS: ReadonlySet<string> = new Set(['str', 'inlineStr']);
/** Of a formula, as far as it is looked at for an address. */
const FORMULA_LETTERS = 4096;
const LETTERS = /^([A-Z]{1,3})(\d{1,7})$/;

/** Everything in a sheet that is no cell (validations, links, drawings, declared sizes) passes by unread. */
export class SheetReader implements XmlHandler {
  readonly notes: SheetNotes = { merged: 0, formulas: 0, hiddenRows: 0 };
  #row = 0;
  #column = 0;
  #cells = 0;
  #type = '';
  #style = 0;
  #value = '';
  readonly #runs = new RaisedRuns();
  #hasValue = false;
  #hasFormula = false;
  #inFormula = false;
  #formula = '';
  #inText = false;
  #aside = 0;
  #inRows = false;

  constructor(
    private readonly context: SheetContext,
    private readonly sink: SheetSink,
  ) {}

  open(name: string, attributes: Record<string, string>): void {
    switch (name) {
      case 'sheetData':
        this.#inRows = true;
        break;
      case 'row':
        if (this.#inRows) this.#openRow(attributes);
        break;
      case 'c':
        if (this.#inRows) this.#openCell(attributes);
        break;
      case 'v':
      case 't':
        this.#inText = this.#aside === 0;
        if (this.#inText) this.#hasValue = true;
        if (name === 't') this.#runs.begin(this.#value.length);
        break;
      case 'f':
        this.#hasFormula = true;
        this.#inFormula = true;
        break;
      case 'rPh':
        this.#aside++;
        break;
      case 'mergeCell':
        this.notes.merged++;
        break;
      case 'is':
      case 'r':
        this.#runs.beginRun();
        break;
      case 'vertAlign':
        this.#runs.align(attributes.val);
        break;
    }
  }

  close(name: string): void {
    if (name === 'v') this.#inText = false;
    else if (name === 't') {
      this.#inText = false;
      this.#value = this.#runs.end(this.#value);
    } else if (name === 'f') this.#inFormula = false;
    else if (name === 'c' && this.#inRows) this.#closeCell();
    else if (name === 'rPh') this.#aside--;
    else if (name === 'sheetData') this.#inRows = false;
  }

  text(text: string): void {
    if (this.#inFormula && this.#formula.length < FORMULA_LETTERS) this.#formula += text;
    if (!this.#inText || !this.#inRows) return;
    this.#value += text;
    if (this.#value.length > LIMITS.cellText)
      throw tooLarge(`A cell in row ${this.#row} of the sheet ${this.context.sheet} holds more text than is read.`);
  }

  #openRow({ r, hidden }: Record<string, string>): void {
    const row = r === undefined ? this.#row + 1 : Number(r);
    if (!Number.isInteger(row) || row <= this.#row)
      throw broken(`The rows of the sheet ${this.context.sheet} are out of order near row ${this.#row}.`);
    if (row > LIMITS.rows) throw tooLarge(`The sheet ${this.context.sheet} has more than ${LIMITS.rows} rows.`);
    this.#row = row;
    this.#column = 0;
    if (hidden === '1' || hidden === 'true') {
      this.notes.hiddenRows++;
      this.sink.hidden?.(row);
    }
    this.sink.row(row);
  }

  #openCell({ r, t, s }: Record<string, string>): void {
    const column = r === undefined ? this.#column + 1 : this.#columnOf(r);
    if (column <= this.#column)
      throw broken(`The cells of row ${this.#row} of the sheet ${this.context.sheet} are out of order.`);
    this.#cells += column - this.#column;
    if (column > LIMITS.columns || this.#cells > LIMITS.cells) {
      throw tooLarge(
        `The sheet ${this.context.sheet} has more cells than are read (${LIMITS.columns} columns, ${LIMITS.cells} cells).`,
      );
    }
    this.#column = column;
    this.#type = t ?? 'n';
    this.#style = s === undefined ? 0 : Number(s);
    this.#value = '';
    this.#hasValue = false;
    this.#hasFormula = false;
    this.#formula = '';
  }

  #columnOf(reference: string): number {
    const parts = LETTERS.exec(reference);
    if (!parts || Number(parts[2]) !== this.#row)
      throw broken(`The sheet ${this.context.sheet} has a cell ${reference.slice(0, 20)} in row ${this.#row}.`);
    return columnNumber(parts[1] as string) + 1;
  }

  #closeCell(): void {
    if (this.#hasFormula) this.#closeFormula();
    if (!this.#hasValue) return;
    const content = this.#content();
    const link = this.#hasFormula ? linkInFormula(this.#formula) : undefined;
    if (link !== undefined) this.sink.linked?.(this.#row, this.#column, link);
    if (content === undefined) return;
    if (this.context.struck?.has(this.#style)) this.sink.struck?.(this.#row, this.#column);
    this.sink.cell(this.#row, this.#column, content);
  }

  #closeFormula(): void {
    this.notes.formulas++;
    if (this.#hasResult()) return;
    const shown = shownByLink(this.#formula);
    if (shown === undefined) throw uncalculated(this.context.sheet, this.#row, this.#column);
    this.#type = 'str';
    this.#value = shown;
    this.#hasValue = true;
  }

  /** Programs that never calculate leave `<v/>`, or a zero that is to be calculated on loading; a result that is an empty text says so by its type. */
  #hasResult(): boolean {
    if (!this.#hasValue || (this.#value.trim() === '' && !TEXTS.has(this.#type))) return false;
    return !(this.context.uncalculated && this.#type === 'n' && this.#value.trim() === '0');
  }

  #content(): CellContent | undefined {
    const value = this.#value;
    switch (this.#type) {
      case 's': {
        const shared = Number(value);
        if (value === '' || !(shared < this.context.texts.count)) {
          throw broken(
            `The sheet ${this.context.sheet} points at a text that the workbook does not have, in row ${this.#row}.`,
          );
        }
        return this.context.texts.isFilled(shared) ? { shared } : undefined;
      }
      case 'b':
        return { text: value.trim() === '1' ? 'TRUE' : 'FALSE' };
      case 'n': {
        if (value.trim() === '') return undefined;
        const meaning = this.context.formats[this.#style] ?? NUMBER;
        return ofNumber(numberText(value.trim(), meaning, this.context.date1904));
      }
      case 'd':
        return { text: value.replace(/T00:00:00(\.0+)?Z?$/, '') };
      default: {
        const text = unescapeXstring(value);
        return text === '' ? undefined : { text };
      }
    }
  }
}
