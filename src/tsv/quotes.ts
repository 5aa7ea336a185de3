/**
 * Where quoted cells begin and end, and so where records end. A cell is quoted when it is wholly `"…"` with inner
 * quotes doubled; every other quote is an ordinary character. Works by hopping from quote to quote.
 */
import { type Delimiter, isLineBreak } from './dialect.js';

const QUOTE = 34;

/** The closing quote is not in this text, but may follow in the next block. */
export const OPEN = -1;
/** The cell only begins with a quote: it is not quoted. */
export const LITERAL = -2;

/** Finds positions of one character in rising order, searching each stretch of text once. */
class NextOf {
  #at = -1;
  constructor(
    private readonly text: string,
    private readonly sought: string,
  ) {}

  from(position: number): number {
    if (this.#at < position) {
      const found = this.text.indexOf(this.sought, position);
      this.#at = found < 0 ? this.text.length : found;
    }
    return this.#at;
  }
}

/** One record of which at least one cell is quoted. */
export interface QuotedRecord {
  from: number;
  /** After the line end. */
  to: number;
  /** Unquoted cells that begin with a quote: start and end, two numbers each. */
  literals: number[];
}

export class QuoteFinder {
  readonly #delimiter: number;
  readonly #quote: NextOf;
  readonly #separator: NextOf;
  readonly #lf: NextOf;
  readonly #cr: NextOf;
  /** An opening quote that is still open at the end of this text, and how far the search for its end came. */
  openQuote = -1;
  searched = -1;

  constructor(
    private readonly text: string,
    delimiter: Delimiter,
    /** No text follows. */
    private readonly last: boolean,
    /** What an earlier finder found out about the beginning of this text. */
    resume?: { openQuote: number; searched: number },
  ) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#quote = new NextOf(text, '"');
    this.#separator = new NextOf(text, delimiter);
    this.#lf = new NextOf(text, '\n');
    this.#cr = new NextOf(text, '\r');
    if (resume) {
      this.openQuote = resume.openQuote;
      this.searched = resume.searched;
    }
  }

  /** Position of the next record from `from` on (a record's start) that holds a quoted cell, or the length of the text. */
  nextQuotedRecord(from: number): number {
    for (let at = this.#quote.from(from); at < this.text.length; at = this.#quote.from(at + 1)) {
      if (this.#opensCell(at, from) && this.closing(at) !== LITERAL) return this.#lineStart(at, from);
    }
    return this.text.length;
  }

  /** The record at `from`; `open` when its end is not in this text, undefined when none of its cells is quoted and `any` is not set. */
  record(from: number, any: boolean): QuotedRecord | 'open' | undefined {
    const literals: number[] = [];
    let quoted = any;
    let at = from;
    for (;;) {
      if (this.text.charCodeAt(at) === QUOTE) {
        const closing = this.closing(at);
        if (closing === OPEN) return 'open';
        if (closing === LITERAL) {
          const end = this.#cellEnd(at);
          literals.push(at, end);
          at = end;
        } else {
          quoted = true;
          at = closing + 1;
        }
      } else {
        at = this.#cellEnd(at);
      }
      if (at >= this.text.length || isLineBreak(this.text.charCodeAt(at))) break;
      at++;
    }
    return quoted ? { from, to: this.#afterLineBreak(at), literals } : undefined;
  }

  /** The quote that closes the cell opened at `quote`, or LITERAL, or OPEN. */
  closing(quote: number): number {
    let at = quote === this.openQuote ? this.searched : quote + 1;
    for (;;) {
      const found = this.text.indexOf('"', at);
      if (found < 0 || (found === this.text.length - 1 && !this.last)) {
        this.openQuote = quote;
        this.searched = found < 0 ? this.text.length : found;
        return OPEN;
      }
      const after = this.text.charCodeAt(found + 1);
      if (after === QUOTE) at = found + 2;
      else if (found + 1 === this.text.length || after === this.#delimiter || isLineBreak(after)) return found;
      else return LITERAL;
    }
  }

  #opensCell(quote: number, recordStart: number): boolean {
    if (quote === recordStart) return true;
    const before = this.text.charCodeAt(quote - 1);
    return before === this.#delimiter || isLineBreak(before);
  }

  #lineStart(at: number, notBefore: number): number {
    let start = at;
    while (start > notBefore && !isLineBreak(this.text.charCodeAt(start - 1))) start--;
    return start;
  }

  #cellEnd(from: number): number {
    return Math.min(this.#separator.from(from), this.#lf.from(from), this.#cr.from(from));
  }

  #afterLineBreak(at: number): number {
    if (at >= this.text.length) return at;
    return this.text.charCodeAt(at) === 13 && this.text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
  }
}
