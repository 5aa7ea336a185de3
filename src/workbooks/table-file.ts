/** Small tables as files to download. */
import { printCell } from '../tsv/print/print-row.js';
import { AUTHOR } from './author.js';
import { type WrittenSheet, writeWorkbook } from './write.js';

export interface TableFile {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function tsvTable(name: string, rows: readonly (readonly string[])[]): TableFile {
  const text = rows.map((row) => `${row.map(printCell).join('\t')}\n`).join('');
  return { fileName: `${name}.tsv`, contentType: 'text/tab-separated-values;charset=UTF-8', bytes: Buffer.from(text) };
}

export const workbookFile = (name: string, bytes: Buffer): TableFile => ({
  fileName: `${name}.xlsx`,
  contentType: XLSX,
  bytes,
});

/** A workbook whole. */
export async function collect(sheets: readonly WrittenSheet[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of writeWorkbook(sheets, AUTHOR)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
