/** Headers among the rows: that of the sheet over again, and those of other tables below it, whose rows are no samples of this one. */
import { rowIssue, shorten } from '../../registry/row-issue.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import type { Row } from '../bytes/row.js';
import { columnLetter, fold } from '../dialect.js';
import { cellPlace } from '../header/cell-place.js';
import type { SheetPlan } from '../header/columns.js';
import { namesSamples } from '../header/header-name.js';

type TablePlan = Pick<
  SheetPlan,
  | 'header'
  | 'headerLine'
  | 'nameColumn'
  | 'groups'
  | 'added'
  | 'identifierColumn'
  | 'releaseColumn'
  | 'errorColumns'
  | 'titles'
>;

/** Letters of a header that says `Sample Name` in one of its spellings. */
const LONGEST = 30;

export class OtherTables {
  /** What the header calls the column of names, in small letters. */
  readonly #own: string;
  /** Columns whose cells say nothing of which table a row is of. */
  readonly #passed: ReadonlySet<number | undefined>;
  /** Line of the header of another table that the rows are below; 0 while they are this one's. */
  #other = 0;
  #seen = 0;
  readonly #titles: ReadonlySet<number>;

  constructor(private readonly plan: TablePlan) {
    const { header, nameColumn, identifierColumn, releaseColumn, errorColumns } = plan;
    this.#titles = new Set(plan.titles);
    this.#own = (header[nameColumn] ?? '').trim().toLowerCase();
    this.#passed = new Set([nameColumn, identifierColumn, releaseColumn, ...errorColumns]);
  }

  /** Looks at the rows in order, each once: what is wrong with one that is a header, or below the header of another table. */
  look(row: Row, nameStart: number, nameEnd: number): Issue | undefined {
    const first = this.#seen++ === 0;
    if (this.#isNameHeader(row.text, nameStart, nameEnd)) {
      const column = this.#firstOther(row);
      if (column < 0) {
        this.#other = 0;
        const message = `The row is the header of line ${this.plan.headerLine} over again, and no sample. Delete it.`;
        return this.#issue(row, this.plan.nameColumn, message);
      }
      // Below a header stand sometimes other words for its columns.
      if (!first) {
        this.#other = row.line;
        return this.#issue(row, column, this.#headerMessage(row, column));
      }
    }
    if (this.#titles.has(row.line)) {
      const message =
        'The row holds nothing but the title of the table whose header stands below it, and is no sample. Delete it.';
      return this.#issue(row, this.plan.nameColumn, message);
    }
    if (this.#other === 0) return undefined;
    const message = `The row stands below the header of another table, in line ${this.#other}, whose columns are not those of line ${this.plan.headerLine}. Upload that table as a file of its own, or put its values below the columns of this one.`;
    return this.#issue(row, this.plan.nameColumn, message);
  }

  /** Names come by the million: most begin otherwise than a header. */
  #isNameHeader(text: string, start: number, end: number): boolean {
    const length = end - start;
    if (length === 0 || length > Math.max(LONGEST, this.#own.length)) return false;
    const initial = text.charCodeAt(start) | 32;
    if (length === this.#own.length && initial === (this.#own.charCodeAt(0) | 32)) {
      if (text.substring(start, end).toLowerCase() === this.#own) return true;
    }
    const last = text.charCodeAt(end - 1) | 32;
    return initial === SMALL_S && last === SMALL_E && length <= LONGEST && namesSamples(text.substring(start, end));
  }

  /**
   * The first filled cell that is not what the header has there, or -1. In a result and in a file of errors every row has cells that
   * we wrote; what stands there of another table is a row error by itself.
   */
  #firstOther(row: Row): number {
    const { header, groups = [], added = [] } = this.plan;
    for (let column = row.firstFilled(); column >= 0; column = row.firstFilled(column + 1)) {
      if (this.#passed.has(column) || (column >= header.length && column < header.length + added.length)) continue;
      const text = fold(row.cell(column));
      if (text !== fold(header[column] ?? '') && text !== fold(groups[column] ?? '')) return column;
    }
    return -1;
  }

  #headerMessage(row: Row, column: number): string {
    const { header, headerLine } = this.plan;
    const other = header[column]?.trim();
    const place = other ? `in place of "${shorten(other)}"` : 'where that has none';
    return `The row is a header with other columns than that of line ${headerLine}: in ${columnLetter(column)} "${shorten(row.cell(column))}" ${place}. It and the rows below it are another table: upload that as a file of its own, or put its values below the columns of this one.`;
  }

  #issue(row: Row, column: number, message: string): Issue {
    return rowIssue('row.other-table', cellPlace(this.plan, row.line, column), { value: row.cell(column), message });
  }
}

const SMALL_S = 115;
const SMALL_E = 101;
