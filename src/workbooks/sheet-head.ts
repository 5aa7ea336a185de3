/** The first rows of a sheet, and what they say of it: which sheet of a workbook is the table of samples. */
import { RegistryError } from '../registry/errors.js';
import { Head } from '../tsv/bytes/head-rows.js';
import { fold, HEADER_LIMIT } from '../tsv/dialect.js';
import type { SheetPlan } from '../tsv/header/columns.js';
import { findHeader } from '../tsv/header/find-header.js';
import { readHeader, type SheetOptions } from '../tsv/header/header.js';
import { printCell } from '../tsv/print/print-row.js';
import { LIMITS } from './limits.js';
import type { CellContent, SheetSink } from './sheet.js';
import type { Texts } from './texts.js';
import type { AfterPiece } from './xml.js';

/**
 * `samples`: it has a column that names samples, and what is said of them; `names`: nothing beside their names; `empty`: a header alone;
 * `turned`: what is said of samples, or of the columns of another sheet, stands in its rows; `filled`: a table of which no column is known
 * to name samples; `aside`: no table at all, a map of a plate or text.
 */
export type SheetKind = 'samples' | 'names' | 'empty' | 'turned' | 'filled' | 'aside' | 'blank';

export interface SheetHead {
  kind: SheetKind;
  /** Of one with a column that names samples, as far as its head is compared with those of other sheets. */
  table?: HeadTable;
  /** What the first cells of one without hold: they may be the names of the other sheets. */
  texts?: ReadonlySet<string>;
  /** The row of such a one that was looked at for the column of names, as headers are compared. */
  header?: string;
}

/** Texts as `fold` makes them. */
interface HeadTable {
  columns: ReadonlySet<string>;
  /** What stands in the column of names, in the first rows or in all of them. */
  names: ReadonlySet<string>;
  isWhole: boolean;
}

/** Characters of a head that is compared; those of a hundred sheets are kept at once. */
const COMPARED = 64 * 1024;

/** Whether the rows are the columns of the other sheet, which they explain: no sample of that is one of them. */
export const explains = ({ names, isWhole }: HeadTable, other: HeadTable): boolean =>
  isWhole && names.size > 0 && [...names].every((name) => other.columns.has(name) && !other.names.has(name));

const OPTIONS: SheetOptions = {
  prefix: '',
  unknownColumns: 'characteristics',
  releaseDate: 0,
  rowsAreLines: true,
  isNew: true,
};

/** Keeps the first filled rows as the text that they become. */
export class HeadSink implements SheetSink {
  #text = '';
  #rows = 0;
  #row = 0;
  #column = 1;

  constructor(private readonly texts: Texts) {}

  /** It has all that is looked at. */
  get done(): boolean {
    return this.#rows > LIMITS.headerRows || this.#text.length > HEADER_LIMIT;
  }

  row(): void {}

  cell(row: number, column: number, content: CellContent): void {
    if (this.done) return;
    if (row !== this.#row) {
      if (this.#rows > 0) this.#text += '\n';
      this.#row = row;
      this.#column = 1;
      this.#rows++;
    }
    this.#text += '\t'.repeat(column - this.#column);
    this.#column = column;
    this.#text += 'shared' in content ? this.texts.cell(content.shared) : printCell(content.text);
  }

  head(): SheetHead {
    if (this.#rows === 0) return { kind: 'blank' };
    const complete = !this.done;
    const text = complete ? `${this.#text}\n` : this.#text.slice(0, this.#text.lastIndexOf('\n') + 1);
    return headOf(text, complete);
  }
}

/** Reads a sheet as far as its head. @throws RegistryError file.not-understood, file.too-large */
export async function readHead(
  texts: Texts,
  read: (sink: SheetSink, after: AfterPiece) => Promise<unknown>,
): Promise<SheetHead> {
  const sink = new HeadSink(texts);
  await read(sink, () => (sink.done ? 'stop' : undefined));
  return sink.head();
}

/** By the rules that read it. One that is meant as a table of samples and cannot be read is not passed over for another. */
function headOf(text: string, complete: boolean): SheetHead {
  try {
    const plan = readHeader(Buffer.from(text), OPTIONS, complete);
    const kind = plan.keptColumns.length > 0 ? 'samples' : 'names';
    return text.length > COMPARED ? { kind } : { kind, table: tableOf(plan, text, complete) };
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const kind = kindOfUnread(text, complete, error);
    if (kind !== 'filled' || text.length > COMPARED) return { kind };
    return { kind, texts: textsIn(text, complete), ...headerOfUnread(text, complete, error) };
  }
}

function kindOfUnread(text: string, complete: boolean, { code }: RegistryError): SheetKind {
  if (!isNamed(text, complete)) return code === 'file.wrong-kind' || isOneColumn(text, complete) ? 'aside' : 'filled';
  if (code === 'file.empty') return 'empty';
  return code === 'file.wrong-kind' ? 'turned' : 'samples';
}

/** Nothing where it was refused for something else than its header, or has a single cell. */
function headerOfUnread(text: string, complete: boolean, { detail }: RegistryError): Pick<SheetHead, 'header'> {
  const line = detail.extra?.line;
  const rows = new Head(text, complete, OPTIONS.rowsAreLines).rowsBelow({ delimiter: '\t', headerEnd: 0 });
  const cells = [...rows].find((row) => row.line === line)?.cells.map(fold) ?? [];
  const last = cells.findLastIndex((cell) => cell !== '');
  return last < 1 ? {} : { header: cells.slice(0, last + 1).join('\t') };
}

function tableOf(plan: SheetPlan, text: string, isWhole: boolean): HeadTable {
  const names = new Set<string>();
  for (const { cells } of new Head(text, isWhole, OPTIONS.rowsAreLines).rowsBelow(plan))
    names.add(fold(cells[plan.nameColumn] ?? ''));
  return { columns: new Set(plan.header.map(fold)), names, isWhole };
}

function textsIn(text: string, complete: boolean): Set<string> {
  const rows = new Head(text, complete, OPTIONS.rowsAreLines).rowsBelow({ delimiter: '\t', headerEnd: 0 });
  return new Set([...rows].flatMap(({ cells }) => cells.map((cell) => cell.trim())));
}

/** As what somebody has written down has: no row of it holds two things. */
function isOneColumn(text: string, complete: boolean): boolean {
  for (const { cells } of new Head(text, complete, OPTIONS.rowsAreLines).rowsBelow({ delimiter: '\t', headerEnd: 0 }))
    if (cells.filter((cell) => cell.trim() !== '').length > 1) return false;
  return true;
}

function isNamed(text: string, complete: boolean): boolean {
  try {
    return findHeader(new Head(text, complete, OPTIONS.rowsAreLines), OPTIONS)?.named === true;
  } catch (error) {
    if (error instanceof RegistryError) return true;
    throw error;
  }
}
