/**
 * Rows with quoted cells, and every row of comma and semicolon files: csv-parse takes the cells apart. It is handed
 * runs of whole records only, so line numbers are counted here and not by its (slower) `info` option.
 */
import { parse } from 'csv-parse/sync';
import { RegistryError } from '../registry/errors.js';
import { tooLong } from './decode.js';
import { CELLS_PER_ROW, columnLetter, countLineBreaks, type Delimiter, parseOptions, ROW_LIMIT } from './dialect.js';
import type { QuoteFinder } from './quotes.js';
import type { Row } from './row.js';

/** Characters handed to csv-parse at once: enough to forget the cost of a call, few enough to keep memory flat. */
const RUN_LIMIT = 128 * 1024;

export class QuotedReader {
  readonly #delimiter: Delimiter;
  #records: string[][] = [];
  /** Line of each record, and one more: the line after the last. */
  #lines: number[] = [];
  #next = 0;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter;
  }

  /**
   * Takes the records from `from` on, up to the first without a quoted cell (`any`: whatever they hold), and answers
   * the position after them; the same position when the first record is not complete yet.
   */
  load(finder: QuoteFinder, text: string, from: number, line: number, any: boolean): number {
    const pieces: string[] = [];
    this.#lines = [line];
    this.#next = 0;
    let at = from;
    let copied = from;
    let atLine = line;
    while (at < text.length && at - from < RUN_LIMIT) {
      const record = finder.record(at, any);
      if (record === 'open') {
        if (text.length - at > ROW_LIMIT) throw unclosed(text, at, finder.openQuote, atLine, this.#delimiter);
        break;
      }
      if (record === undefined) break;
      if (record.to - record.from > ROW_LIMIT) throw tooLong(atLine);
      if (record.to - record.from > CELLS_PER_ROW) this.#refuseTooManyCells(text, record.from, record.to, atLine);
      for (let pair = 0; pair < record.literals.length; pair += 2) {
        const start = record.literals[pair] as number;
        const end = record.literals[pair + 1] as number;
        pieces.push(text.substring(copied, start), `"${text.substring(start, end).replaceAll('"', '""')}"`);
        copied = end;
      }
      atLine += Math.max(1, countLineBreaks(text, record.from, record.to));
      this.#lines.push(atLine);
      at = record.to;
    }
    const rest = text.substring(copied, at);
    this.#records =
      at === from ? [] : parse(pieces.length === 0 ? rest : pieces.join('') + rest, parseOptions(this.#delimiter));
    if (this.#records.length !== this.#lines.length - 1) {
      throw new Error(
        `csv-parse read ${this.#records.length} records from line ${line}, not ${this.#lines.length - 1}`,
      );
    }
    return at;
  }

  /** The next record of the run into `row`; false after the last. */
  next(row: Row): boolean {
    const cells = this.#records[this.#next];
    if (cells === undefined) return false;
    const line = this.#lines[this.#next] as number;
    this.#next++;
    row.setCells(cells, line, (this.#lines[this.#next] as number) - 1);
    return true;
  }

  /** Line after the run that was loaded last. */
  get lineAfter(): number {
    return this.#lines.at(-1) as number;
  }

  #refuseTooManyCells(text: string, from: number, to: number, line: number): void {
    let cells = 1;
    for (let at = text.indexOf(this.#delimiter, from); at >= 0 && at < to; at = text.indexOf(this.#delimiter, at + 1)) {
      if (++cells <= CELLS_PER_ROW) continue;
      const message = `The row at line ${line} has more than ${CELLS_PER_ROW} cells. Check its quotes and line ends, and correct it.`;
      throw new RegistryError('file.not-understood', message, { extra: { line } });
    }
  }
}

/** `from`: where the record with the open quote begins, on line `line`. */
export function unclosed(text: string, from: number, quote: number, line: number, delimiter: Delimiter): RegistryError {
  const opens = line + countLineBreaks(text, from, quote);
  const lineStart = Math.max(text.lastIndexOf('\n', quote), text.lastIndexOf('\r', quote), from - 1) + 1;
  const letter = columnLetter(text.substring(lineStart, quote).split(delimiter).length - 1);
  const shown = text.substring(quote, quote + 40).split(/[\r\n]/, 1)[0] as string;
  return new RegistryError(
    'file.quote-unclosed',
    `Line ${opens}, column ${letter}: the quoted cell ${shown} is never closed. Close it with a quote before the next ` +
      'cell begins, or take the first quote away.',
    { extra: { line: opens, column: letter } },
  );
}
