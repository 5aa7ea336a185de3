/** A workbook of whatever program: its sheets, which are read one by one. */
import type { CellLinks, ColumnNotes } from './cell-notes.js';
import type { MergedCells } from './merged-cells.js';
import type { SheetNotes, SheetSink } from './sheet.js';
import type { SheetHead } from './sheet-head.js';
import type { Texts } from './texts.js';
import type { AfterPiece } from './xml.js';

export interface BehindCells {
  /** Over several rows. */
  merged: MergedCells;
  links?: CellLinks;
  comments?: ColumnNotes;
}

export interface Workbook {
  sheets: readonly { name: string; hidden: boolean }[];
  /** What its cells share. */
  texts: Texts;
  /** What the first rows of the sheet say of it. @throws RegistryError file.not-understood, file.too-large */
  headOf(at: number): Promise<SheetHead>;
  /** What the form of workbook says of cells apart from them; what it says with each cell is given to the sink. */
  behindCells(at: number): Promise<BehindCells>;
  /**
   * The sheet of this number, from 0; after each piece, `after` may pause it or, with `stop`, end it.
   * @throws RegistryError file.not-understood, file.too-large
   */
  readSheet(at: number, sink: SheetSink, after?: AfterPiece): Promise<SheetNotes>;
}
