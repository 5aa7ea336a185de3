/** Queries of the index. */
import type { SearchQuery } from '../../registry/search-store.js';
import type { Reader } from './submission-rows.js';
import { numberArray } from './text.js';

export interface Wanted {
  query: SearchQuery;
  /** Numbers of the accounts that the query names; unknown ones left out. */
  accounts: readonly number[] | undefined;
  /** Everything; what is open to all; or that and what this account (by number) owns. */
  visible: 'all' | 'open' | number;
}

/** Accession numbers, newest first; one more than the page's size when there are more. */
export async function findEntries(
  reader: Reader,
  wanted: Wanted,
  start: { before?: number | undefined } | { offset: number },
): Promise<number[]> {
  const where = new Conditions(wanted, 'offset' in start ? undefined : start.before);
  const limit = where.value(wanted.query.size + 1);
  const offset = where.value('offset' in start ? start.offset : 0);
  const rows = await reader.rows<{ id: number }>(
    `select id from entry ${where.text} order by id desc limit ${limit} offset ${offset}`,
    where.values,
  );
  return rows.map(({ id }) => id);
}

export async function countEntries(reader: Reader, wanted: Wanted): Promise<number> {
  const where = new Conditions(wanted, undefined);
  const row = await reader.one<{ n: number }>(`select count(*) as n from entry ${where.text}`, where.values);
  return row?.n ?? 0;
}

class Conditions {
  readonly values: unknown[] = [];
  private readonly all: string[] = [];

  constructor({ query, accounts, visible }: Wanted, before: number | undefined) {
    if (query.terms.length > 0) this.all.push(`terms @@ ${this.value(termQuery(query.terms))}::tsquery`);
    if (before !== undefined) this.all.push(`id < ${this.value(before)}`);
    if (query.ids) this.all.push(`id = any(${this.value(numberArray(query.ids))}::bigint[])`);
    if (accounts) this.all.push(`account = any(${this.value(numberArray(accounts))}::int[])`);
    for (const field of ['release', 'updated'] as const) {
      const { from, until } = query[field] ?? {};
      if (from !== undefined) this.all.push(`${field} >= ${this.value(from)}`);
      if (until !== undefined) this.all.push(`${field} <= ${this.value(until)}`);
    }
    if (visible === 'open') this.all.push('open');
    else if (visible !== 'all') this.all.push(`(open or account = ${this.value(visible)})`);
  }

  get text(): string {
    return this.all.length === 0 ? '' : `where ${this.all.join(' and ')}`;
  }

  value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** Terms are letters and digits only; quoted, no parser touches them. */
const termQuery = (groups: readonly string[][]): string =>
  groups.map((group) => `(${group.map((term) => `'${term}'`).join(' | ')})`).join(' & ');
