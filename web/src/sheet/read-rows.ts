/**
 * Rows of a sheet's text, with the lines at which a text editor shows them: the service's dialect and its own rule of
 * quotes, for as much text as a browser holds. test/web/sheet.test.ts compares the two.
 */
import { countLineBreaks, type Delimiter } from '../../../src/tsv/dialect.js';
import { LITERAL, OPEN, QuoteFinder } from '../../../src/tsv/quotes.js';

export interface SheetRow {
  /** Line at which the row begins; the first is 1. */
  line: number;
  cells: string[];
}

export class UnclosedQuote extends Error {
  constructor(readonly line: number) {
    super(
      `A quoted cell that opens in line ${line} is never closed: add the missing quote, or take the first one away.`,
    );
    this.name = 'UnclosedQuote';
  }
}

/**
 * @param whole false when the text was cut, so that its last row may be incomplete and is left out
 * @throws UnclosedQuote only for whole texts
 */
export function* readRows(text: string, delimiter: Delimiter, whole = true): Generator<SheetRow> {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let line = 1;
  const quotes = new QuoteFinder(text, delimiter, whole);
  while (at < text.length) {
    const row: SheetRow = { line, cells: [] };
    for (;;) {
      const cell = readCell(text, at, delimiter, quotes);
      if (cell === undefined) {
        if (!whole) return;
        throw new UnclosedQuote(line);
      }
      row.cells.push(cell.text);
      line += cell.breaks;
      at = cell.end;
      if (text[at] !== delimiter) break;
      at += 1;
    }
    const ended = at < text.length;
    if (!ended && !whole) return;
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    yield row;
  }
}

interface Cell {
  text: string;
  /** Position of the delimiter or line end behind it. */
  end: number;
  /** Line breaks inside it. */
  breaks: number;
}

function readCell(text: string, from: number, delimiter: string, quotes: QuoteFinder): Cell | undefined {
  const closing = text[from] === '"' ? quotes.closing(from) : LITERAL;
  if (closing === OPEN) return undefined;
  if (closing !== LITERAL) {
    const inner = text.slice(from + 1, closing);
    return { text: inner.replaceAll('""', '"'), end: closing + 1, breaks: countLineBreaks(inner) };
  }
  let end = from;
  while (!endsCell(text, end, delimiter)) end += 1;
  return { text: text.slice(from, end), end, breaks: 0 };
}

const endsCell = (text: string, at: number, delimiter: string): boolean =>
  at >= text.length || text[at] === delimiter || text[at] === '\n' || text[at] === '\r';

/** Nothing in any cell. */
export const isBlankRow = ({ cells }: SheetRow): boolean => cells.every((cell) => cell.trim() === '');
