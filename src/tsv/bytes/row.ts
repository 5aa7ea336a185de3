import { CELLS_PER_ROW, isBlank } from '../dialect.js';

/**
 * The row that a reader stands on. One object for the whole file: cells are positions in `text`, which is the block
 * itself for plain rows, so that no string is made for a cell that nobody asks for.
 */
export class Row {
  text = '';
  /** Position of each cell in `text`, and of its end. */
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  cells = 0;
  /** Line of the file where the row begins and where it ends; they differ when a cell holds line breaks. */
  line = 0;
  lastLine = 0;
  /** True when the cells stand in `text` as in the block, one TAB between them. */
  plain = true;

  /** Makes room for at least this many cells. */
  grow(cells: number): void {
    if (cells <= this.starts.length) return;
    const size = Math.max(cells, this.starts.length * 2);
    const starts = new Int32Array(size);
    const ends = new Int32Array(size);
    starts.set(this.starts);
    ends.set(this.ends);
    this.starts = starts;
    this.ends = ends;
  }

  /** Adds a cell; beyond the last that is distinguished, the one before reaches to its end. */
  addCell(start: number, end: number): void {
    if (this.cells === CELLS_PER_ROW) {
      this.ends[this.cells - 1] = end;
      return;
    }
    if (this.cells === this.starts.length) this.grow(this.cells + 1);
    this.starts[this.cells] = start;
    this.ends[this.cells++] = end;
  }

  /** Makes two quotes one in these cells; `text` becomes the row's own. */
  undouble(cells: readonly number[]): void {
    const texts = this.toCells();
    for (const cell of cells) texts[cell] = (texts[cell] as string).replaceAll('""', '"');
    this.text = texts.join('\t');
    let at = 0;
    for (let cell = 0; cell < this.cells; cell++) {
      this.starts[cell] = at;
      at += (texts[cell] as string).length;
      this.ends[cell] = at++;
    }
  }

  /** The cell as written; empty when the row is too short to have it. */
  raw(cell: number): string {
    return cell < this.cells ? this.text.substring(this.starts[cell] as number, this.ends[cell] as number) : '';
  }

  /** The cell without the blanks around it. */
  cell(cell: number): string {
    return this.raw(cell).trim();
  }

  /** Position of the first character of a cell that is not blank; its end when there is none. */
  trimmedStart(cell: number): number {
    let at = this.starts[cell] as number;
    const end = this.ends[cell] as number;
    while (at < end && isBlank(this.text.charCodeAt(at))) at++;
    return at;
  }

  /** Position after the last character of a cell that is not blank, not before `from`. */
  trimmedEnd(cell: number, from: number): number {
    let at = this.ends[cell] as number;
    while (at > from && isBlank(this.text.charCodeAt(at - 1))) at--;
    return at;
  }

  isBlankCell(cell: number): boolean {
    return this.trimmedStart(cell) === this.ends[cell];
  }

  isFilled(cell: number): boolean {
    return cell < this.cells && !this.isBlankCell(cell);
  }

  /** Number of the first cell from `from` on that is not blank, or -1. */
  firstFilled(from = 0): number {
    for (let cell = from; cell < this.cells; cell++) if (!this.isBlankCell(cell)) return cell;
    return -1;
  }

  toCells(): string[] {
    return Array.from({ length: this.cells }, (_, cell) => this.raw(cell));
  }
}
