/** A workbook or an archive → the table text of one of its sheets or files. Runs in the reading process (convert-process.ts). */

import { open as openFile } from 'node:fs/promises';
import { chooseTable } from './archive.js';
import { BesideSink } from './beside-cells.js';
import { openBinaryWorkbook } from './binary/biff-workbook.js';
import { CompoundFile } from './binary/compound-file.js';
import { isGuide } from './guide-sheets.js';
import { nameInGzip, unpackGzip } from './gzip.js';
import { isCompoundFile, isGzip, KIND_BYTES } from './kind.js';
import { LIMITS } from './limits.js';
import { MergedSink } from './merged-cells.js';
import { Package } from './package.js';
import { broken } from './refusal.js';
import type { SheetNotes } from './sheet.js';
import { explains, type SheetHead, type SheetKind } from './sheet-head.js';
import { readWorkbook } from './structure.js';
import { TableSink, TsvOut } from './tsv-out.js';
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

/** Which sheet is read; without `sheet` the first that is a table of samples. */
export interface WantedSheet {
  /** Name or number (from 1). */
  sheet?: string;
}

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

/**
 * The sheet of this name or number; else the first visible one that names samples, which yields to one that describes some where it
 * has nothing but names, explains the columns of another or is called a guide; else the first visible one with cells. `tables`: those that name samples, of the first `LIMITS.archivedTables`.
 */
async function chooseSheet(
  workbook: Workbook,
  { sheet: wanted }: WantedSheet,
): Promise<{ sheet: number; tables: number[] }> {
  const { sheets } = workbook;
  const names = sheets.map(({ name }) => name);
  const listed = names.join(', ');
  if (wanted !== undefined) {
    const text = wanted.trim().toLowerCase();
    const named = sheets.findIndex(({ name }) => name.toLowerCase() === text);
    const found = named >= 0 ? named : Number(text) - 1;
    if (sheets[found]) return { sheet: found, tables: [] };
    throw broken(
      `The workbook has no sheet ${wanted.slice(0, 100)}; it has: ${listed}. Name one of them with the option sheet.`,
    );
  }
  const heads = await headsOf(workbook);
  const compared = [...heads.values()].flatMap(({ table }) => table ?? []);
  const kindOf = (at: number): SheetKind => {
    const { kind, table } = heads.get(at) as SheetHead;
    return table && compared.some((other) => explains(table, other)) ? 'turned' : kind;
  };
  const tables = [...heads.keys()].filter((at) => namesSamples(kindOf(at)));
  let named: number | undefined;
  const first: Partial<Record<SheetKind, number>> = {};
  const guides = [...heads.keys()].filter((at) => isGuide(names[at] as string));
  for (const at of [...[...heads.keys()].filter((each) => !guides.includes(each)), ...guides]) {
    const kind = kindOf(at);
    first[kind] ??= at;
    if (namesSamples(kind) || kind === 'empty') named ??= at;
  }
  const sheet = (named === first.names ? first.samples : undefined) ?? named ?? first.turned ?? first.filled;
  if (sheet !== undefined) return { sheet, tables };
  throw broken(`No visible sheet of the workbook holds anything (sheets: ${listed}).`);
}

const namesSamples = (kind: SheetKind): boolean => kind === 'samples' || kind === 'names';

/** Of the visible sheets, as far as they are looked at, by their number. */
async function headsOf(workbook: Workbook): Promise<Map<number, SheetHead>> {
  const heads = new Map<number, SheetHead>();
  let hasSamples = false;
  const visible = [...workbook.sheets.keys()].filter((at) => !workbook.sheets[at]?.hidden);
  for (const [nth, at] of visible.entries()) {
    if (hasSamples && nth >= LIMITS.archivedTables) break;
    const looked = workbook.headOf(at);
    // A sheet behind one that may be read cannot keep that from being read.
    const head: SheetHead = await (hasSamples ? looked.catch(() => ({ kind: 'blank' }) as const) : looked);
    heads.set(at, head);
    hasSamples ||= head.kind === 'samples' || head.kind === 'names';
  }
  return heads;
}
