/** A sheet of existing samples as a file to edit. */
import type { SampleSheet } from '../tsv/print/sample-sheet.js';
import { collect, type TableFile, tsvTable, workbookFile } from './table-file.js';
import type { WrittenCell } from './write.js';

const NAME = 'samples-to-edit';
const WIDTH = 22;

export async function sampleFile(sheet: SampleSheet, format: 'tsv' | 'xlsx'): Promise<TableFile> {
  const rows = [sheet.header, ...sheet.rows, ...sheet.leftOut.map(remark)];
  if (format === 'tsv') return tsvTable(NAME, rows);
  const cells = rows.map((row, i): WrittenCell[] =>
    row.map((text) => ({ text, ...(i === 0 ? { style: 'header' as const } : {}) })),
  );
  return workbookFile(
    NAME,
    await collect([{ name: 'Samples', rows: cells, widths: sheet.header.map(() => WIDTH), frozenRows: 1 }]),
  );
}

/** Rows that begin with # and have no name are skipped when the sheet is uploaded. */
const remark = (accession: string): string[] => [
  `# ${accession} is left out: a sheet cannot hold all that it says (for example a taxId of its own), or it is of another account and a spreadsheet would calculate one of its cells (take format=xlsx). Change it as JSON.`,
];
