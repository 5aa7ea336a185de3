/** Cells that are merged over several rows: the value of the first is that of each row that has one of its own (docs/decisions/0169). */
import { columnNumber } from '../tsv/dialect.js';
import { LIMITS } from './limits.js';
import { tooLarge } from './refusal.js';
import type { CellContent, MergedRows, SheetSink } from './sheet.js';

/** Where cells of several rows are merged, gathered before or while a sheet is read. Those of one row alone are left out. */
export class MergedCells {
  /** First row → column → last row. */
  readonly #ranges = new Map<number, Map<number, number>>();
  #count = 0;

  constructor(private readonly sheet: string) {}

  /** @throws RegistryError file.too-large */
  add({ row, column, lastRow }: MergedRows): void {
    if (!(lastRow > row)) return;
    if (++this.#count > LIMITS.merged)
      throw tooLarge(`The sheet ${this.sheet} has more than ${LIMITS.merged} cells that are merged over several rows.`);
    const ofRow = this.#ranges.get(row) ?? new Map<number, number>();
    this.#ranges.set(row, ofRow.set(column, lastRow));
  }

  /** Those that begin in the row, by column; they are asked for once. */
  take(row: number): ReadonlyMap<number, number> | undefined {
    const found = this.#ranges.get(row);
    this.#ranges.delete(row);
    return found;
  }
}

interface Spanning {
  column: number;
  lastRow: number;
  content: CellContent;
}

/** Gives the cells on, with what is merged into their rows between them. `end` gives the rest of the last row. */
export class MergedSink implements SheetSink {
  #row = 0;
  /** Into the present row, in order; up to `#next` they are given. */
  #spanning: Spanning[] = [];
  #next = 0;
  #begun: Spanning[] = [];
  #beginning: ReadonlyMap<number, number> | undefined;
  #filled = 0;

  constructor(
    private readonly sink: SheetSink,
    private readonly cells: MergedCells,
    private readonly sheet: string,
  ) {}

  row(row: number): void {
    this.sink.row(row);
  }

  merged(range: MergedRows): void {
    this.cells.add(range);
  }

  cell(row: number, column: number, content: CellContent): void {
    if (row !== this.#row) this.#begin(row);
    this.#fill(column);
    if (this.#spanning[this.#next]?.column === column) this.#next++;
    this.sink.cell(row, column, content);
    const lastRow = this.#beginning?.get(column);
    if (lastRow !== undefined) this.#begun.push({ column, lastRow, content });
  }

  end(): void {
    this.#fill(Number.POSITIVE_INFINITY);
  }

  #begin(row: number): void {
    this.end();
    this.#row = row;
    this.#next = 0;
    this.#beginning = this.cells.take(row);
    if (this.#begun.length > 0 || this.#spanning.some(({ lastRow }) => lastRow < row)) {
      this.#spanning = [...this.#spanning, ...this.#begun]
        .filter(({ lastRow }) => lastRow >= row)
        .sort((one, other) => one.column - other.column);
      this.#begun = [];
    }
  }

  #fill(before: number): void {
    for (; ; this.#next++) {
      const found = this.#spanning[this.#next];
      if (found === undefined || found.column >= before) return;
      if (++this.#filled > LIMITS.cells) throw tooLarge(`The sheet ${this.sheet} has more merged cells than are read.`);
      this.sink.cell(this.#row, found.column, found.content);
    }
  }
}

/** Bytes that a tag of a range may have; and that of a link, which may say what is shown. */
const TAG = 512;
const LINK_TAG = 16 * 1024;
const LINK = /<(?:[^\s<>/:]+:)?hyperlink\s([^<>]*)>/g;
const RANGE =
  /<(?:[^\s<>/:]+:)?mergeCell\s[^<>]*?ref\s*=\s*["']\$?([A-Z]{1,3})\$?(\d{1,7}):\$?[A-Z]{1,3}\$?(\d{1,7})["']/g;

/**
 * Of a sheet of an .xlsx workbook, where they stand behind all cells, by the bytes of their tags. Read as XML, they would take as
 * long as the cells; what looks like such a tag in a remark does no harm. `links`: are given the tags of links, on the same way.
 */
export async function mergedInXml(
  bytes: AsyncIterable<Buffer>,
  sheet: string,
  links?: { add(attributes: string): void },
): Promise<MergedCells> {
  const cells = new MergedCells(sheet);
  let kept: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const all = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
    const first = all.indexOf('mergeCell');
    let end = 0;
    if (first >= 0) {
      const from = Math.max(0, first - TAG);
      for (const { 0: tag, 1: letters = '', 2: row, 3: lastRow, index } of all
        .toString('latin1', from)
        .matchAll(RANGE)) {
        cells.add({ row: Number(row), column: columnNumber(letters) + 1, lastRow: Number(lastRow) });
        end = from + index + tag.length;
      }
    }
    if (links && all.includes('hyperlink')) {
      for (const { 0: tag, 1: attributes = '', index } of all.toString('latin1').matchAll(LINK)) {
        links.add(attributes);
        end = Math.max(end, index + tag.length);
      }
    }
    kept = all.subarray(Math.max(end, Math.min(all.length - TAG, links ? openTag(all) : all.length)));
  }
  return cells;
}

/** Where a tag begins that is not closed yet. */
function openTag(bytes: Buffer): number {
  const begin = bytes.lastIndexOf(0x3c);
  const isOpen = begin >= bytes.length - LINK_TAG && begin >= 0 && bytes.indexOf(0x3e, begin) < 0;
  return isOpen ? begin : bytes.length;
}
