/**
 * Numbers in order, some thousands at a time: PostgreSQL knows no order of samples of rows and of blocks together, and would
 * sort all that are left for each page.
 */
import type { IdRange } from '../../../registry/samples/whole-result.js';
import type { Reader } from '../submissions/submission-rows.js';
import { cellOf, nextNumber } from './present-samples.js';

/** Numbers of a window. Each may have many earlier versions, of which a page takes some. */
const WIDTH = { sample: 4096, sample_version: 1024 };

export interface Window {
  first: number;
  last: number;
}

/** Parts of a range that hold samples, or earlier versions of some. */
export async function* windowsOf(
  reader: Reader,
  { after, upTo }: IdRange,
  table: keyof typeof WIDTH = 'sample',
): AsyncGenerator<Window> {
  const text = `select ${nextNumber('$1::bigint', '$2::bigint', table)} as first`;
  for (let from = after + 1; from <= upTo; ) {
    const first = (await reader.one<{ first: number | null }>(text, [from, upTo]))?.first ?? undefined;
    if (first === undefined) return;
    const last = Math.min(upTo, (Math.floor(first / WIDTH[table]) + 1) * WIDTH[table] - 1);
    yield { first, last };
    from = last + 1;
  }
}

/** As condition of a view, for a window as `values`. */
export const within = (first: string, last: string): string =>
  `cell between ${cellOf(`${first}::bigint`)} and ${cellOf(`${last}::bigint`)} and id between ${first} and ${last}`;

const NUMBERS = `select id from sample where id between $1::bigint and $2::bigint
  union select n from sample_block b
  cross join lateral generate_series(greatest(b.first, $1::bigint), least(b.first + b.count - 1, $2::bigint)) n
  where b.cell between ${cellOf('$1::bigint')} and ${cellOf('$2::bigint')}
  order by id limit $3`;

/** The first numbers of samples in a range. */
export async function firstNumbers(reader: Reader, range: IdRange, limit: number): Promise<number[]> {
  const found: number[] = [];
  for await (const { first, last } of windowsOf(reader, range)) {
    const rows = await reader.rows<{ id: number }>(NUMBERS, [first, last, limit - found.length]);
    for (const { id } of rows) found.push(id);
    if (found.length >= limit) break;
  }
  return found;
}
