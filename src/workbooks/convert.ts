/** A workbook or an archive → the table text of one of its sheets or files. Runs in the reading process (convert-process.ts). */

import { open as openFile } from 'node:fs/promises';
import { printCell } from '../tsv/print/print-row.js';
import { chooseTable } from './archive.js';
import { BesideSink } from './beside-cells.js';
import { openBinaryWorkbook } from './binary/biff-workbook.js';
import { CompoundFile } from './binary/compound-file.js';
import { chooseSheet, type WantedSheet } from './choose-sheet.js';
import { nameInGzip, unpackGzip } from './gzip.js';
import { isCompoundFile, isGzip, KIND_BYTES } from './kind.js';
import { LIMITS } from './limits.js';
import { MergedSink } from './merged-cells.js';
import { Package } from './package.js';
import type { CellContent, SheetNotes, SheetSink } from './sheet.js';
import { withoutUnit } from './shown-number.js';
import { readWorkbook } from './structure.js';
import type { Texts } from './texts.js';
import { TsvOut } from './tsv-out.js';
import type { BehindCells, Workbook } from './workbook.js';

export interface ChosenSheet {
  sheetName: string;
  /** All sheets of cells, or tables of an archive, in order. */
  sheetNames: string[];
  /** Those of a workbook's visible sheets that name samples, in order, when others than the chosen one do and none was asked for. */
  tables?: string[];
  /** It is a file of an archive, whose bytes are given as they are. */
  archived?: true;
  /** Milliseconds since 1970: a date that the archive names for the samples of this table. */
  release?: number;
  /** Title of the study that they are of. */
  title?: string;
}

const TAB = 9;
const LF = 10;

/**
 * Tells which sheet it reads, then writes its rows as text: one line per row of the sheet, blank ones too, so that line
 * numbers are those of the spreadsheet. Resolves to what was noticed on the way.
 * @throws RegistryError file.*
 */
export async function convertWorkbook(
  path: string,
  wanted: WantedSheet,
  chosen: (sheet: ChosenSheet) => void,
  write: (piece: Buffer) => Promise<void>,
): Promise<SheetNotes> {
  const head = await firstBytes(path);
  if (isGzip(head)) return convertGzip(path, chosen, write);
  if (isCompoundFile(head)) {
    const file = await CompoundFile.open(path);
    try {
      return await convertSheet(await openBinaryWorkbook(file), wanted, chosen, write);
    } finally {
      await file.close();
    }
  }
  const parts = await Package.open(path);
  try {
    const workbook = await readWorkbook(parts);
    if (!workbook) return await convertArchive(parts, wanted.sheet, chosen, write);
    return await convertSheet(workbook, wanted, chosen, write);
  } finally {
    parts.close();
  }
}

async function convertSheet(
  workbook: Workbook,
  wanted: WantedSheet,
  chosen: (sheet: ChosenSheet) => void,
  write: (piece: Buffer) => Promise<void>,
): Promise<SheetNotes> {
  const names = workbook.sheets.map(({ name }) => name);
  const { sheet, tables } = await chooseSheet(workbook, wanted);
  const behind = await workbook.behindCells(sheet);
  chosen({
    sheetName: names[sheet] as string,
    sheetNames: names,
    ...(tables.some((at) => at !== sheet) ? { tables: tables.map((at) => names[at] as string) } : {}),
  });
  return writeSheet(workbook, sheet, behind, write);
}

const NOTHING_NOTED: SheetNotes = { merged: 0, formulas: 0, hiddenRows: 0 };

async function convertArchive(
  archive: Package,
  wanted: string | undefined,
  chosen: (sheet: ChosenSheet) => void,
  write: (piece: Buffer) => Promise<void>,
): Promise<SheetNotes> {
  const { name, names, ...study } = await chooseTable(archive, wanted);
  chosen({ sheetName: name, sheetNames: names, archived: true, ...study });
  for await (const block of archive.read(name, LIMITS.sheetBytes)) await write(block);
  return NOTHING_NOTED;
}

async function convertGzip(
  path: string,
  chosen: (sheet: ChosenSheet) => void,
  write: (piece: Buffer) => Promise<void>,
): Promise<SheetNotes> {
  const name = (await nameInGzip(path)) ?? 'the file in the gzip archive';
  chosen({ sheetName: name, sheetNames: [name], archived: true });
  for await (const block of unpackGzip(path)) await write(block);
  return NOTHING_NOTED;
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await openFile(path);
  try {
    return (await file.read(Buffer.alloc(KIND_BYTES), 0, KIND_BYTES, 0)).buffer;
  } finally {
    await file.close();
  }
}

async function writeSheet(
  workbook: Workbook,
  sheet: number,
  { merged, ...behind }: BehindCells,
  write: (piece: Buffer) => Promise<void>,
): Promise<SheetNotes> {
  const out = new TsvOut();
  const flush = async (all: boolean): Promise<undefined> => {
    for (const piece of out.take(all)) await write(piece);
  };
  const table = new TableSink(out, workbook.texts);
  const sink = new MergedSink(table, merged, workbook.sheets[sheet]?.name ?? '');
  const beside = new BesideSink(sink, workbook.texts, behind);
  const notes = await workbook.readSheet(sheet, beside, () => flush(false));
  sink.end();
  table.end();
  await flush(true);
  const noted = beside.notes();
  return noted ? { ...notes, beside: noted } : notes;
}

/** Blanks are written only before something: a row ends with its last filled cell. */
class TableSink implements SheetSink {
  #row = 1;
  #column = 1;
  /** The cell that was given last, where the next one may say its unit once more. */
  #measured: string | undefined;

  constructor(
    private readonly out: TsvOut,
    private readonly texts: Texts,
  ) {}

  row(): void {}

  cell(row: number, column: number, content: CellContent): void {
    if (this.#measured !== undefined)
      this.#writeMeasured(row === this.#row && column === this.#column + 1 ? content : undefined);
    if (row > this.#row) {
      this.out.repeat(LF, row - this.#row);
      this.#row = row;
      this.#column = 1;
    }
    this.out.repeat(TAB, column - this.#column);
    this.#column = column;
    if ('shared' in content) this.texts.writeTo(this.out, content.shared);
    else if (content.measured) this.#measured = content.text;
    else this.out.write(printCell(content.text));
  }

  /** Behind all cells. */
  end(): void {
    if (this.#measured !== undefined) this.#writeMeasured(undefined);
    this.out.repeat(LF, 1);
  }

  /** A value whose unit stands in the cell behind it has it there (docs/decisions/0183). */
  #writeMeasured(behind: CellContent | undefined): void {
    const text = this.#measured ?? '';
    this.#measured = undefined;
    if (behind === undefined) this.out.write(printCell(text));
    else {
      const unit = 'shared' in behind ? this.texts.cell(behind.shared) : behind.text;
      this.out.write(printCell(withoutUnit(text, unit.trim())));
    }
  }
}
