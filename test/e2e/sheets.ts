/** Tables and workbooks for tests that go through the service. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertWorkbook } from '../../src/workbooks/convert.js';
import { writeWorkbook } from '../../src/workbooks/write.js';

export type Table = string[][];

/** Plain TSV; no cell may hold a TAB, a line break or begin with a quote. */
export const toTsv = (rows: Table): string => rows.map((row) => `${row.join('\t')}\n`).join('');

/** The rows above the receipt, split; cells must be plain. */
export const fromTsv = (text: string): Table =>
  (text.split('\n\n***')[0] ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));

export const toXlsx = (rows: Table, name = 'Samples'): Promise<Buffer> => toWorkbook([{ name, rows }]);

export async function toWorkbook(sheets: readonly { name: string; rows: Table }[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const written = sheets.map(({ name, rows }) => ({ name, rows: rows.map((row) => row.map((text) => ({ text }))) }));
  for await (const piece of writeWorkbook(written, 'test')) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

export async function fromXlsx(bytes: Buffer, sheet?: string): Promise<Table> {
  const folder = mkdtempSync(join(tmpdir(), 'sheet-'));
  try {
    const path = join(folder, 'book.xlsx');
    writeFileSync(path, bytes);
    const pieces: Buffer[] = [];
    await convertWorkbook(
      path,
      sheet === undefined ? {} : { sheet },
      () => {},
      async (piece) => void pieces.push(Buffer.from(piece)),
    );
    return fromTsv(Buffer.concat(pieces).toString());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Column of a header. */
export function columnOf(table: Table, header: string): number {
  const column = table[0]?.indexOf(header) ?? -1;
  if (column < 0) throw new Error(`no column ${header} in ${table[0]?.join(', ')}`);
  return column;
}

export const readText = (path: string): string => readFileSync(path, 'utf8');
