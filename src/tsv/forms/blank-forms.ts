/**
 * Forms whose rows are numbered, have boxes to tick, and are partly filled in, before anybody has written into them: which rows are blank
 * all the same, by one rule for whoever reads the rows or counts them.
 */
import type { Row } from '../bytes/row.js';

/** Rows that hold nothing but this and have no name are blank. Columns are counted from 0. */
export interface FormRows {
  /** Their numbers say which row of the sheet it is. */
  numbers: number[];
  /** They hold a box to tick in each row, and a box that nobody has ticked says nothing. */
  boxes: number[];
  /** What they hold is ours and says nothing of a sample. */
  aside: number[];
  /** What every row of the sheet holds; with it and their number alone those below the last that has something of its own are blank. */
  alike?: { cells: { column: number; text: string }[]; below: number };
}

/** `12`, and `12.` or `12)` of lists. */
export const NUMBER = /^\d{1,9}[.)]?$/;

/** As spreadsheets in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Danish, Polish and Finnish write it. */
export const UNTICKED = /^(?:false|falsch|faux|falso|onwaar|falskt?|fałsz|epätosi)$/i;

/** Which rows without a name hold their number, boxes that are not ticked, and nothing that is of a sample. Columns are looked up: a row may have thousands of cells. */
export class BlankForms {
  readonly #numbers: ReadonlySet<number>;
  readonly #boxes: ReadonlySet<number>;
  readonly #aside: ReadonlySet<number>;
  /** Text that all rows have, by column. */
  readonly #alike: ReadonlyMap<number, string>;

  constructor(private readonly form: FormRows) {
    this.#numbers = new Set(form.numbers);
    this.#boxes = new Set(form.boxes);
    this.#aside = new Set(form.aside);
    this.#alike = new Map(form.alike?.cells.map(({ column, text }) => [column, text]));
  }

  /** Of a row that has no name. */
  has(row: Row): boolean {
    const { alike } = this.form;
    let isNumbered = false;
    let hasBox = false;
    let isAlike = false;
    for (let column = row.firstFilled(); column >= 0; column = row.firstFilled(column + 1)) {
      if (this.#numbers.has(column)) {
        if (!NUMBER.test(row.cell(column))) return false;
        isNumbered = true;
      } else if (this.#boxes.has(column) && UNTICKED.test(row.cell(column))) hasBox = true;
      else if (!this.#aside.has(column)) {
        if (alike === undefined || row.line <= alike.below) return false;
        if (this.#alike.get(column) !== row.cell(column)) return false;
        isAlike = true;
      }
    }
    return isNumbered || (hasBox && !isAlike);
  }
}
