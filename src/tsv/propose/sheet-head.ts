/** The head of a text → which of its rows is the header, and the rows of samples below it. */
import { RegistryError } from '../../registry/errors.js';
import { Head } from '../bytes/head-rows.js';
import { DELIMITERS, type Delimiter } from '../dialect.js';
import { isOnlyIn, numberColumns } from '../forms/numbered-rows.js';
import { saysOfColumns } from '../header/column-notes.js';
import type { SheetOptions } from '../header/columns.js';
import { findHeader } from '../header/find-header.js';
import { columnKind } from '../header/header-name.js';
import type { HeaderOptions } from '../header/header-search.js';
import { firstText, isBelowHeader } from '../header/preamble.js';
import type { KnownProfile } from '../header/profile.js';
import { withRowNames } from '../header/row-names.js';
import { apartFrom } from '../header/two-rows.js';
import { isUnitsRow } from '../header/units.js';
import { isRule } from '../rows/data-rows.js';
import { HEADER_ROWS, headerByLooks, likelyHeader, secondRow, type TopRow, width } from './likely-header.js';
import { refusePlate } from './plate-map.js';
import { filled, linesInFront } from './rows-in-front.js';

/** Bytes of a text that are looked at. */
export const LOOKED_AT = 256 * 1024;
/** Rows that are looked at for values, fewer of wide ones, and rows from the top that are shown. */
const ROWS = 200;
const CELLS = 20_000;
const TOP_ROWS = 30;

export interface FoundTable {
  delimiter: Delimiter;
  /** From 1; of a workbook the number of its row. */
  headerLine: number;
  header: string[];
  rows: string[][];
  /** The first rows of the sheet as they stand, for whoever says that another one is the header. */
  top: TopRow[];
  /** It is one of ours, or a profile reads it. */
  known: boolean;
  readBy?: KnownProfile;
}

/**
 * @param headerLine the line that somebody has said to be the header
 * @throws RegistryError file.header when the text has no such row, or none at all; file.wrong-kind where it is the map of a plate
 */
export function findTable(
  text: string,
  complete: boolean,
  options: HeaderOptions & Pick<SheetOptions, 'rowsAreLines'> & { headerLine?: number },
): FoundTable {
  const { headerLine, rowsAreLines, ...reading } = options;
  const head = new Head(text, complete, rowsAreLines);
  const found = headerLine === undefined ? recognised(head, reading) : undefined;
  if (found?.named) {
    const all = filledRows(head, found.delimiter);
    const table = tableAt(all, found.delimiter, found.headerLine, found.headerEnd);
    return {
      ...table,
      header: found.groups ? found.cells : overRows(table, true),
      known: true,
      ...(found.profile ? { readBy: found.profile.known } : {}),
    };
  }
  const table = likelyTable(head, headerLine);
  if (!table)
    throw new RegistryError(
      'file.header',
      headerLine === undefined
        ? 'The sheet has no row with text in it.'
        : `Line ${headerLine} of the sheet is empty or not among its first ${ROWS} rows.`,
      { extra: { line: headerLine ?? 1 } },
    );
  return { ...table, header: overRows(table, false), known: false };
}

const overRows = ({ header, rows }: Pick<FoundTable, 'header' | 'rows'>, named: boolean): string[] =>
  withRowNames(header, rows, named);

/** What looks most like a table in a text of which no header is known; undefined where it has no such row. */
function likelyTable(head: Head, headerLine?: number): Omit<FoundTable, 'known'> | undefined {
  const { delimiter, all } = likelySplit(head);
  if (headerLine === undefined) refusePlate(head, delimiter);
  const header = all.find(({ line }) => line === (headerLine ?? likelyHeader(all)));
  if (!header) return undefined;
  const second = secondRow(all, header);
  const table = tableAt(all, delimiter, header.line, (second ?? header).line);
  return second ? { ...table, header: second.names } : table;
}

/** Share of a header's cells below which a row above it is a title. */
const TITLE_SHARE = 0.6;

interface FirstRow {
  cells: string[];
  headerLine: number;
  headerEnd: number;
  groups?: readonly string[];
}

/**
 * The table of a text in which no row is a header, where the row `plain` could have been one, and one above it that is marked by `#`. A row
 * below the first is taken for the header that looks like one and is much wider, or than which that one only stands in front.
 */
