/** The rows of the head of a file. */
import { RegistryError } from '../../registry/errors.js';
import { type Delimiter, HEADER_ROWS } from '../dialect.js';
import type { Row } from './row.js';
import { RowReader } from './row-reader.js';

/** UTF-16 units of the head that are split at a time. */
const PIECE = 16 * 1024;

/**
 * Rows of a head that anybody looks at, those behind the header among them: its header is looked for on the thread that answers
 * requests, and a megabyte may be half a million rows.
 */
const MOST_ROWS = 2 * HEADER_ROWS;

/** The rows of a head of the file, read a piece at a time: what stands at its top is not worth splitting all of it. */
export function* headRows(
  text: string,
  complete: boolean,
  reader: RowReader,
  rows: { next(): boolean },
): Generator<Row> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = lineEnd(text, from + PIECE);
    reader.load(text.substring(from, to), complete && to === text.length);
    while (rows.next()) yield reader.row;
  }
}

/** Where the line ends that this position lies in. */
function lineEnd(text: string, from: number): number {
  const lineBreak = /\r\n?|\n/g;
  lineBreak.lastIndex = from;
  return lineBreak.test(text) ? lineBreak.lastIndex : text.length;
}

/** A row of a head, kept. */
export interface HeadRow {
  line: number;
  lastLine: number;
  /** As written; none of a blank row. */
  cells: readonly string[];
}

/** The head of a text, which is split once by each delimiter, as far as somebody looks: many things are looked for in its first rows. */
export class Head {
  readonly #split = new Map<Delimiter, SplitRows>();

  constructor(
    readonly text: string,
    /** Nothing follows it. */
    readonly complete: boolean,
    private readonly rowsAreLines?: true,
  ) {}

  /** From its top on, up to `MOST_ROWS`. @throws RegistryError file.quote-unclosed, file.not-understood */
  rows(delimiter: Delimiter): Iterable<HeadRow> {
    let split = this.#split.get(delimiter);
    if (split === undefined) {
      split = new SplitRows(this.text, this.complete, new RowReader(delimiter, this.rowsAreLines));
      this.#split.set(delimiter, split);
    }
    return split;
  }

  /** The filled rows below a header. What cannot be split is left out: whoever reads the file says where. */
  *rowsBelow({ delimiter, headerEnd }: { delimiter: Delimiter; headerEnd: number }): Generator<HeadRow> {
    try {
      for (const row of this.rows(delimiter)) if (row.line > headerEnd && row.cells.length > 0) yield row;
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
    }
  }
}

/** Rows as far as somebody has looked, and where nothing more can be split, why. */
class SplitRows {
  readonly #seen: HeadRow[] = [];
  readonly #rest: Iterator<Row>;
  #failed: unknown;

  constructor(text: string, complete: boolean, reader: RowReader) {
    this.#rest = headRows(text, complete, reader, reader);
  }

  *[Symbol.iterator](): Generator<HeadRow> {
    for (let at = 0; at < MOST_ROWS; at++) {
      const row = this.#seen[at] ?? this.#next();
      if (row === undefined) return;
      yield row;
    }
  }

  #next(): HeadRow | undefined {
    if (this.#failed !== undefined) throw this.#failed;
    try {
      const { value: row, done } = this.#rest.next();
      if (done) return undefined;
      const { line, lastLine } = row;
      const seen = { line, lastLine, cells: row.firstFilled() < 0 ? [] : row.toCells() };
      this.#seen.push(seen);
      return seen;
    } catch (error) {
      this.#failed = error;
      throw error;
    }
  }
}
