/** Everything that can be found wrong with a row by looking at it and at the rows before: all issues at once. */
import { nearAccession, parseAccession } from '../../registry/accession.js';
import { WANTED_DATE } from '../../registry/date-time.js';
import type { RowIssueCode } from '../../registry/issue-codes.js';
import {
  foreignIdentifier,
  missingRelease,
  noIdentifier,
  repeatedIdentifier,
  repeatedName,
  rowIssue,
  shorten,
  unknownIdentifier,
} from '../../registry/row-issue.js';
import { KEY_LIMIT } from '../../registry/samples/row-key.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import type { Row } from '../bytes/row.js';
import { CELL_LIMIT, EXAMPLE_NAME } from '../dialect.js';
import { cellPlace, columnTitle } from '../header/cell-place.js';
import type { SheetPlan } from '../header/columns.js';
import { extraCells } from './cells-astray.js';
import { NameTable } from './name-table.js';
import { noKey, noValueIn, repeatedNoName } from './no-value.js';
import { OtherTables } from './other-tables.js';
import { quotesAstray } from './quotes-astray.js';
import type { IdentifierFault } from './reading.js';
import { receiptRow } from './receipt.js';
import { ReleaseCells } from './release-cell.js';

export interface ExamineOptions {
  /** Of this registry's accessions. */
  prefix: string;
  /** Release of rows without one, milliseconds since 1970; samples that exist keep theirs unless `releaseExisting`. */
  releaseDate?: number;
  releaseExisting?: boolean;
}

export class RowExaminer {
  /** Of the row examined last: the accession number it updates or 0, its release (NaN: none of its own), its issues if it has any. */
  id = 0;
  release = 0;
  issues: Issue[] | undefined;
  /** It is a row of another table, a header or one of a receipt: no sample, whatever its cells say. */
  isOfOther = false;
  /** Names so far; those of bad rows too. */
  readonly names = new NameTable();
  readonly #identifiers: NameTable | undefined;
  /** Of an upload with keys: where the key of the row examined last stands in its text. */
  keyStart = 0;
  keyEnd = 0;
  /** Absent where the name is the key. */
  readonly #keys: NameTable | undefined;
  readonly #releases = new ReleaseCells();
  readonly #tables: OtherTables;
  readonly #columns: number;

  constructor(
    private readonly plan: SheetPlan,
    private readonly options: ExamineOptions,
  ) {
    this.#tables = new OtherTables(plan);
    this.#columns = plan.header.length + (plan.added?.length ?? 0);
    if (plan.identifierColumn !== undefined) this.#identifiers = new NameTable();
    if (plan.keyColumn !== undefined && plan.keyColumn !== plan.nameColumn) this.#keys = new NameTable();
  }

  /** Examines the rows of a file, each once and in order. `hasNul`: a cell of the row holds a NUL character. */
  examine(row: Row, nameStart: number, nameEnd: number, hasNul: boolean): void {
    this.issues = undefined;
    const other = this.#tables.look(row, nameStart, nameEnd) ?? receiptRow(row, this.plan);
    this.isOfOther = other !== undefined;
    if (other) {
      this.id = this.keyStart = this.keyEnd = 0;
      this.release = Number.NaN;
      this.add(other);
      return;
    }
    this.#checkCells(row, hasNul);
    const identified = this.#identifiers !== undefined && this.#readIdentifier(row, this.#identifiers);
    this.#checkName(row, nameStart, nameEnd, identified);
    const { keyColumn } = this.plan;
    if (keyColumn !== undefined) this.#readKey(row, keyColumn);
    // That of a row with a key whose sample is not known here is asked for when it is.
    this.#readRelease(row, identified || keyColumn !== undefined);
  }

  /** The row's release for checklists, which may ask for its form; that of a sample which keeps its own is not known here: 0. */
  get checkedRelease(): number {
    if (!Number.isNaN(this.release)) return this.release;
    return (this.id === 0 ? this.options.releaseDate : undefined) ?? 0;
  }

  /** How many rows there will be, as far as can be known by now. */
  expect(rows: number): void {
    this.names.expect(rows);
    this.#identifiers?.expect(rows);
    this.#keys?.expect(rows);
  }

  /** Adds what a later look at the row found. */
  add(issue: Issue): void {
    if (this.issues === undefined) this.issues = [issue];
    else this.issues.push(issue);
  }

