/** A table that has a row for each value is refused before anybody says what each of its columns is. */
import { refuseLong } from '../header/long-table.js';
import type { Proposal } from './proposal.js';
import type { FoundTable } from './sheet-head.js';

/** @throws RegistryError file.wrong-kind where its upload would be refused */
export function refuseLongTable(table: FoundTable, { columns, document }: Proposal): void {
  if (document.sameName !== undefined || columns.some(({ meaning }) => meaning?.as === 'identifier')) return;
  const names = columns.filter(({ meaning }) => meaning?.as === 'name').map(({ column }) => column);
  if (names.length < 2) refuseLong(table, table.rows, names[0]);
}
