/** Queries of the index. */
import type { IdSet } from '../../registry/id-set.js';
import type { Wanted } from '../../registry/pending-samples.js';
import { timeRanges } from '../search-page.js';
import type { Reader } from './submission-rows.js';
import { numberArray } from './text.js';

export interface EntryQuery {
  wanted: Wanted;
  /** Accession number to begin behind. */
  before?: number | undefined;
  /** Samples to pass over: the store knows better than the index. */
  except: readonly number[];
  /** Of these alone. */
  among?: IdSet | undefined;
}

/** Up to `limit` accession numbers, newest first. */
export async function findEntries(reader: Reader, asked: EntryQuery, limit: number): Promise<number[]> {
  const where = new Conditions(asked);
  const rows = await reader.rows<{ id: number }>(
    `select id from entry ${where.text} order by id desc limit ${where.value(limit)}`,
    where.values,
  );
  return rows.map(({ id }) => id);
}

/** Numbers fetched at once. */
const ENTRIES_AT_ONCE = 10_000;

/** Hands over all accession numbers, newest first. */
export async function eachEntry(
  reader: Reader,
  asked: EntryQuery,
  take: (ids: readonly number[]) => void,
): Promise<void> {
  for (let { before } = asked; ; ) {
    const ids = await findEntries(reader, { ...asked, before }, ENTRIES_AT_ONCE);
    take(ids);
    if (ids.length < ENTRIES_AT_ONCE) return;
    before = ids.at(-1);
  }
}

/** How many there are, counted up to `limit`. */
export async function countEntries(reader: Reader, asked: EntryQuery, limit: number): Promise<number> {
  const where = new Conditions(asked);
  const row = await reader.one<{ n: number }>(
    `select count(*) as n from (select 1 from entry ${where.text} limit ${where.value(limit)}) found`,
    where.values,
  );
  return row?.n ?? 0;
}

class Conditions {
  readonly values: unknown[] = [];
  private readonly all: string[] = [];

  constructor({ wanted: { query, accounts, visible }, before, except, among }: EntryQuery) {
    if (query.terms.length > 0) this.all.push(`terms @@ ${this.value(termQuery(query.terms))}::tsquery`);
    if (before !== undefined) this.all.push(`id < ${this.value(before)}`);
    if (query.ids) this.all.push(`id = any(${this.value(numberArray(query.ids))}::bigint[])`);
    if (except.length > 0) this.all.push(`id <> all(${this.value(numberArray(except))}::bigint[])`);
    if (accounts) this.all.push(`account = any(${this.value(numberArray(accounts))}::int[])`);
    if (query.withdrawn !== 'too') this.all.push(query.withdrawn === 'only' ? 'hidden' : 'not hidden');
    for (const [field, { from, until }] of timeRanges(query)) {
      if (from !== undefined) this.all.push(`${field} >= ${this.value(from)}`);
      if (until !== undefined) this.all.push(`${field} <= ${this.value(until)}`);
    }
    if (among) {
      const bytes = among.bytes();
      this.all.push(
        `case when id < ${this.value(bytes.length * 8)}::bigint then get_bit(${this.value(bytes)}::bytea, id) = 1 else false end`,
      );
    }
    if (visible === 'all') return;
    const open = `open or (not hidden and release <= ${this.value(query.now)})`;
    if (visible === 'open') this.all.push(`(${open})`);
    else this.all.push(`(${open} or account = ${this.value(visible)})`);
  }

  get text(): string {
    return this.all.length === 0 ? '' : `where ${this.all.join(' and ')}`;
  }

  value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** Terms are letters and digits only; quoted, no parser touches them. */
export const termQuery = (groups: readonly (readonly string[])[]): string =>
  groups.map((group) => `(${group.map((term) => `'${term}'`).join(' | ')})`).join(' & ');
