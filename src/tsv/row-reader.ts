/** Text blocks → rows with true line numbers, plain ones and quoted ones. */
import { countLineBreaks, type Delimiter } from './dialect.js';
import { PlainReader } from './plain-reader.js';
import { QuotedReader, unclosed } from './quoted-reader.js';
import { QuoteFinder } from './quotes.js';
import { Row } from './row.js';

export class RowReader {
  readonly row = new Row();
  /** The text that rows are now read from: the block, led by an unfinished record of the one before. */
  text = '';
  /** Some cell of this text holds a NUL character. */
  hasNul = false;
  readonly #plain = new PlainReader();
  readonly #quoted: QuotedReader;
  #finder: QuoteFinder | undefined;
  /** Position of the next row, how far rows are plain, and the line that the next row is on. */
  #at = 0;
  #plainTo = 0;
  #line = 1;
  #last = false;

  constructor(readonly delimiter: Delimiter) {
    this.#quoted = new QuotedReader(delimiter);
  }

  /** Goes on with this text; rows of the former one must have been read. */
  load(block: string, last: boolean): void {
    const rest = this.#at < this.text.length ? this.text.substring(this.#at) : '';
    const finder = this.#finder;
    const open =
      rest !== '' && finder
        ? { openQuote: finder.openQuote - this.#at, searched: finder.searched - this.#at }
        : undefined;
    this.text = rest + block;
    this.#at = 0;
    this.#last = last;
    this.hasNul = this.text.includes('\0');
    this.#plain.load(this.text);
    const always = this.delimiter !== '\t';
    if (always || rest !== '' || this.text.includes('"')) {
      this.#finder = new QuoteFinder(this.text, this.delimiter, last, open);
      this.#plainTo = 0;
    } else {
      this.#finder = undefined;
      this.#plainTo = this.text.length;
    }
  }

  /**
   * Reads the next row into `row`; false when the text holds no further complete one.
   * @throws RegistryError file.quote-unclosed, file.not-understood
   */
  next(): boolean {
    for (;;) {
      if (this.#at < this.#plainTo) {
        this.#at = this.#plain.read(this.row, this.#at);
        this.row.line = this.#line;
        this.row.lastLine = this.#line++;
        return true;
      }
      if (this.#quoted.next(this.row)) return true;
      if (this.#finder === undefined || this.#at >= this.text.length || !this.#goOn(this.#finder)) return false;
    }
  }

  /** Finds the next stretch of rows; false when only an unfinished record is left. */
  #goOn(finder: QuoteFinder): boolean {
    const any = this.delimiter !== '\t';
    if (!any) {
      this.#plainTo = finder.nextQuotedRecord(this.#at);
      if (this.#plainTo > this.#at) return true;
    }
    const after = this.#quoted.load(finder, this.text, this.#at, this.#line, any);
    if (after === this.#at) {
      if (this.#last) throw unclosed(this.text, this.#at, finder.openQuote, this.#line, this.delimiter);
      return false;
    }
    this.#at = after;
    this.#line = this.#quoted.lineAfter;
    return true;
  }

  /** Position in `text` up to which rows were read. */
  get position(): number {
    return this.#at;
  }

  /** Line on which the next row, or the next unread block, begins. */
  get nextLine(): number {
    return this.#line + (this.#at < this.text.length ? countLineBreaks(this.text, this.#at) : 0);
  }
}
