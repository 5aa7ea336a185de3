/** Rows of one sheet whose names people take for the same and that become a sample each: a hint, so for the first rows. Keeps 11 bytes for each of these. */
import { rowIssue } from '../../registry/row-issue.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import type { Row } from '../bytes/row.js';
import { cellPlace } from '../header/cell-place.js';
import type { SheetPlan } from '../header/columns.js';
import { alike } from '../like-texts.js';
import { NameTable } from './name-table.js';

/** Rows that are compared, and of which it is said. */
const MOST_ROWS = 200_000;
const MOST_SAID = 20_000;

export class LikeRows {
  readonly #names = new NameTable();
  /** Where rows are known again by a key of their own, their names say nothing. */
  readonly #isByName: boolean;
  #rows = 0;
  #said = 0;

  constructor(private readonly plan: SheetPlan) {
    const { nameColumn, keyColumn = nameColumn } = plan;
    this.#isByName = keyColumn === nameColumn;
  }

  /** How many rows there will be, as far as can be known by now. */
  expect(rows: number): void {
    this.#names.expect(Math.min(rows, MOST_ROWS));
  }

  /** Takes up the name of a row; a warning where that of a row above is like it. `identified`: the row says which sample it means. */
  look(row: Row, nameStart: number, nameEnd: number, identified: boolean): Issue | undefined {
    if (!this.#isByName || nameStart === nameEnd || ++this.#rows > MOST_ROWS) return undefined;
    const name = row.text.substring(nameStart, nameEnd);
    const like = alike(name);
    const first = this.#names.add(like, 0, like.length, row.line, identified);
    if (first === 0 || (identified && this.#names.firstIdentified) || ++this.#said > MOST_SAID) return undefined;
    const message =
      `The row on line ${first} has this name but for capitals, blanks, the form of accented letters or marks that nobody sees; ` +
      'each is a sample of its own. If both rows mean one sample, keep one of them; otherwise leave them as they are.';
    return rowIssue('name.like-another', cellPlace(this.plan, row.line, this.plan.nameColumn), {
      value: name,
      message,
    });
  }
}
