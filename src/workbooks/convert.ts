/** A workbook or an archive → the table text of one of its sheets or files. Runs in the reading process (convert-process.ts). */

import { open as openFile } from 'node:fs/promises';
import { columnKind } from '../tsv/header/header-name.js';
import { namesSamples } from '../tsv/header/profile-choice.js';
import { printCell } from '../tsv/print/print-row.js';
import { chooseTable } from './archive.js';
import { openBinaryWorkbook } from './biff-workbook.js';
import { CompoundFile } from './compound-file.js';
import { nameInGzip, unpackGzip } from './gzip.js';
import { isCompoundFile, isGzip, KIND_BYTES } from './kind.js';
import { LIMITS } from './limits.js';
import { type MergedCells, MergedSink } from './merged-cells.js';
import { Package } from './package.js';
import { broken } from './refusal.js';
import type { CellContent, SheetNotes, SheetSink } from './sheet.js';
import { readWorkbook } from './structure.js';
import type { Texts } from './texts.js';
import { TsvOut } from './tsv-out.js';
import type { Workbook } from './workbook.js';

export interface ChosenSheet {
  sheetName: string;
  /** All sheets of cells, or tables of an archive, in order. */
  sheetNames: string[];
  /** Where they were asked for: those of a workbook's visible sheets that name samples, in order, when several do. */
  tables?: string[];
  /** It is a file of an archive, whose bytes are given as they are. */
  archived?: true;
  /** Milliseconds since 1970: a date that the archive names for the samples of this table. */
  release?: number;
  /** Title of the study that they are of. */
  title?: string;
}

/** Which sheet is read, without `sheet` the first that names samples; `listTables`: which others name some is reported, too. */
export interface WantedSheet {
  /** Name or number (from 1). */
  sheet?: string;
  listTables?: boolean;
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
  const merged = await workbook.mergedCells(sheet);
  chosen({
    sheetName: names[sheet] as string,
    sheetNames: names,
    ...(tables.length > 1 ? { tables: tables.map((at) => names[at] as string) } : {}),
  });
  return writeSheet(workbook, sheet, merged, write);
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
  merged: MergedCells,
  write: (piece: Buffer) => Promise<void>,
): Promise<SheetNotes> {
  const out = new TsvOut();
  const flush = async (all: boolean): Promise<undefined> => {
    for (const piece of out.take(all)) await write(piece);
  };
  const sink = new MergedSink(new TableSink(out, workbook.texts), merged, workbook.sheets[sheet]?.name ?? '');
  const notes = await workbook.readSheet(sheet, sink, () => flush(false));
  sink.end();
  out.repeat(LF, 1);
  await flush(true);
  return notes;
}

/** Blanks are written only before something: a row ends with its last filled cell. */
class TableSink implements SheetSink {
  #row = 1;
  #column = 1;

  constructor(
    private readonly out: TsvOut,
    private readonly texts: Texts,
  ) {}

  row(): void {}

  cell(row: number, column: number, content: CellContent): void {
    if (row > this.#row) {
      this.out.repeat(LF, row - this.#row);
      this.#row = row;
      this.#column = 1;
    }
    this.out.repeat(TAB, column - this.#column);
    this.#column = column;
    if ('shared' in content) this.texts.writeTo(this.out, content.shared);
    else this.out.write(printCell(content.text));
  }
}

/**
 * The sheet of this name or number; else the first visible one that names samples; else the first visible one with cells.
 * `tables`: the visible ones that were found to name samples, where they are listed of the first `LIMITS.archivedTables`.
 */
async function chooseSheet(
  workbook: Workbook,
  { sheet: wanted, listTables = false }: WantedSheet,
): Promise<{ sheet: number; tables: number[] }> {
  const { sheets, texts } = workbook;
  const names = sheets.map(({ name }) => name).join(', ');
  if (wanted !== undefined) {
    const text = wanted.trim().toLowerCase();
    const named = sheets.findIndex(({ name }) => name.toLowerCase() === text);
    const found = named >= 0 ? named : Number(text) - 1;
    if (sheets[found]) return { sheet: found, tables: [] };
    throw broken(
      `The workbook has no sheet ${wanted.slice(0, 100)}; it has: ${names}. Name one of them with the option sheet.`,
    );
  }
  const visible = [...sheets.keys()].filter((at) => !sheets[at]?.hidden);
  const named: number[] = [];
  let filled: number | undefined;
  for (const [nth, at] of visible.entries()) {
    if (named.length > 0 && (!listTables || nth >= LIMITS.archivedTables)) break;
    const head = new HeadSink(texts);
    const looked = workbook.readSheet(at, head, () => (head.done ? 'stop' : undefined));
    // A sheet behind the one that is read cannot keep it from being read.
    await (named.length > 0 ? looked.catch(() => undefined) : looked);
    if (head.named) named.push(at);
    else if (head.rows > 0) filled ??= at;
  }
  const sheet = named[0] ?? filled;
  if (sheet !== undefined) return { sheet, tables: named };
  throw broken(`No visible sheet of the workbook holds anything (sheets: ${names}).`);
}

/** Looks among the first rows for a header row that names samples. */
class HeadSink implements SheetSink {
  rows = 0;
  #named = false;
  #row = 0;
  #cells: string[] = [];
  /** First cells of the rows above. */
  readonly #before: string[] = [];

  constructor(private readonly texts: Texts) {}

  get named(): boolean {
    const cells = this.#cells;
    this.#named ||= cells.some((text) => columnKind(text).kind === 'name') || namesSamples(cells, this.#before);
    return this.#named;
  }

  get done(): boolean {
    return this.#named || this.rows > LIMITS.headerRows;
  }

  row(): void {}

  cell(row: number, _column: number, content: CellContent): void {
    if (this.done) return;
    if (row !== this.#row) {
      this.#row = row;
      this.rows++;
      if (this.named) return;
      this.#before.push((this.#cells[0] ?? '').slice(0, 200));
      this.#cells = [];
    }
    const text = 'shared' in content ? this.texts.cell(content.shared) : content.text;
    if (text.length < 100) this.#cells.push(text);
  }
}
