/**
 * Sheets separated by commas, semicolons or vertical bars → the same sheet separated by TABs, block by block, each row with an LF. Line
 * breaks inside cells stay as they are, so that line numbers stay true.
 */
import { parse } from 'csv-parse/sync';
import { type Delimiter, isLineBreak, ROW_LIMIT } from '../dialect.js';
import { printCell } from '../print/print-row.js';

const BLANK = 32;

/** A cell in quotes, quotes within doubled, and where it ends. */
interface QuotedCell {
  spelled: string;
  end: number;
}

/** Of cells in quotes: a quote, a TAB or a line break within. */
const IS_INTRICATE = /["\t\r\n]/;

/** What was read of a block, spelled with TABs. */
class TabbedText {
  readonly #pieces: string[] = [];
  /** Where the last row begins. */
  #row = 0;
  /** Pieces that are intricate cells, still in their quotes. */
  readonly #quoted: number[] = [];

  constructor(private readonly delimiter: string) {}

  /** Whole cells that stand in no quotes, and what parts them. */
  addPlain(spelled: string): void {
    // An empty cell in quotes may stand between a CR and an LF, which are two line ends.
    const text = spelled.includes('\r') ? spelled.replaceAll(/\r\n?/g, '\n') : spelled;
    const tabbed = text.includes('\t') ? this.#cellByCell(text) : text.replaceAll(this.delimiter, '\t');
    const row = tabbed.lastIndexOf('\n') + 1;
    if (row > 0) {
      this.#pieces.push(tabbed.slice(0, row));
      this.#row = this.#pieces.length;
    }
    if (row < tabbed.length) this.#pieces.push(tabbed.slice(row));
  }

  /** A cell in quotes. */
  addQuoted(spelled: string): void {
    const inner = spelled.slice(1, -1);
    const isIntricate = IS_INTRICATE.test(inner);
    if (isIntricate) this.#quoted.push(this.#pieces.length);
    this.#pieces.push(isIntricate ? spelled : inner);
  }

  /** A cell that holds what is written, quotes included. */
  addLiteral(cell: string): void {
    this.#pieces.push(printCell(cell));
  }

  /** The rows that have ended, and the one that has not. */
  rows(): [ended: string, begun: string] {
    if (this.#quoted.length > 0) this.#unquote();
    return [this.#pieces.slice(0, this.#row).join(''), this.#pieces.slice(this.#row).join('')];
  }

  #unquote(): void {
    // As a record each: for records of different lengths csv-parse makes errors, at 50 µs each, also when it is to allow them.
    const cells = parse(this.#quoted.map((at) => this.#pieces[at]).join('\n'), { record_delimiter: '\n' });
    for (const [place, at] of this.#quoted.entries()) this.#pieces[at] = printCell(cells[place]?.[0] as string);
  }

  #cellByCell(text: string): string {
    return text
      .split(new RegExp(`([${this.delimiter}\\n])`))
      .map((part, at) => (at % 2 === 0 ? printCell(part) : part === this.delimiter ? '\t' : part))
      .join('');
  }
}

export class SeparatedValues {
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
    const text = this.#open + block;
    const [ended, begun] = this.#tabbed(text, this.#open.length).rows();
    const isCut = this.#open !== '';
    let given = '';
    if (isCut && ended === '') this.#begun += begun;
    else {
      given = this.#begun + ended + (isCut ? '' : begun);
      this.#begun = isCut ? begun : '';
    }
    // What is left is a row, also where all that it has is a cell in quotes without anything in them.
    if (last && !isCut && text !== '' && !isLineBreak(text.charCodeAt(text.length - 1))) return `${given}\n`;
    return last || this.#open.length > ROW_LIMIT ? given + this.waiting : given;
  }

  /**
   * The text up to a cell that it does not close, which is kept in `#open`. Where a cell only begins with a quote, every quote in it is a
   * character. Blanks around a cell in quotes are no part of it, as where `", "` parts the cells: before and behind quotes that are closed
   * on their line. `searched`: so far nothing closes the cell that the text begins with.
   */
  #tabbed(text: string, searched: number): TabbedText {
    const tabbed = new TabbedText(this.delimiter);
    let copied = 0;
    this.#open = '';
    this.#opening.lastIndex = text.includes('"') ? 0 : text.length;
    for (let found = this.#opening.exec(text); found; found = this.#opening.exec(text)) {
      const quote = this.#opening.lastIndex - 1;
      const blanks = (found[1] as string).length;
      const cell = blanks > 0 ? this.#unwrapped(text, quote) : this.#quoted(text, quote, quote === 0 ? searched : 0);
      if (cell === 'open') {
        this.#open = text.substring(quote);
        tabbed.addPlain(text.substring(copied, quote));
        return tabbed;
      }
      if (blanks > 0 && cell === undefined) continue;
      tabbed.addPlain(text.substring(copied, quote - blanks));
      copied = cell?.end ?? this.#cellEnd(text, quote);
      if (cell) tabbed.addQuoted(cell.spelled);
      else tabbed.addLiteral(text.substring(quote, copied));
      this.#opening.lastIndex = copied;
    }
    tabbed.addPlain(text.substring(copied));
    return tabbed;
  }

  /** The cell in quotes that begins here, if it is one. `searched`: up to there nothing closes it. */
  #quoted(text: string, quote: number, searched: number): QuotedCell | 'open' | undefined {
    const after = afterClosing(text, Math.max(quote + 1, searched));
    if (after === 0) return 'open';
    if (this.#cellEnd(text, after) === after) return { spelled: text.substring(quote, after), end: after };
    return text.charCodeAt(after) === BLANK ? this.#unwrapped(text, quote) : undefined;
  }

  /** The cell in quotes that begins here, without the blanks behind it. */
  #unwrapped(text: string, quote: number): QuotedCell | undefined {
    this.#within.lastIndex = quote;
    const found = this.#within.exec(text);
    return found ? { spelled: found[1] as string, end: quote + found[0].length } : undefined;
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
