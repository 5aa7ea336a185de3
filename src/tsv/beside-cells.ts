/** What a workbook's sheet has beside the values of its cells, of which a table keeps nothing. Rows are counted from 1 and columns from 0. */

export interface CellNote {
  row: number;
  text: string;
}

/** Of the cells of a column that have one, the first and the last. */
export interface ColumnNote {
  column: number;
  first: CellNote;
  last: CellNote;
}

export interface RowNotes {
  rows: number;
  first: number;
  last: number;
}

export interface BesideCells {
  /** Addresses that cells link to and do not read as. */
  links?: ColumnNote[];
  comments?: ColumnNote[];
  /** Rows with cells that are not shown. */
  hidden?: RowNotes;
  /** Rows of which every cell is struck through. */
  struck?: RowNotes;
}
