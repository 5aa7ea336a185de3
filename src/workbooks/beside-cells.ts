/**
 * What a sheet has beside the values of its cells and no table can hold: addresses that they link to, comments, and that a row is not
 * shown or struck through. It is noted where it stands, so that somebody is asked who knows whether it matters (docs/decisions/0182).
 */
import type { BesideCells, RowNotes } from '../tsv/beside-cells.js';
import { type CellLinks, ColumnNotes } from './cell-notes.js';
import type { CellContent, MergedRows, SheetSink } from './sheet.js';
import type { Texts } from './texts.js';

/** Rows that are not shown and wait for their first cell. */
const MOST_WAITING = 65_536;

/** Passes the cells on, and notes what stands beside them. */
export class BesideSink implements SheetSink {
  readonly #links = new ColumnNotes();
  readonly #comments: ColumnNotes;
  #waiting: number[] = [];
  /** Of those, the first that is not behind. */
  #next = 0;
  #hidden: RowNotes | undefined;
  #struck: RowNotes | undefined;
  /** The present row, its cells, and those of them that are struck through. */
  #row = { row: 0, cells: 0, struck: 0 };
  #struckCell: { row: number; column: number } | undefined;
  #linked: { row: number; column: number; address: string } | undefined;

  /** `behind`: what the form of workbook says apart from the cells. */
  constructor(
    private readonly sink: SheetSink,
    private readonly texts: Texts,
    private readonly behind: { links?: CellLinks; comments?: ColumnNotes } = {},
  ) {
    this.#comments = behind.comments ?? new ColumnNotes();
  }

  row(row: number): void {
    this.sink.row(row);
  }

  merged(range: MergedRows): void {
    this.sink.merged?.(range);
  }

  hidden(row: number): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(row);
  }

  struck(row: number, column: number): void {
    this.#struckCell = { row, column };
  }

  linked(row: number, column: number, address: string): void {
    this.#linked = { row, column, address };
  }

  commented(row: number, column: number, text: string): void {
    this.#comments.add(row, column, text);
  }

  cell(row: number, column: number, content: CellContent): void {
    this.sink.cell(row, column, content);
    if (this.#next < this.#waiting.length) this.#noteHidden(row);
    if (row !== this.#row.row) this.#beginRow(row);
    this.#row.cells++;
    const struck = this.#struckCell;
    if (struck?.row === row && struck.column === column) this.#row.struck++;
    if (this.#linked === undefined && this.behind.links === undefined) return;
    const address = this.#addressOf(row, column);
    if (address !== undefined && !says(this.#textOf(content), address)) this.#links.add(row, column, address);
  }

  /** Undefined where there is nothing. */
  notes(): BesideCells | undefined {
    this.#beginRow(0);
    const [links, comments] = [this.#links.list(), this.#comments.list()];
    if (links.length + comments.length === 0 && !this.#hidden && !this.#struck) return undefined;
    return {
      ...(links.length > 0 ? { links } : {}),
      ...(comments.length > 0 ? { comments } : {}),
      ...(this.#hidden ? { hidden: this.#hidden } : {}),
      ...(this.#struck ? { struck: this.#struck } : {}),
    };
  }

  /** Rows come in order: those before that have had no cell have none. */
  #noteHidden(row: number): void {
    for (; this.#next < this.#waiting.length; this.#next++) {
      const waiting = this.#waiting[this.#next] as number;
      if (waiting > row) return;
      if (waiting === row && this.#hidden?.last !== row) this.#hidden = withRow(this.#hidden, row);
    }
    this.#waiting = [];
    this.#next = 0;
  }

  #beginRow(row: number): void {
    const { row: last, cells, struck } = this.#row;
    if (cells > 0 && cells === struck) this.#struck = withRow(this.#struck, last);
    this.#row = { row, cells: 0, struck: 0 };
  }

  #addressOf(row: number, column: number): string | undefined {
    const linked = this.#linked;
    if (linked?.row === row && linked.column === column) return linked.address;
    return this.behind.links?.get(row)?.get(column);
  }

  #textOf(content: CellContent): string {
    return 'shared' in content ? this.texts.cell(content.shared) : content.text;
  }
}

const withRow = (noted: RowNotes | undefined, row: number): RowNotes => ({
  rows: (noted?.rows ?? 0) + 1,
  first: noted?.first ?? row,
  last: row,
});

/** Whether the cell reads as its link, which programs make of every address that is typed. */
const says = (text: string, address: string): boolean => bare(text) === bare(address);

const bare = (text: string): string =>
  decoded(text)
    .trim()
    .toLowerCase()
    .replace(/^"|"$/g, '')
    .replace(/^(?:mailto:|(?:https?|ftp|file):\/*)/, '')
    .replace(/^www\./, '')
    .replace(/(?<!\/)\/+$/, '');

function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
