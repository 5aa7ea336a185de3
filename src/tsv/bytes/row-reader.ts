/** Text blocks → rows with true line numbers, plain ones and quoted ones. */
import { countLineBreaks, type Delimiter, isLineBreak } from '../dialect.js';
import { NextOf } from './next-of.js';
import { PlainReader } from './plain-reader.js';
import { QuotedReader } from './quoted-reader.js';
import { Row } from './row.js';
import { SeparatedValues } from './separated-values.js';

export class RowReader {
  readonly row = new Row();
  /** The text that rows are now read from: the block, led by an unfinished row of the one before; cells parted by TAB. */
  text = '';
  readonly #plain = new PlainReader();
  readonly #separated: SeparatedValues | undefined;
  #quoted: QuotedReader | undefined;
  #nul: NextOf | undefined;
  /** Position of the next row, how far rows are plain, and the line that the next row is on. */
  #at = 0;
  #plainTo = 0;
  #line = 1;
  /** The text is the last of the file; its last line has a line end. */
  #last = false;
  #closed = true;

  constructor(
    readonly delimiter: Delimiter,
    /** Line breaks inside cells do not count: the rows came from a spreadsheet. */
    private readonly rowsAreLines = false,
  ) {
    if (delimiter !== '\t') this.#separated = new SeparatedValues(delimiter);
  }

  /** Goes on with this text; rows of the former one must have been read. */
  load(block: string, last: boolean): void {
    const rest = this.text.substring(this.#at);
    const open = this.#quoted?.openFrom(this.#at);
    this.#last = last;
    if (block !== '') this.#closed = isLineBreak(block.charCodeAt(block.length - 1));
    this.text = rest + (this.#separated?.toTabs(block, last) ?? block);
    this.#at = 0;
    this.#nul = this.text.includes('\0') ? new NextOf(this.text, '\0') : undefined;
    this.#plain.load(this.text);
    const plain = !this.text.includes('"');
    this.#quoted = plain ? undefined : new QuotedReader(this.text, last, open);
    this.#plainTo = plain ? this.text.length : 0;
  }

  /**
   * Reads the next row into `row`; false when the text holds no further complete one.
   * @throws RegistryError file.quote-unclosed, file.not-understood
   */
  next(): boolean {
    if (this.#at >= this.#plainTo && !this.#findPlain()) return this.#nextQuoted();
    this.#at = this.#plain.read(this.row, this.#at);
    this.row.line = this.#line;
    this.row.lastLine = this.#line++;
    return true;
  }

  /** True when plain rows come next. */
  #findPlain(): boolean {
    if (this.#quoted === undefined) return false;
    this.#plainTo = this.#quoted.nextQuoted(this.#at);
    return this.#plainTo > this.#at;
  }

  #nextQuoted(): boolean {
    if (this.#quoted === undefined || this.#at >= this.text.length) return false;
    const after = this.#quoted.read(this.row, this.#at, this.#line);
    if (after === this.#at) return false;
    this.#at = after;
    if (this.rowsAreLines) this.row.lastLine = this.row.line;
    this.#line = this.row.lastLine + 1;
    return true;
  }

  /** Whether a cell of the row now read holds a NUL character. */
  get rowHasNul(): boolean {
    if (this.#nul === undefined) return false;
    const { row } = this;
    if (row.text !== this.text) return row.text.includes('\0');
    return this.#nul.from(row.starts[0] as number) < (row.ends[row.cells - 1] as number);
  }

  /** The file ends within the row now read: no line end closes it. */
  get endsFile(): boolean {
    return this.#last && !this.#closed && this.#at >= this.text.length;
  }

  /** Position in `text` up to which rows were read. */
  get position(): number {
    return this.#at;
  }

  /** Line on which the next row, or the next unread block, begins. */
  get nextLine(): number {
    return this.#line + countLineBreaks(this.text, this.#at) + countLineBreaks(this.#separated?.waiting ?? '');
  }
}
