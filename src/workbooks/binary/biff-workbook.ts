/** Binary workbooks (.xls, Excel 97 to 2003; [MS-XLS]): their sheets, formats and shared texts, and where each sheet begins. */
import { LOCKED, unreadCompound, WITH_MACROS } from '../../tsv/header/office-files.js';
import { LinkedCells } from '../cell-links.js';
import { LIMITS } from '../limits.js';
import { MergedCells } from '../merged-cells.js';
import { builtInMeaning, formatMeaning, type NumberMeaning } from '../number-format.js';
import { broken, refuseUnread, tooLarge } from '../refusal.js';
import type { MergedRows } from '../sheet.js';
import { readHead } from '../sheet-head.js';
import { Texts } from '../texts.js';
import type { BehindCells, Workbook } from '../workbook.js';
import { BiffSheetReader } from './biff-cells.js';
import { BiffComments } from './biff-comments.js';
import { linkOf } from './biff-links.js';
import { type BiffRecord, RECORD, recordsOf } from './biff-records.js';
import { BiffStrings, raisedIn, textAt } from './biff-strings.js';
import type { CompoundFile } from './compound-file.js';

const STREAM = 'Workbook';
/** Kinds of sheets. */
const CELLS = 0;
const MACRO_SHEET = 1;
const SUPERSCRIPT = 1;
/** The number that no font has. */
const NO_FONT = 4;
const placeOfFont = (font: number): number => (font < NO_FONT ? font : font - 1);
/** Of the options of a font. */
const STRUCK = 8;

interface BinarySheet {
  name: string;
  hidden: boolean;
  /** Byte of the stream. */
  at: number;
}

/** @throws RegistryError file.wrong-kind, file.not-understood, file.too-large */
export async function openBinaryWorkbook(file: CompoundFile): Promise<Workbook> {
  refuseUnread(unreadCompound(file.streamNames, file.folderNames));
  const { sheets, ...of } = await readGlobals(file);
  const { texts } = of;
  const readSheet: Workbook['readSheet'] = async (at, sink, after) => {
    const { name, at: start } = sheets[at] as BinarySheet;
    const reader = new BiffSheetReader({ ...of, sheet: name }, sink);
    let stopped = false;
    const look = async (): Promise<void> => {
      stopped = (await after?.()) === 'stop';
    };
    for await (const record of recordsOf(file.read(STREAM, start), look)) {
      if (stopped) break;
      inBounds(() => reader.read(record));
    }
    if (!stopped) reader.end();
    return reader.notes;
  };
  return {
    sheets,
    texts,
    headOf: (at) => readHead(texts, (sink, after) => readSheet(at, sink, after)),
    behindCells: (at) => behindCells(file, sheets[at] as BinarySheet),
    readSheet,
  };
}

/** They stand behind all cells. */
async function behindCells(file: CompoundFile, { name, at: start }: BinarySheet): Promise<BehindCells> {
  const cells = new MergedCells(name);
  const links = new LinkedCells();
  const comments = new BiffComments();
  for await (const { type, data } of recordsOf(file.read(STREAM, start))) {
    ifWhole(() => {
      const link = type === RECORD.link ? linkOf(data) : undefined;
      if (link) links.set(link.row, link.column, link.address);
      comments.take({ type, data });
    });
    if (type !== RECORD.merged) continue;
    inBounds(() => {
      for (const range of rangesOf(data)) cells.add(range);
    });
  }
  return { merged: cells, links: links.cells, comments: comments.notes };
}

