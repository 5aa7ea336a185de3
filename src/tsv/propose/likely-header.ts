/** Which row of a sheet of which nobody has said anything looks like its header. */
import { namesOfTwoRows, saysFigures } from '../header/two-rows.js';
import { filled, linesInFront, textsOf } from './rows-in-front.js';

/** Rows from the top among which the header is looked for. */
export const HEADER_ROWS = 20;

export interface TopRow {
  line: number;
  cells: string[];
}

/** Of a header in two rows the line of the second, and the names of both. */
export function secondRow(all: readonly TopRow[], first: TopRow): { line: number; names: string[] } | undefined {
  const [second, ...samples] = all.slice(all.indexOf(first) + 1);
  const names = second && namesOfTwoRows(first.cells, second.cells, () => samples.map(({ cells }) => cells));
  return names && { line: second.line, names };
}

/** Cells of a row in the middle of the first ones by size. */
export function width(rows: readonly TopRow[]): number {
  const widths = rows
    .slice(0, HEADER_ROWS)
    .map(filled)
    .sort((a, b) => a - b);
  return widths[widths.length >> 1] ?? 0;
}

/** The row that looks like a header; else the first as wide as the table. */
export function likelyHeader(rows: readonly TopRow[]): number | undefined {
  const top = withoutFront(rows);
  const widest = width(top);
  return (headerByLooks(rows) ?? top.find((row) => filled(row) >= widest) ?? top[0])?.line;
}

/** The rows among which the header is; all, where nothing else is there. */
function withoutFront(rows: readonly TopRow[]): readonly TopRow[] {
  const inFront = linesInFront(rows);
  const others = rows.filter(({ line }) => !inFront.has(line));
  return (others.length > 0 ? others : rows).slice(0, HEADER_ROWS);
}

/** The first row that is about as wide as the table and holds words that are all different, no numbers and no dates. */
export function headerByLooks(rows: readonly TopRow[]): TopRow | undefined {
  const top = withoutFront(rows);
  const widest = width(top);
  const isHeader = (row: TopRow): boolean => {
    const texts = textsOf(row);
    const words = texts.filter((text) => !saysFigures(text));
    return (
      texts.length >= widest * 0.6 && words.length >= texts.length * 0.8 && new Set(texts).size >= texts.length * 0.8
    );
  };
  const at = top.findIndex((row) => isHeader(row));
  const [found, below] = [top[at], top[at + 1]];
  for (const row of top.slice(Math.max(0, at - 1), at + 1)) if (secondRow(rows, row)) return row;
  if (found && below && isHeader(below) && namesGroups(found, below, rows.slice(at + 2))) return below;
  return found;
}

/** A row above the header names groups of columns: each text is followed by gaps, under which the header goes on. */
function namesGroups({ cells }: TopRow, below: TopRow, samples: readonly TopRow[]): boolean {
  const first = cells.findIndex((cell) => cell.trim() !== '');
  const header = below.cells.map((cell) => cell.trim());
  const gaps = header.filter((text, at) => at > first && text !== '' && (cells[at] ?? '').trim() === '').length;
  // The first of several samples below a header with gaps has what others have, too.
  return (
    gaps >= 2 && !samples.some((row) => row.cells.some((cell, at) => cell.trim() !== '' && cell.trim() === header[at]))
  );
}
