/** Two lists of samples that stand side by side to fit on one page, under the same headers: what to do with them. */
import type { RegistryError } from '../../registry/errors.js';
import type { Head } from '../bytes/head-rows.js';
import { columnLetter, fold } from '../dialect.js';
import { headerError, listed } from '../header/header-errors.js';
import { columnKind } from '../header/header-name.js';
import type { HeaderRow } from '../header/header-search.js';

/** Rows that are looked at. */
const LOOKED_AT = 200;
/** On one page. */
const MOST_LISTS = 10;

/** @throws RegistryError file.header, where the columns for names are those of lists */
export function refuseSideBySide({ cells, delimiter, headerLine: line, headerEnd }: HeaderRow, head: Head): void {
  const names = [...cells.keys()].filter((column) => columnKind(cells[column] as string).kind === 'name');
  if (names.length < 2 || names.length > MOST_LISTS) return;
  if (!(areRepeated(cells, names) && haveOwnNames(names, head, { delimiter, headerEnd }))) return;
  throw sideBySide(line, names);
}

const sideBySide = (line: number, names: readonly number[]): RegistryError =>
  headerError(
    line,
    `Line ${line}: ${names.length} lists of samples stand side by side (the column Sample Name is there ${names.length} times, in columns ${listed(names.map(columnLetter))}), and a row is one sample. Put them below each other, under one header.`,
    'Sample Name',
  );

/** Each of them has the same headers, more than that of the name; a column for all of them may stand in front. */
function areRepeated(header: readonly string[], names: readonly number[]): boolean {
  const filled = [...header.keys()].filter((column) => header[column]?.trim());
  const size = filled.length / names.length;
  const whole = Number.isInteger(size) ? names.map((_, at) => filled.slice(at * size, (at + 1) * size)) : [];
  const behind = names.map((from, at) =>
    filled.filter((column) => column >= from && column < (names[at + 1] ?? header.length)),
  );
  const texts = (columns: readonly number[]): string =>
    columns.map((column) => fold(header[column] as string)).join('\t');
  return [whole, behind].some(
    (lists) => lists.length > 1 && (lists[0]?.length ?? 0) > 1 && new Set(lists.map(texts)).size === 1,
  );
}

/** A column that is there once more has the names of the other. */
function haveOwnNames(
  names: readonly number[],
  head: Head,
  below: Pick<HeaderRow, 'delimiter' | 'headerEnd'>,
): boolean {
  let own = 0;
  let both = 0;
  let rows = 0;
  for (const { cells } of head.rowsBelow(below)) {
    const texts = names.map((column) => (cells[column] ?? '').trim()).filter((text) => text !== '');
    if (texts.length > 1) both++;
    if (texts.length > 1 && new Set(texts).size === texts.length) own++;
    if (++rows === LOOKED_AT) break;
  }
  return own * 2 > both;
}