/** What stands beside the cells is no reason to refuse them where it is damaged. */
function ifWhole(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

/** [MS-XLS] 2.4.168: first and last row, first and last column, from 0. */
const rangesOf = (data: Buffer): MergedRows[] =>
  Array.from({ length: data.readUInt16LE(0) }, (_, nth) => {
    const at = 2 + 8 * nth;
    return {
      row: data.readUInt16LE(at) + 1,
      column: data.readUInt16LE(at + 4) + 1,
      lastRow: data.readUInt16LE(at + 2) + 1,
    };
  });

async function readGlobals(file: CompoundFile) {
  const globals = new Globals();
  for await (const record of recordsOf(file.read(STREAM))) {
    inBounds(() => globals.take(record));
    globals.requireFew();
  }
  const { sheets, texts, date1904, uncalculated } = globals;
  if (sheets.length === 0) throw broken('The workbook has no sheet of cells.');
  return { sheets, texts, formats: globals.formats(), struck: globals.struck(), date1904, uncalculated };
}

/** What the first part of a workbook says of all others. */
class Globals {
  readonly sheets: BinarySheet[] = [];
  readonly texts = new Texts();
  date1904 = false;
  /** Nobody says with which program it was calculated last. */
  uncalculated = true;
  readonly #own = new Map<number, NumberMeaning>();
  /** By the number of the cells' format. */
  readonly #ids: number[] = [];
  /** Of each font. */
  readonly #raised: boolean[] = [];
  readonly #struckFonts: boolean[] = [];
  /** Font of each format. */
  readonly #fonts: number[] = [];
  #shared: BiffStrings | undefined;

  /** @throws RangeError of a record that is shorter than it should be */
  take({ type, data }: BiffRecord): void {
    if (type === RECORD.continued) this.#shared?.feed(data, true);
    else if (this.#shared?.isWhole === false) throw broken('The texts of the workbook are cut short.');
    if (type === RECORD.password) refuseUnread(LOCKED);
    else if (type === RECORD.date1904) this.date1904 = data.readUInt16LE(0) === 1;
    else if (type === RECORD.calculated) this.uncalculated = false;
    else if (type === RECORD.numberFormat) this.#own.set(data.readUInt16LE(0), formatMeaning(textAt(data, 2, 2)));
    else if (type === RECORD.font) this.#takeFont(data);
    else if (type === RECORD.cellFormat) {
      this.#fonts.push(data.readUInt16LE(0));
      this.#ids.push(data.readUInt16LE(2));
    } else if (type === RECORD.sheet) this.#takeSheet(data);
    else if (type === RECORD.texts) {
      const isRaised = (font: number): boolean => this.#raised[placeOfFont(font)] === true;
      this.#shared = new BiffStrings(data.readUInt32LE(4), (text, runs) =>
        this.texts.add(runs.length === 0 ? text : raisedIn(text, runs, isRaised)),
      );
      this.#shared.feed(data.subarray(8), false);
    }
  }

  #takeFont(data: Buffer): void {
    this.#raised.push(data.readUInt16LE(8) === SUPERSCRIPT);
    this.#struckFonts.push((data.readUInt16LE(2) & STRUCK) !== 0);
  }

  #takeSheet(data: Buffer): void {
    if (data[5] === MACRO_SHEET) refuseUnread(WITH_MACROS);
    if (data[5] !== CELLS) return;
    this.sheets.push({ name: textAt(data, 6, 1), hidden: ((data[4] as number) & 3) !== 0, at: data.readUInt32LE(0) });
  }

  requireFew(): void {
    if (Math.max(this.sheets.length, this.#ids.length, this.#own.size, this.#raised.length) > LIMITS.binaryParts)
      throw tooLarge('The workbook has too many parts.');
  }

  /** Numbers of the formats of cells that are struck through. */
  struck(): Set<number> {
    return new Set([...this.#fonts.keys()].filter((at) => this.#struckFonts[placeOfFont(this.#fonts[at] as number)]));
  }

  formats(): NumberMeaning[] {
    return this.#ids.map((id) => this.#own.get(id) ?? builtInMeaning(id));
  }
}

/** A record that is shorter than what it is said to be. */
function inBounds(work: () => void): void {
  try {
    work();
  } catch (error) {
    throw error instanceof RangeError ? broken('A record of the workbook is shorter than it should be.') : error;
  }
}
