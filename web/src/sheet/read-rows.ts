/** Rows of a sheet's text, with the lines at which a text editor shows them, read by the service's own readers. */

import { RowReader } from '../../../src/tsv/bytes/row-reader.js';
import type { Delimiter } from '../../../src/tsv/dialect.js';
import type { SheetPlan } from '../../../src/tsv/header/columns.js';
import { DataRows } from '../../../src/tsv/rows/data-rows.js';
import { nameOf } from '../../../src/tsv/rows/read-cells.js';

export interface SheetRow {
  /** Line at which the row begins; the first is 1. */
  line: number;
  cells: string[];
}

/**
 * @param rowsAreLines the text is that of a workbook, whose rows have numbers whatever stands in their cells
 * @param whole false when the text was cut, so that its last row may be incomplete and is left out
 * @throws RegistryError file.quote-unclosed for whole texts
 */
export function* readRows(text: string, delimiter: Delimiter, whole = true, rowsAreLines?: true): Generator<SheetRow> {
  const reader = loaded(text, delimiter, whole, rowsAreLines);
  while (reader.next()) yield { line: reader.row.line, cells: reader.row.toCells() };
}

export interface SampleRows {
  count: number;
  /** Of these, rows without a name, which become no samples. */
  unnamed: number;
  /** Rows that name a sample to update, and those of them that have a name. */
  identifiers: number;
  updates: number;
  /** Beside these, rows of a form that hold nothing but what stands in all of them. */
  blankForms: number;
  /** Beside these, rows with values that a failed formula at their beginning makes remarks. */
  failed: number;
}

/** The rows below the header that are meant as samples. @throws as `readRows` */
export function countSamples(text: string, plan: SheetPlan, whole: boolean): SampleRows {
  const rows = new DataRows(loaded(text, plan.delimiter, whole), plan);
  const found: SampleRows = { count: 0, unnamed: 0, identifiers: 0, updates: 0, blankForms: 0, failed: 0 };
  const isJoined = plan.nameColumn >= plan.header.length;
  while (rows.next()) {
    const isNamed = isJoined ? nameOf(plan, rows.row.toCells()) !== '' : rows.isNamed;
    found.count += 1;
    if (!isNamed) found.unnamed += 1;
    if (plan.identifierColumn === undefined || !rows.row.isFilled(plan.identifierColumn)) continue;
    found.identifiers += 1;
    if (isNamed) found.updates += 1;
  }
  found.blankForms = rows.takePassedOver()?.count ?? 0;
  found.failed = rows.takeFailed()?.count ?? 0;
  return found;
}

function loaded(text: string, delimiter: Delimiter, whole: boolean, rowsAreLines?: true): RowReader {
  const reader = new RowReader(delimiter, rowsAreLines);
  reader.load(whole ? text : text.slice(0, afterLastLineEnd(text)), whole);
  return reader;
}

const afterLastLineEnd = (text: string): number => Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;

/** Nothing in any cell. */
export const isBlankRow = ({ cells }: SheetRow): boolean => cells.every((cell) => cell.trim() === '');

/** Rows below the header to the last that is filled, blank ones and remarks among them included. */
export function rowsBelow(rows: readonly SheetRow[], headerEnd: number): number {
  const below = rows.filter(({ line }) => line > headerEnd);
  return below.findLastIndex((row) => !isBlankRow(row)) + 1;
}