  #addAll(issues: readonly Issue[]): void {
    for (const issue of issues) this.add(issue);
  }

  #issue(row: Row, column: number, code: RowIssueCode, value: string, message: string, suggestion?: string): void {
    this.add(rowIssue(code, cellPlace(this.plan, row.line, column), { value, message, suggestion }));
  }

  #checkCells(row: Row, hasNul: boolean): void {
    if (row.cells > this.#columns) this.#addAll(extraCells(row, this.plan));
    const length = (row.ends[row.cells - 1] as number) - (row.starts[0] as number);
    if (length > CELL_LIMIT) this.#checkLengths(row);
    if (hasNul) this.#checkControls(row);
    this.#addAll(quotesAstray(row, this.plan));
  }

  #checkLengths(row: Row): void {
    for (let cell = 0; cell < row.cells; cell++) {
      const length = (row.ends[cell] as number) - (row.starts[cell] as number);
      if (length <= CELL_LIMIT) continue;
      const message = `The cell has ${length} characters; at most ${CELL_LIMIT} are taken. Shorten it, or link to the text instead.`;
      this.#issue(row, cell, 'cell.too-long', row.cell(cell), message);
    }
  }

  #checkControls(row: Row): void {
    for (let cell = 0; cell < row.cells; cell++) {
      const text = row.cell(cell);
      if (!text.includes('\0')) continue;
      const message = 'The cell holds a NUL character, which no text has. Type the cell anew.';
      this.#issue(row, cell, 'cell.control-character', text.replaceAll('\0', '␀'), message);
    }
  }

  /** True when the row carries an identifier, good or bad. */
  #readIdentifier(row: Row, identifiers: NameTable): boolean {
    this.id = 0;
    const column = this.plan.identifierColumn as number;
    if (column >= row.cells) return false;
    const start = row.trimmedStart(column);
    const end = row.trimmedEnd(column, start);
    if (start === end) return false;
    const text = row.text.substring(start, end);
    const id = parseAccession(this.options.prefix, text);
    if (id === undefined) {
      const meant = nearAccession(this.options.prefix, text);
      const place = cellPlace(this.plan, row.line, column);
      this.add(
        meant === undefined
          ? noIdentifier(place, text, columnTitle(this.plan, column))
          : unknownIdentifier(place, 'sheet', text, meant),
      );
      return true;
    }
    this.id = id;
    const first = identifiers.add(text, 0, text.length, row.line, true);
    if (first !== 0) this.add(repeatedIdentifier(cellPlace(this.plan, row.line, column), 'sheet', text, first));
    return true;
  }

  #checkName(row: Row, start: number, end: number, identified: boolean): void {
    const column = this.plan.nameColumn;
    if (start === end) {
      this.#issue(row, column, 'name.missing', '', 'The row has no Sample Name. Give it one, or empty the whole row.');
      return;
    }
    if (end - start === EXAMPLE_NAME.length && row.text.startsWith(EXAMPLE_NAME, start)) {
      const message =
        'This is the example row of the template, not a sample. Replace it by a sample of your own, or delete the row.';
      this.#issue(row, column, 'name.example', EXAMPLE_NAME, message);
      return;
    }
    const first = this.names.add(row.text, start, end, row.line, identified);
    if (first === 0) return;
    if (identified && this.names.firstIdentified && this.plan.keyColumn !== column) {
      this.names.markSeveral();
      return;
    }
    const name = row.text.substring(start, end);
    if (!this.plan.oneSamplePerName) {
      const place = cellPlace(this.plan, row.line, column);
      const noName = noValueIn(row.text, start, end);
      this.add(noName ? repeatedNoName(place, name, first) : repeatedName(place, 'sheet', name, first));
      return;
    }
    const message = `This row and the one on line ${first} have this name, but they differ in what is stored of the sample. Make them agree, or give each sample a name of its own.`;
    this.#issue(row, column, 'name.repeated', name, message);
  }

  #readKey(row: Row, column: number): void {
    const present = column < row.cells;
    this.keyStart = present ? row.trimmedStart(column) : 0;
    this.keyEnd = present ? row.trimmedEnd(column, this.keyStart) : 0;
    const { keyStart: start, keyEnd: end } = this;
    const named = column === this.plan.nameColumn;
    if ((start === end && !named) || (start < end && noValueIn(row.text, start, end))) {
      const place = cellPlace(this.plan, row.line, column);
      this.add(noKey(place, row.text.substring(start, end), columnTitle(this.plan, column)));
    } else if (end - start > KEY_LIMIT) {
      const message = `The key has ${end - start} characters; at most ${KEY_LIMIT} are taken. Choose another column.`;
      this.#issue(row, column, 'key.too-long', row.text.substring(start, end), message);
    } else if (this.#keys) {
      const first = this.#keys.add(row.text, start, end, row.line, true);
      if (first === 0) return;
      const key = row.text.substring(start, end);
      const message = `The row on line ${first} has the key "${shorten(key)}" already. Keep one of the two rows, or correct the key of one.`;
      this.#issue(row, column, 'key.repeated', key, message);
    }
  }

  #invalidRelease(row: Row, column: number, text: string, suggestion: string | undefined): void {
    const wanted = suggestion === undefined ? WANTED_DATE : suggestion;
    const message = `"${shorten(text)}" is not an ISO 8601 date that the calendar has; write ${wanted}.`;
    this.#issue(row, column, 'release.invalid', text, message, suggestion);
  }

  #readRelease(row: Row, identified: boolean): void {
    const column = this.plan.releaseColumn;
    const { releaseDate: fallback, releaseExisting } = this.options;
    if (column !== undefined && column < row.cells) {
      const start = row.trimmedStart(column);
      const end = row.trimmedEnd(column, start);
      if (start !== end) {
        const read = this.#releases.read(row.text, start, end);
        if (typeof read === 'number') this.release = read;
        else this.#invalidRelease(row, column, row.text.substring(start, end), read.suggestion);
        return;
      }
    }
    if (fallback !== undefined || identified) {
      this.release = releaseExisting === true && fallback !== undefined ? fallback : Number.NaN;
      return;
    }
    const at = column ?? this.plan.nameColumn;
    const title = column === undefined ? 'Release Date' : columnTitle(this.plan, column);
    this.add(missingRelease(cellPlace(this.plan, row.line, at), 'sheet', title));
  }
}

export function identifierIssue(plan: SheetPlan, row: Row, fault: IdentifierFault): Issue {
  const column = plan.identifierColumn as number;
  const say = fault === 'unknown' ? unknownIdentifier : foreignIdentifier;
  return say(cellPlace(plan, row.line, column), 'sheet', row.cell(column));
}
