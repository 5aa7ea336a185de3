/** What is read otherwise out of a row before it is stored, as its profile says. A row in which nothing is changed keeps its place in the block. */
import type { Row } from '../bytes/row.js';
import { isClearMarker } from '../dialect.js';
import type { SheetPlan } from '../header/columns.js';
import type { CellReading } from '../header/profile.js';
import { dateReader } from './date-form.js';

type Read = (text: string) => string | undefined;
type Profiled = Pick<
  SheetPlan,
  'header' | 'added' | 'readings' | 'standIns' | 'clearMarker' | 'identifierColumn' | 'keyColumn'
>;

export class CellReader {
  readonly #readings: { column: number; read: Read }[];
  readonly #added: NonNullable<SheetPlan['added']>;
  readonly #standIns: NonNullable<SheetPlan['standIns']>;
  readonly #columns: number;

  constructor(
    private readonly plan: Profiled,
    private readonly merges: boolean,
  ) {
    const { header, added = [], readings = [], standIns = [] } = plan;
    this.#columns = header.length;
    this.#added = added;
    this.#standIns = standIns;
    this.#readings = readings.map(({ column, ...reading }) => ({ column, read: readerOf(reading) }));
  }

  /** Undefined when every cell is read as it is written. */
  static of(plan: Profiled, merges: boolean): CellReader | undefined {
    return plan.added || plan.readings || plan.standIns ? new CellReader(plan, merges) : undefined;
  }

  /** Changes the row that the reader stands on. */
  read(row: Row): void {
    let cells: string[] | undefined;
    for (const { column, read } of this.#readings) {
      if (column >= row.cells) continue;
      const instead = read(row.cell(column));
      if (instead === undefined) continue;
      cells ??= row.toCells();
      cells[column] = instead;
    }
    if (this.#standIns.length > 0) cells = this.#withStandIns(row, cells);
    if (this.#added.length > 0) cells = this.#withAdded(row, cells ?? row.toCells());
    if (cells) spell(row, cells);
  }

  /** Of several terms the first that is there. One that takes a value away is none, nor is one beside a value that stays. */
  #withStandIns(row: Row, read: string[] | undefined): string[] | undefined {
    const { clearMarker } = this.plan;
    let cells = read;
    if (this.#keepsOthers(row)) return cells;
    for (const { column, by } of this.#standIns) {
      if (row.isFilled(column) || cells?.[column]?.trim()) continue;
      const term = (cells?.[by] ?? row.cell(by)).trim();
      if (term === '' || (clearMarker !== undefined && isClearMarker(term, clearMarker))) continue;
      cells ??= row.toCells();
      while (cells.length < column) cells.push('');
      cells[column] = term;
    }
    return cells;
  }

  /** The row may be merged into a sample that has a value where the row's cell is empty. */
  #keepsOthers(row: Row): boolean {
    const { identifierColumn, keyColumn } = this.plan;
    if (!this.merges) return false;
    return keyColumn !== undefined || (identifierColumn !== undefined && row.isFilled(identifierColumn));
  }

  /** What is beyond the header stays the last: it is an issue of the row. */
  #withAdded(row: Row, cells: string[]): string[] {
    const own = cells.slice(0, this.#columns);
    while (own.length < this.#columns) own.push('');
    const blank = row.firstFilled() < 0;
    const added = this.#added.map(({ text, join }) => (join ? joined(cells, join) : blank ? '' : (text as string)));
    return [...own, ...added, ...cells.slice(this.#columns)];
  }
}

/** The cells of some columns as one text; empty when one of them is. */
export function joined(cells: readonly string[], { columns, by }: { columns: readonly number[]; by: string }): string {
  const texts = columns.map((column) => (cells[column] ?? '').trim());
  return texts.includes('') ? '' : texts.join(by);
}

/** The Sample Name of a row as it was written. */
export function nameOf(
  { header, nameColumn, added }: Pick<SheetPlan, 'header' | 'nameColumn' | 'added'>,
  cells: readonly string[],
): string {
  const join = added?.[nameColumn - header.length]?.join;
  return join ? joined(cells, join) : (cells[nameColumn] ?? '').trim();
}

/** The row's text is its own from here on. */
export function spell(row: Row, cells: readonly string[]): void {
  row.grow(cells.length);
  row.text = cells.join('\t');
  row.cells = cells.length;
  row.plain = false;
  let at = 0;
  cells.forEach((cell, column) => {
    row.starts[column] = at;
    at += cell.length;
    row.ends[column] = at++;
  });
}

/** No thousands follow on a nought: in `0.125` the point is the decimal sign. */
const NUMBER = /^[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,\d+)?$/;

const pointed = (text: string): string | undefined =>
  NUMBER.test(text) && /[.,]/.test(text) ? text.replaceAll('.', '').replace(',', '.') : undefined;

function readerOf({ values, date, decimal }: CellReading): Read {
  const known = new Map(Object.entries(values ?? {}).map(([from, to]) => [from.trim().toLowerCase(), to]));
  const dateOf = date === undefined ? undefined : dateReader(date);
  return (text) => {
    if (text === '') return undefined;
    const value = known.size > 0 ? known.get(text.toLowerCase()) : undefined;
    const instead = value ?? dateOf?.(text) ?? (decimal ? pointed(text) : undefined);
    return instead === text ? undefined : instead;
  };
}
