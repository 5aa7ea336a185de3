/**
 * The row of a file's head that is its header, the first that names samples: blank rows, `#` rows, titles and what
 * another format writes above its table are passed over.
 */
import { RegistryError } from '../../registry/errors.js';
import type { Head } from '../bytes/head-rows.js';
import { COLUMN_LIMIT, DELIMITERS, type Delimiter, HEADER_ROWS } from '../dialect.js';
import { blocksOf } from './beside-table.js';
import { headerTooFar, tooManyColumns } from './header-errors.js';
import { type HeaderOptions, type HeaderRow, HeaderSearch } from './header-search.js';
import { columnTitle, isNamed } from './name-column.js';
import { beginsSection } from './preamble.js';
import { withRowNames } from './row-names.js';
import { namesInGroups, namesOfTwoRows } from './two-rows.js';
import { headless, rowNumbers, withUnits } from './unnamed-columns.js';

/**
 * With the first delimiter that gives a column for names; else the first row that could have been a header.
 * @throws RegistryError file.header when a row in front of what could be the header is wider than any
 */
export function findHeader(head: Head, options: HeaderOptions = {}): HeaderRow | undefined {
  let fallback: HeaderRow | undefined;
  let wide: HeaderRow | undefined;
  /** Cells of its row as it stands. */
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const byTabs = fallback?.delimiter === '\t' && most > 1 ? fallback : undefined;
    const found = byTabs ? headerWithTabs(byTabs, head, delimiter, options) : headerRow(head, delimiter, options);
    if (found && isWide(found)) {
      wide ??= found;
      if (delimiter === '\t') break;
      continue;
    }
    const row = found && overRowNames(found, head, options);
    if (row?.named) return withoutNames(belowNotes(row, head), head);
    if (row && found.cells.length > most) {
      fallback = row;
      most = found.cells.length;
    }
  }
  if (wide) throw tooManyColumns(wide.headerLine, wide.cells.length);
  return fallback;
}

/**
 * A row with TABs is meant to be split at them, unless it has another sign too, and split by that it, or a row above, names samples and has
 * more columns: there is a TAB in the name of one.
 */
function headerWithTabs(
  byTabs: HeaderRow,
  head: Head,
  delimiter: Delimiter,
  options: HeaderOptions,
): HeaderRow | undefined {
  if (!byTabs.cells.some((cell) => cell.includes(delimiter))) return undefined;
  const found = headerRow(head, delimiter, options);
  const isHeader =
    found?.named && !isWide(found) && found.headerLine <= byTabs.headerLine && found.cells.length > byTabs.cells.length;
  return isHeader ? found : undefined;
}

/** No header is: whoever looks on, splits a megabyte of nothing but cells once more for each thing to look for. */
const isWide = ({ cells }: HeaderRow): boolean => cells.length > COLUMN_LIMIT;

/** The header row as wide as the rows below it, where these begin with names of theirs. */
function overRowNames(row: HeaderRow, head: Head, options: HeaderOptions): HeaderRow {
  if (row.below) return row;
  const cells = withRowNames(row.cells, cellsBelow(row, head), row.named);
  if (cells === row.cells) return row;
  const { nameColumn } = options;
  const isNames = !row.named && nameColumn !== undefined && isNamed(columnTitle('', 0), nameColumn);
  return { ...row, cells, ...(isNames ? { named: true, nameColumn } : {}) };
}

