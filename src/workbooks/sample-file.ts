/** A sheet of existing samples as a file to edit. */
import { timeSlices } from '../registry/time-slices.js';
import { leftOutRemark, type SampleSheet } from '../tsv/print/sample-sheet.js';
import { collect, type TableFile, tsvTable, workbookFile } from './table-file.js';
import type { WrittenCell } from './write.js';

const NAME = 'samples-to-edit';
const WIDTH = 22;

export async function sampleFile(sheet: SampleSheet, format: 'tsv' | 'xlsx'): Promise<TableFile> {
  const rows = [sheet.header, ...sheet.rows, ...sheet.leftOut.map((accession) => [leftOutRemark(accession)])];
  if (format === 'tsv') return tsvTable(NAME, rows);
  return workbookFile(
    NAME,
    await collect([{ name: 'Samples', rows: cellsOf(rows), widths: sheet.header.map(() => WIDTH), frozenRows: 1 }]),
  );
}

/** Made as they are written, and others are answered in between: there may be a million. */
async function* cellsOf(rows: readonly (readonly string[])[]): AsyncGenerator<WrittenCell[]> {
  const nextSlice = timeSlices();
  for (const [at, row] of rows.entries()) {
    yield row.map((text) => ({ text, ...(at === 0 ? { style: 'header' as const } : {}) }));
    await nextSlice();
  }
}