export function tableWithoutNames(
  head: Head,
  plain: FirstRow,
  marked?: FirstRow,
): Pick<FoundTable, 'header' | 'headerLine' | 'rows'> {
  const { delimiter, all } = likelySplit(head);
  const inFront = linesInFront(all);
  const isMeant = marked !== undefined && !inFront.has(marked.headerLine);
  const first = isMeant ? marked : plain;
  const likely = isMeant ? undefined : headerByLooks(all);
  const isTitle =
    likely !== undefined &&
    (filled(first) < filled(likely) * TITLE_SHARE || (inFront.has(first.headerLine) && likely.line > first.headerLine));
  const { cells, headerLine, headerEnd } = isTitle
    ? { cells: likely.cells, headerLine: likely.line, headerEnd: likely.line }
    : first;
  const { rows } = tableAt(all, delimiter, headerLine, headerEnd);
  return { header: isTitle || !first.groups ? overRows({ header: cells, rows }, false) : cells, headerLine, rows };
}

interface SplitRows {
  delimiter: Delimiter;
  all: TopRow[];
}

/** The rows by the delimiter that makes the widest table of them. */
function likelySplit(head: Head): SplitRows {
  let best: SplitRows | undefined;
  for (const delimiter of DELIMITERS) {
    const split = { delimiter, all: filledRows(head, delimiter) };
    // Vertical bars part values within cells, too, but not in the header of such a table.
    const parts = delimiter !== '|' || best === undefined || firstParted(split.all) <= firstParted(best.all);
    if (best === undefined || (parts && width(split.all) > width(best.all))) best = split;
    // A table with TABs is meant to be split at them.
    if (delimiter === '\t' && width(split.all) > 1) break;
  }
  return best as SplitRows;
}

/** The sign that parts the cells of a text of which no row is known to be a header. */
export const likelyDelimiter = (head: Head): Delimiter => likelySplit(head).delimiter;

const firstParted = (rows: readonly TopRow[]): number => rows.find((row) => filled(row) > 1)?.line ?? Infinity;

/** A sheet that two profiles fit, or that is changed, is no known one: its columns are proposed. */
function recognised(head: Head, options: HeaderOptions): ReturnType<typeof findHeader> {
  try {
    const found = findHeader(head, options);
    return found?.changed ? undefined : found;
  } catch (error) {
    if (error instanceof RegistryError && error.code === 'file.header') return undefined;
    throw error;
  }
}

function filledRows(head: Head, delimiter: Delimiter): TopRow[] {
  const rows: TopRow[] = [];
  let seen = 0;
  try {
    for (const { line, cells } of head.rows(delimiter)) {
      if (cells.length === 0) continue;
      rows.push({ line, cells: [...cells] });
      seen += cells.length;
      if (rows.length >= ROWS + HEADER_ROWS || (seen >= CELLS && rows.length >= HEADER_ROWS)) break;
    }
  } catch (error) {
    // By this delimiter a quote is never closed: it is another one, or what was read so far is all that can be shown.
    if (!(error instanceof RegistryError)) throw error;
  }
  return rows;
}

/** Remarks, rows of types and lines that are drawn; a row of several cells that begins with # may be of a sample called so. */
function isNoSample(row: TopRow, delimiter: Delimiter): boolean {
  const first = firstText(row.cells);
  if (isBelowHeader(first) || (first.startsWith('#') && filled(row) === 1)) return true;
  return delimiter === '|' && isRule(row.cells);
}

/** Of units, or of what the columns hold: where nobody knows yet which of them names the samples, the first one may. */
const isNote = (header: readonly string[], row: readonly string[]): boolean =>
  isUnitsRow(apartFrom(header, row)) || saysOfColumns(row, row.slice(0, 1));

/** Without those of a form that have nothing but their number. */
function filledIn(header: readonly string[], rows: string[][]): string[][] {
  const numbers = numberColumns(header, rows);
  if (numbers.length === 0) return rows;
  const filled = rows.filter((cells) => !isOnlyIn(numbers, cells));
  return filled.length > 0 ? filled : rows;
}

function tableAt(
  all: readonly TopRow[],
  delimiter: Delimiter,
  headerLine: number,
  headerEnd: number,
): Omit<FoundTable, 'known'> {
  const header = all.find(({ line }) => line === headerLine)?.cells ?? [];
  while (header.length > 1 && header.at(-1)?.trim() === '') header.pop();
  const rows = all
    .filter((row) => row.line > headerEnd && !isNoSample(row, delimiter))
    .slice(0, ROWS)
    .map(({ cells }) => cells);
  while (rows[0] && isNote(header, rows[0])) rows.shift();
  return { delimiter, headerLine, header, rows: filledIn(header, rows), top: all.slice(0, TOP_ROWS) };
}

/** Whether a sheet of which nobody has said anything is read as it stands, each column by its header. */
export const isPlainlyOurs = ({ known, header }: Pick<FoundTable, 'known' | 'header'>): boolean =>
  known && header.every((text) => columnKind(text).kind !== 'unknown');