/** Rows below a header among which it may say that the samples stand below. */
const NOTES = 10;
const STANDS_BELOW =
  /^\W*(?:please )?(?:fill|enter|add|insert|type|write|paste|put|start|begin|your|data|samples?|no|do not|don't)\b.*\b(?:above|below|under(?:neath)?) (?:this|the) (?:row|line)\b/i;

/** The header with all rows down to one that says so: `FILL OUT INFORMATION BELOW THIS ROW`. */
function belowNotes(row: HeaderRow, head: Head): HeaderRow {
  const notes: (readonly string[])[] = [];
  for (const { lastLine, cells } of head.rowsBelow(row)) {
    notes.push(cells);
    const texts = cells.filter((cell) => cell.trim() !== '');
    if (texts.length === 1 && STANDS_BELOW.test((texts[0] as string).slice(0, 200)))
      return { ...row, headerEnd: lastLine, below: [...(row.below ?? []), ...notes] };
    if (notes.length === NOTES) break;
  }
  return row;
}

/** The header row with what the rows below say of columns that it gives no name of their own. */
function withoutNames(row: HeaderRow, head: Head): HeaderRow {
  const below = () => cellsBelow(row, head);
  const isNames = (column: number): boolean =>
    row.nameColumn !== undefined && isNamed(columnTitle(row.cells[column] as string, column), row.nameColumn);
  const ours = !row.profile && !row.groups;
  const numbers = ours ? rowNumbers(row.cells, below).filter((column) => !isNames(column)) : [];
  const cells = ours ? withUnits(row.cells, below) : row.cells;
  const rows = () => rowsOfSection(row, head);
  const lost = headless(cells, rows, isNames);
  const blocks = blocksOf(cells, rows);
  return {
    ...row,
    cells,
    ...(numbers.length > 0 ? { rowNumbers: numbers } : {}),
    ...(lost.length > 0 ? { headless: lost } : {}),
    ...(blocks.length > 0 ? { blocks } : {}),
  };
}

/** The rows below a header, down to where another section of its file begins. */
function* rowsOfSection(header: HeaderRow, head: Head): Generator<readonly string[]> {
  for (const cells of cellsBelow(header, head)) {
    if (beginsSection(cells, header)) return;
    yield cells;
  }
}

/** Rows below a header that are looked at for units, labels and remarks before the first sample. */
const MOST_BELOW = 1_000;

function headerRow(head: Head, delimiter: Delimiter, options: HeaderOptions): HeaderRow | undefined {
  const search = new HeaderSearch(options);
  let below = 0;
  try {
    for (const seen of rowsOfHead(head, delimiter, search)) {
      if (!search.found && isWide(seen)) return seen;
      if (search.found && ++below > MOST_BELOW) break;
      const found = search.found ? search.lookBelow(seen) : search.look(seen);
      if (found) return search.withWanted(found);
    }
  } catch (error) {
    // Rows below what may be the header are looked at only to see whether one of them is: by another delimiter they read well.
    if ((search.found ?? search.plain) === undefined || !(error instanceof RegistryError)) throw error;
  }
  const row = search.found ?? search.plain ?? (head.complete ? search.meant : undefined);
  return row && search.withWanted(row);
}

/** Headers in two rows of which the rows below are looked at: for each the head is read anew, and a head may be all such rows. */
const MOST_LOOKS = 20;

/** The filled rows of a head; while none is found that is the header, two that are one header are one of them. */
function* rowsOfHead(head: Head, delimiter: Delimiter, search: HeaderSearch): Generator<HeaderRow> {
  let held: HeaderRow | undefined;
  let rows = 0;
  let looks = 0;
  const samplesBelow = (row: HeaderRow) => (): Iterable<readonly string[]> =>
    ++looks > MOST_LOOKS ? [] : cellsBelow(row, head);
  try {
    for (const { line: headerLine, lastLine: headerEnd, cells } of head.rows(delimiter)) {
      if (++rows > HEADER_ROWS) throw headerTooFar(headerLine);
      if (cells.length === 0) continue;
      const seen = { delimiter, headerLine, headerEnd, cells: [...cells], named: false };
      const before = held;
      const mayJoin = before && !search.found && !isWide(before) && !isWide(seen);
      const joined = mayJoin ? joinedRows(before, seen, search, samplesBelow(seen)) : undefined;
      held = joined ? undefined : seen;
      if (joined) yield joined;
      else if (before) yield before;
    }
  } catch (error) {
    if (held) yield held;
    throw error;
  }
  if (held) yield held;
}

/** Two rows as one header, unless either is one that somebody has written a profile for. */
function joinedRows(
  first: HeaderRow,
  second: HeaderRow,
  search: HeaderSearch,
  samples: () => Iterable<readonly string[]>,
): HeaderRow | undefined {
  const names =
    namesOfTwoRows(first.cells, second.cells, samples) ??
    (search.isNamed(second.cells) ? namesInGroups(first.cells, second.cells) : undefined);
  if (!names || search.isKept(first) || search.isKept(second)) return undefined;
  // The column that was said to name the samples is called by the first row alone.
  if (search.isNamed(first.cells) && !search.isNamed(names)) return undefined;
  const groups = names.map((_, column) => first.cells[column] ?? '');
  return { ...first, cells: names, headerEnd: second.headerEnd, groups, below: [second.cells] };
}

function* cellsBelow(header: HeaderRow, head: Head): Generator<readonly string[]> {
  for (const { cells } of head.rowsBelow(header)) yield cells;
}
