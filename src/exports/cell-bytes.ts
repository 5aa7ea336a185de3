/**
 * Cells of a row copied as the bytes that they are in the store, for the rows of sheets that hold nothing to look at closely,
 * which is nearly all: a tenth of a second for 1 000 000 rows of 200 bytes, where texts of them take half a second.
 */
import type { RowBytes } from '../registry/samples/whole-result.js';
import { CLEAR_MARKER } from '../tsv/dialect.js';
import { FORMULA_SIGNS } from '../tsv/print/sample-sheet.js';

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE, QUOTE, COMMA] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c] as const;
const MARKER = CLEAR_MARKER.charCodeAt(0);
const BEYOND_ASCII = 0x80;

/** Of bytes. */
enum Kind {
  Plain,
  Tab,
  /** Only where commas stand between cells. */
  Comma,
  /** Begins a formula where it begins a cell, or may be part of a sign that does. */
  Sign,
  /** Its cell is quoted, or may be one that clears. */
  Look,
}

export class CellBytes {
  /** How many cells were put. */
  cells = 0;
  readonly separator: number;
  readonly #kinds: Uint8Array;

  constructor(format: 'tsv' | 'csv') {
    this.separator = format === 'csv' ? COMMA : TAB;
    const signs = [...FORMULA_SIGNS].map((sign) => sign.charCodeAt(0));
    this.#kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
      if (byte === TAB) return Kind.Tab;
      if ([LINE_FEED, CARRIAGE_RETURN, QUOTE, MARKER].includes(byte)) return Kind.Look;
      if (byte >= BEYOND_ASCII || signs.includes(byte)) return Kind.Sign;
      return byte === this.separator ? Kind.Comma : Kind.Plain;
    });
  }

  /** Blanks around it, and what may be a blank beyond ASCII, are looked at elsewhere. */
  isPlainName({ bytes, name, doc }: RowBytes): boolean {
    const [first, last] = [bytes[name] as number, bytes[doc - 1] as number];
    if (name === doc || first <= SPACE || last <= SPACE || first >= BEYOND_ASCII || last >= BEYOND_ASCII) return false;
    const tab = bytes.indexOf(TAB, name);
    return tab === -1 || tab >= doc;
  }

  /** Where the cells end; -1 when one of them needs a look, as one does that may be a formula where formulas are kept out. */
  put(source: Uint8Array, from: number, end: number, into: Uint8Array, at: number, keepsOutFormulas: boolean): number {
    const [kinds, separator] = [this.#kinds, this.separator];
    let cells = 1;
    let start = at;
    let hasComma = false;
    for (let next = from; next < end; next++) {
      const byte = source[next] as number;
      const kind = kinds[byte] as Kind;
      if (kind === Kind.Plain) {
        into[at++] = byte;
      } else if (kind === Kind.Tab) {
        if (hasComma) at = quoted(into, start, at);
        into[at++] = separator;
        start = at;
        hasComma = false;
        cells++;
      } else if (kind === Kind.Look || (kind === Kind.Sign && keepsOutFormulas && at === start)) {
        return -1;
      } else {
        hasComma ||= kind === Kind.Comma;
        into[at++] = byte;
      }
    }
    this.cells = cells;
    return hasComma ? quoted(into, start, at) : at;
  }
}

function quoted(into: Uint8Array, start: number, end: number): number {
  into.copyWithin(start + 1, start, end);
  into[start] = QUOTE;
  into[end + 1] = QUOTE;
  return end + 2;
}

/** Bytes of a text that is ASCII. */
export function putAscii(text: string, into: Uint8Array, at: number): number {
  for (let code = 0; code < text.length; code++) into[at++] = text.charCodeAt(code);
  return at;
}
