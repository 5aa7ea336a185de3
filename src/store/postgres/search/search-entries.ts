/** Queries of the index. */
import type { IdSet } from '../../../registry/search/id-set.js';
import type { Wanted } from '../../../registry/search/pending-samples.js';
import { timeRanges } from '../../search-page.js';
import type { Reader } from '../submissions/submission-rows.js';
import { numberArray } from '../text.js';

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
  const rare = await rareGroup(reader, asked.wanted.query.terms);
  if (rare === undefined) return newestOf(reader, new Conditions(asked), limit, (where) => `entry ${where.text}`);
  if (limit * NEWEST_PER_FOUND <= NEWEST) {
    const found = await newestOf(reader, new Conditions(asked), limit, amongNewest(asked.before));
    if (found.length === limit) return found;
  }
  return findByTerms(reader, asked, limit, rare);
}

/** As `findEntries`, by way of the terms of one group, which few samples have: all of these are read, however few are wanted. */
export async function findByTerms(
  reader: Reader,
  asked: EntryQuery,
  limit: number,
  group: readonly string[],
): Promise<number[]> {
  const { wanted } = asked;
  const terms = wanted.query.terms.filter((other) => other !== group);
  const others = new Conditions({ ...asked, wanted: { ...wanted, query: { ...wanted.query, terms } } });
  return newestOf(reader, others, limit, (where) => {
    where.add('terms @@ meant.terms::tsquery');
    // Of terms that it does not see PostgreSQL thinks that the index leads to them; of many that it sees, that most samples have one.
    const meant = `unnest(array[${where.value(termQuery([group]))}::text]) meant (terms)`;
    return `(select id from ${meant} cross join lateral (select id from entry ${where.text} offset 0) of_them) found`;
  });
}

/** Of the rows that `from` names. */
async function newestOf(
  reader: Reader,
  where: Conditions,
  limit: number,
  from: (where: Conditions) => string,
): Promise<number[]> {
  const rows = await reader.rows<{ id: number }>(
    `select id from ${from(where)} order by id desc limit ${where.value(limit)}`,
    where.values,
  );
  return rows.map(({ id }) => id);
}

/** Read from the newest on, and no further than it pays: of terms that one in so many has, this is less than all that have them. */
const NEWEST = 10_000;
const NEWEST_PER_FOUND = 100;

const amongNewest =
  (before: number | undefined) =>
  (where: Conditions): string => {
    const behind = before === undefined ? '' : `where id < ${where.value(before)}`;
    return `(select * from entry ${behind} order by id desc limit ${NEWEST}) newest ${where.text}`;
  };

/** PostgreSQL takes a term of which it keeps no count for half a percent. */
const RARE = 0.01;

/**
 * A group of terms, one of which each sample must have, that are so rare that PostgreSQL keeps no counts of them. It takes these for
 * spread evenly and more frequent than they are, and would look for one of a kind through all samples from the newest on (21 s of 1.5
 * million), though the terms lead to it (40 ms).
 */
async function rareGroup(
  reader: Reader,
  groups: readonly (readonly string[])[],
): Promise<readonly string[] | undefined> {
  if (groups.length === 0) return undefined;
  const plan = 'explain (format json) select 1 from entry';
  const all = rowsOf(await reader.one<Plan>(plan));
  for (const group of groups) {
    const some = await reader.one<Plan>(`${plan} where terms @@ $1::tsquery`, [termQuery([group])]);
    if (rowsOf(some) < all * RARE * group.length) return group;
  }
  return undefined;
}

interface Plan {
  'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }];
}

const rowsOf = (plan: Plan | undefined): number => plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;

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

  add(condition: string): void {
    this.all.push(condition);
  }

  value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** Terms are letters and digits only; quoted, no parser touches them. */
export const termQuery = (groups: readonly (readonly string[])[]): string =>
  groups.map((group) => `(${group.map((term) => `'${term}'`).join(' | ')})`).join(' & ');
