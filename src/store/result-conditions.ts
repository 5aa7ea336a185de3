/** Which rows of `sample` a whole result is, as SQL that both stores read. The index is asked for words only. */
import type { Wanted } from '../registry/search/pending-samples.js';
import { timeRanges } from './search-page.js';

/** `place` takes a value into the statement and gives what stands for it there; `list` the same for numbers after `in`. */
export interface Places {
  place(value: number): string;
  list(values: readonly number[]): string;
}

export function resultConditions({ query, accounts, visible }: Wanted, { place, list }: Places): string {
  const all: string[] = [];
  if (visible !== 'all') {
    const open = `(admin_status is null and release <= ${place(query.now)})`;
    all.push(visible === 'open' ? open : `(${open} or account = ${place(visible)})`);
  }
  if (query.withdrawn !== 'too') all.push(`admin_status is ${query.withdrawn === 'only' ? 'not null' : 'null'}`);
  if (query.ids) all.push(`id in ${list(query.ids)}`);
  if (accounts) all.push(`account in ${list(accounts)}`);
  for (const [field, { from, until }] of timeRanges({ ...query, size: 0 })) {
    if (from !== undefined) all.push(`${field} >= ${place(from)}`);
    if (until !== undefined) all.push(`${field} <= ${place(until)}`);
  }
  return all.length === 0 ? 'true' : all.join(' and ');
}
