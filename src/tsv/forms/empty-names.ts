/** A column for names that nobody has filled, as in the sample sheets of sequencers, which know the samples by another one. */
import type { Head } from '../bytes/head-rows.js';
import type { SheetPlan } from '../header/columns.js';
import { firstRows } from '../header/first-rows.js';
import { firstText } from '../header/preamble.js';
import { namingHeaders, speaksOfNames } from '../propose/name-columns.js';
import { seenColumns } from '../propose/seen-column.js';

type Place = Pick<
  SheetPlan,
  'header' | 'delimiter' | 'headerEnd' | 'inSection' | 'nameColumn' | 'identifierColumn' | 'keyColumn'
>;

/**
 * Headers of the columns that name the samples of a sheet whose first rows are all without a name; none where a row has one, nor where no other
 * header speaks of names: each row has its error then.
 */
export function namesElsewhere(plan: Place, head: Head, prefix: string): string[] {
  const { header, nameColumn, identifierColumn = -1, keyColumn = -1 } = plan;
  if (nameColumn >= header.length) return [];
  const known = [nameColumn, identifierColumn, keyColumn];
  const rows: (readonly string[])[] = [];
  for (const cells of firstRows(head, plan)) {
    if (known.some((column) => cells[column]?.trim())) return [];
    const first = firstText(cells);
    if (first !== '' && !first.startsWith('#')) rows.push(cells);
  }
  return rows.length === 0 ? [] : namingHeaders(seenColumns(header, rows), prefix).filter(speaksOfNames);
}
