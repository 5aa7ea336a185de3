/** Rows of a sheet's text, with the lines at which a text editor shows them, read by the service's own reader. */

import { RowReader } from '../../../src/tsv/bytes/row-reader.js';
import type { Delimiter } from '../../../src/tsv/dialect.js';

export interface SheetRow {
  /** Line at which the row begins; the first is 1. */
  line: number;
  cells: string[];
}

/**
 * @param whole false when the text was cut, so that its last row may be incomplete and is left out
 * @throws RegistryError file.quote-unclosed for whole texts
 */
export function* readRows(text: string, delimiter: Delimiter, whole = true): Generator<SheetRow> {
  const reader = new RowReader(delimiter);
  const from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  reader.load(text.slice(from, whole ? text.length : afterLastLineEnd(text)), whole);
  while (reader.next()) yield { line: reader.row.line, cells: reader.row.toCells() };
}

const afterLastLineEnd = (text: string): number => Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;

/** Nothing in any cell. */
export const isBlankRow = ({ cells }: SheetRow): boolean => cells.every((cell) => cell.trim() === '');
