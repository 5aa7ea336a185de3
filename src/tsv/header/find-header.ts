/**
 * The row of a file's head that is its header, the first that names samples: blank rows, `#` rows, titles and what
 * another format writes above its table are passed over.
 */
import { RegistryError } from '../../registry/errors.js';
import { headRows, rowsBelow } from '../bytes/head-rows.js';
import { RowReader } from '../bytes/row-reader.js';
import { DELIMITERS, HEADER_ROWS } from '../dialect.js';
import { headerTooFar } from './header-errors.js';
import { type HeaderOptions, type HeaderRow, HeaderSearch } from './header-search.js';
import { columnTitle, isNamed } from './name-column.js';
import { type RowStart, withRowNames } from './row-names.js';
import { namesInGroups, namesOfTwoRows } from './two-rows.js';

/** With the first delimiter that gives a column for names; else the first row that could have been a header. */
export function findHeader(text: string, complete: boolean, options: HeaderOptions = {}): HeaderRow | undefined {
  let fallback: HeaderRow | undefined;
  /** Cells of its row as it stands. */
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const found = headerRow(text, complete, new RowReader(delimiter, options.rowsAreLines), options);
    const row = found && overRowNames(found, text, options);
    if (row?.named) return row;
    if (row && found.cells.length > most) {
      fallback = row;
      most = found.cells.length;
    }
    // A row with TABs is meant to be split at them.
    if (delimiter === '\t' && most > 1) break;
  }
  return fallback;
}

/** The header row as wide as the rows below it, where these begin with names of theirs. */
function overRowNames(row: HeaderRow, text: string, options: HeaderOptions): HeaderRow {
  if (row.below) return row;
  const cells = withRowNames(row.cells, startsBelow(row, text, options), row.named);
  if (cells === row.cells) return row;
  const { nameColumn } = options;
  const isNames = !row.named && nameColumn !== undefined && isNamed(columnTitle('', 0), nameColumn);
  return { ...row, cells, ...(isNames ? { named: true, nameColumn } : {}) };
}

function* startsBelow(header: HeaderRow, text: string, { rowsAreLines }: HeaderOptions): Generator<RowStart> {
  for (const row of rowsBelow(header, text, rowsAreLines)) yield [row.cells, row.raw(0)];
}

function headerRow(text: string, complete: boolean, reader: RowReader, options: HeaderOptions): HeaderRow | undefined {
  const search = new HeaderSearch(options);
  try {
    for (const seen of rowsOfHead(text, complete, reader, search, options)) {
      const found = search.found ? search.lookBelow(seen) : search.look(seen);
      if (found) return search.withWanted(found);
    }
  } catch (error) {
    // Rows below what may be the header are looked at only to see whether one of them is: by another delimiter they read well.
    if ((search.found ?? search.plain) === undefined || !(error instanceof RegistryError)) throw error;
  }
  const row = search.found ?? search.plain ?? (complete ? search.meant : undefined);
  return row && search.withWanted(row);
}

/** Headers in two rows of which the rows below are looked at: for each the head is read anew, and a head may be all such rows. */
const MOST_LOOKS = 20;

/** The filled rows of a head; while none is found that is the header, two that are one header are one of them. */
function* rowsOfHead(
  text: string,
  complete: boolean,
  reader: RowReader,
  search: HeaderSearch,
  options: HeaderOptions,
): Generator<HeaderRow> {
  let held: HeaderRow | undefined;
  let rows = 0;
  let looks = 0;
  const samplesBelow = (row: HeaderRow) => (): Iterable<string[]> =>
    ++looks > MOST_LOOKS ? [] : cellsBelow(row, text, options);
  try {
    for (const row of headRows(text, complete, reader, reader)) {
      if (row.firstFilled() < 0) continue;
      if (++rows > HEADER_ROWS) throw headerTooFar(row.line);
      const place = { delimiter: reader.delimiter, headerLine: row.line, headerEnd: row.lastLine };
      const seen = { ...place, cells: row.toCells(), named: false };
      const before = held;
      const joined = before && !search.found ? joinedRows(before, seen, search, samplesBelow(seen)) : undefined;
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
  const groups = names.map((_, column) => first.cells[column] ?? '');
  return { ...first, cells: names, headerEnd: second.headerEnd, groups, below: [second.cells] };
}

function* cellsBelow(header: HeaderRow, text: string, { rowsAreLines }: HeaderOptions): Generator<string[]> {
  for (const row of rowsBelow(header, text, rowsAreLines)) yield row.toCells();
}
