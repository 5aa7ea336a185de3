/** The data rows of a sheet as the user wrote them, for printing results beside their outcomes. */

import { loadBlocks } from '../bytes/load.js';
import { RowReader } from '../bytes/row-reader.js';
import { BlankForms } from '../forms/blank-forms.js';
import type { SheetPlan } from '../header/columns.js';
import { DataRows } from '../rows/data-rows.js';

export interface SheetRow {
  line: number;
  /** Texts as written, blanks and all, after unquoting. As many as the row has. */
  cells: string[];
  /** It is blank but for what stood in all rows of its form. Uploads from before there was this rule have an outcome for it. */
  isBlankForm?: true;
}

/** Rows that a caller gets at once. */
const ROWS = 1000;

const ENDS_READING = ['file.encoding', 'file.quote-unclosed', 'file.not-understood', 'file.receipt-unclosed'];

/** Whether a fault with this code is a place of the file behind which none of its rows can be read. */
export const endsReading = (code: string): boolean => ENDS_READING.includes(code);

/** @throws RegistryError of a code that `endsReading`, behind all rows above the place */
export async function* readRows(bytes: AsyncIterable<Buffer>, plan: SheetPlan): AsyncGenerator<SheetRow[]> {
  const { form, ...asWritten } = plan;
  const rows = new DataRows(new RowReader(plan.delimiter, plan.rowsAreLines), asWritten);
  const { row } = rows;
  const blankForms = form && new BlankForms(form);
  const isBlank = (): boolean => blankForms !== undefined && !rows.isNamed && blankForms.has(row);
  let gathered: SheetRow[] = [];
  for await (const _ of loadBlocks(bytes, plan.encoding, rows.reader)) {
    try {
      while (rows.next()) {
        gathered.push({ line: row.line, cells: row.toCells(), ...(isBlank() ? { isBlankForm: true } : {}) });
        if (gathered.length < ROWS) continue;
        yield gathered;
        gathered = [];
      }
    } catch (error) {
      if (gathered.length > 0) yield gathered;
      throw error;
    }
    // Cells keep their block alive, so none is held beyond it.
    if (gathered.length > 0) yield gathered;
    gathered = [];
  }
}
