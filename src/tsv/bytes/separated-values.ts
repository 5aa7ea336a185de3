/**
 * Sheets separated by commas, semicolons or vertical bars → the same sheet separated by TABs, block by block, read by csv-parse. Line
 * breaks inside cells stay where they are and every row keeps its line end, so that line numbers stay true.
 */
import { type InfoRecord, type Options, parse } from 'csv-parse/sync';
import { countLineBreaks, type Delimiter, isLineBreak, ROW_LIMIT } from '../dialect.js';
import { printRow } from '../print/print-row.js';

const BLANK = 32;

/** A cell as csv-parse is to read it, and where it ends. */
interface ReadCell {
  spelled: string;
  end: number;
}

export class SeparatedValues {
  readonly #options: Options;
  /** A quote that begins a cell, perhaps behind blanks; what ends a cell that is not quoted; a cell in quotes on one line, and blanks. */
  readonly #opening: RegExp;
  readonly #end: RegExp;
  readonly #within: RegExp;
  /** Of the row that waits for the end of a quoted cell: its cells before, spelled with TABs, and the text since. */
  #begun = '';
  #open = '';

  constructor(private readonly delimiter: Exclude<Delimiter, '\t'>) {
    // Bars are drawn with blanks around every cell, and quotes within them are what the cell says.
    const blanks = delimiter === '|' ? '' : ' *';
    this.#opening = new RegExp(`(?:^|[${delimiter}\\r\\n])(${blanks})"`, 'g');
    // A quote with nothing behind it is a ditto mark.
    this.#within = new RegExp(
      `("(?!${blanks}[${delimiter}])(?:[^"\\r\\n]|"")*")${blanks}(?=[${delimiter}\\r\\n]|$)`,
      'y',
    );
    this.#end = new RegExp(`[${delimiter}\\r\\n]`, 'g');
    this.#options = {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    };
  }

  /** What was taken and not yet given, line for line. */
  get waiting(): string {
    return this.#begun + this.#open;
  }

  /**
   * Takes a block that ends at a line end unless it is the `last`; gives the rows that are complete. A cell that is never
   * closed is given as it stands, for the row reader to refuse.
   */
  toTabs(block: string, last: boolean): string {
    const text = this.#fixed(this.#open + block, this.#open.length);
    const rows = this.#printed(text);
    const cut = this.#open !== '' && text.endsWith(this.delimiter);
    const begun = cut ? (rows.pop() as string).slice(0, -1) : '';
    const given = rows.length === 0 ? '' : this.#begun + rows.join('');
    this.#begun = rows.length === 0 ? this.#begun + begun : begun;
    return last || this.#open.length > ROW_LIMIT ? given + this.waiting : given;
  }

  /** Blank lines are left out by csv-parse, which takes 25 µs for each when it does not, and put back by its count. */
  #printed(text: string): string[] {
    const rows: string[] = [];
    let blank = 0;
    const print = (cells: string[], { empty_lines }: InfoRecord): null => {
      rows.push('\n'.repeat(empty_lines - blank) + printRow(cells));
      blank = empty_lines;
      return null;
    };
    parse(text, { ...this.#options, on_record: print });
    let end = text.length;
    while (isLineBreak(text.charCodeAt(end - 1))) end--;
    const below = countLineBreaks(text, end) - (end === 0 ? 0 : 1);
    if (below > 0) rows.push('\n'.repeat(below));
    return rows;
  }

  /**
   * The text up to a cell that it does not close, which is kept in `#open`. Cells that only begin with a quote are quoted:
   * csv-parse reads `"a,b"c` as one cell and `"a""b"c` as `"a"b"c`, where every such quote is a character. Blanks around a
   * cell in quotes are no part of it, as where `", "` parts the cells: before and behind quotes that are closed on their line.
   * `searched`: so far nothing closes the cell that the text begins with.
   */
  #fixed(text: string, searched: number): string {
    let fixed = '';
    let copied = 0;
    this.#open = '';
    this.#opening.lastIndex = 0;
    for (let found = this.#opening.exec(text); found; found = this.#opening.exec(text)) {
      const quote = this.#opening.lastIndex - 1;
      const blanks = (found[1] as string).length;
      let cell: ReadCell | undefined;
      if (blanks > 0) {
        cell = this.#unwrapped(text, quote);
        if (cell === undefined) continue;
      } else {
        const after = afterClosing(text, quote === 0 ? Math.max(1, searched) : quote + 1);
        if (after === 0) {
          this.#open = text.substring(quote);
          return fixed + text.substring(copied, quote);
        }
        const end = this.#cellEnd(text, after);
        this.#opening.lastIndex = end;
        if (end === after) continue;
        if (text.charCodeAt(after) === BLANK) cell = this.#unwrapped(text, quote);
      }
      const { spelled, end } = cell ?? this.#literal(text, quote);
      fixed += text.substring(copied, quote - blanks) + spelled;
      copied = end;
      this.#opening.lastIndex = copied;
    }
    return fixed + text.substring(copied);
  }

  /** The cell in quotes that begins here, without the blanks behind it. */
  #unwrapped(text: string, quote: number): ReadCell | undefined {
    this.#within.lastIndex = quote;
    const found = this.#within.exec(text);
    return found ? { spelled: found[1] as string, end: quote + found[0].length } : undefined;
  }

  /** The cell that only begins with a quote. */
  #literal(text: string, quote: number): ReadCell {
    const end = this.#cellEnd(text, quote);
    return { spelled: `"${text.substring(quote, end).replaceAll('"', '""')}"`, end };
  }

  #cellEnd(text: string, from: number): number {
    this.#end.lastIndex = from;
    return this.#end.exec(text)?.index ?? text.length;
  }
}

/** Position after the first quote at or after `from` that is not doubled; 0 without one. */
function afterClosing(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text.charCodeAt(at + 1) === 34) at = text.indexOf('"', at + 2);
  return at + 1;
}
