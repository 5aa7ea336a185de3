/** The first rows of a sheet, and what they say of it: which sheet of a workbook is the table of samples. */
import { RegistryError } from '../registry/errors.js';
import { Head } from '../tsv/bytes/head-rows.js';
import { HEADER_LIMIT } from '../tsv/dialect.js';
import { findHeader } from '../tsv/header/find-header.js';
import { readHeader, type SheetOptions } from '../tsv/header/header.js';
import { printCell } from '../tsv/print/print-row.js';
import { LIMITS } from './limits.js';
import type { CellContent, SheetSink } from './sheet.js';
import type { Texts } from './texts.js';
import type { AfterPiece } from './xml.js';

/**
 * `samples`: it has a column that names samples, and what is said of them; `names`: nothing beside their names; `empty`: a header alone;
 * `turned`: what is said of samples, or of the columns of another sheet, stands in its rows.
 */
export type SheetHead = 'samples' | 'names' | 'empty' | 'turned' | 'filled' | 'blank';

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
    if (this.#rows === 0) return 'blank';
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
    const { keptColumns } = readHeader(Buffer.from(text), OPTIONS, complete);
    return keptColumns.length > 0 ? 'samples' : 'names';
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    if (!isNamed(text, complete)) return 'filled';
    if (error.code === 'file.empty') return 'empty';
    return error.code === 'file.wrong-kind' ? 'turned' : 'samples';
  }
}

function isNamed(text: string, complete: boolean): boolean {
  try {
    return findHeader(new Head(text, complete, OPTIONS.rowsAreLines), OPTIONS)?.named === true;
  } catch (error) {
    if (error instanceof RegistryError) return true;
    throw error;
  }
}
