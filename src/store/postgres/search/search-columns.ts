/** The columns of the index: written with the entries, read for facets and ranges. */
import { IdSet } from '../../../registry/search/id-set.js';
import { indexedSample } from '../../../registry/search/indexed-sample.js';
import { withinPendingBytes } from '../../../registry/search/pending-samples.js';
import type { SampleFacets } from '../../../registry/search/sample-facets.js';
import { type ColumnSample, FIRST_KEY, KEYS } from '../../columns/entries.js';
import type { Answers, Ask, StoredBlock } from '../../columns/reading.js';
import { columnsOf, stage, withStaged } from '../../columns/staged.js';
import type { Session } from '../database.js';
import type { Names } from '../samples/names.js';
import type { Reader } from '../submissions/submission-rows.js';
import { numberArray } from '../text.js';
import { termQuery } from './search-entries.js';
import { contentReader, readHeads } from './search-record.js';

/** In the transaction of the step that enters them. */
export async function writeColumns(session: Session, samples: readonly ColumnSample[]): Promise<void> {
  if (samples.length === 0) return;
  const keys = await keysOf(session, [
    ...new Set(samples.flatMap(({ counted }) => counted.flatMap((own) => (own ? [own[0]] : [])))),
  ]);
  const blocks = stage(samples, (code) => keys.get(code) as number);
  const known = await readBlocks(
    session,
    blocks.map(({ block }) => [KEYS, block]),
  );
  const places = blocks.flatMap((staged) =>
    columnsOf(staged, known.get(`${KEYS} ${staged.block}`)).map((column): [number, number] => [column, staged.block]),
  );
  const before = await readBlocks(session, places);
  const of = new Map(blocks.map((staged) => [staged.block, staged]));
  const written: [column: number, block: number, data: Uint8Array][] = [];
  for (const [column, block] of places) {
    const staged = of.get(block);
    // Programs of before may run beside (decision 14).
    const data = staged && withStaged(staged, column, before.get(`${column} ${block}`), false);
    if (data) written.push([column, block, data]);
    else if (data === null) {
      await session.run('delete from facet_block where key = $1 and block = $2', [column, block]);
    }
  }
  if (written.length === 0) return;
  await session.run(
    `insert into facet_block (key, block, data)
       select key, block, decode(data, 'hex')
       from unnest($1::int[], $2::int[], string_to_array($3, ',')) as new (key, block, data)
     on conflict (key, block) do update set data = excluded.data`,
    [
      numberArray(written.map(([column]) => column)),
      numberArray(written.map(([, block]) => block)),
      written.map(([, , data]) => Buffer.from(data).toString('hex')).join(','),
    ],
  );
}

async function readBlocks(
  session: Session,
  places: readonly [column: number, block: number][],
): Promise<Map<string, Uint8Array>> {
  const rows = await session.rows<{ key: number; block: number; data: Buffer }>(
    `select key, block, data from facet_block natural join unnest($1::int[], $2::int[]) as asked (key, block)`,
    [numberArray(places.map(([column]) => column)), numberArray(places.map(([, block]) => block))],
  );
  return new Map(rows.map(({ key, block, data }) => [`${key} ${block}`, data]));
}

/** Numbers of these characteristics, new ones for those that have none. One process at a time enters samples. */
async function keysOf(session: Session, codes: readonly number[]): Promise<Map<number, number>> {
  const asked = numberArray(codes);
  await session.run(
    `insert into facet_key (id, code)
       select (select greatest(coalesce(max(id), 0) + 1, $2) from facet_key) - 1 + row_number() over (), code
       from unnest($1::bigint[]) as new (code) where not exists (select from facet_key k where k.code = new.code)`,
    [asked, FIRST_KEY],
  );
  return readKeys(session, codes);
}

async function readKeys(session: Session, codes: readonly number[]): Promise<Map<number, number>> {
  const rows = await session.rows<{ id: number; code: number }>(
    'select id, code from facet_key where code = any($1::bigint[])',
    [numberArray(codes)],
  );
  return new Map(rows.map(({ id, code }) => [code, id]));
}

/** Answers in the snapshot of the session, whose statements are bounded in time. */
export function columnAnswers(
  session: Session,
  known: { names: Names; prefix: string },
): (asked: Ask) => Promise<Answers[Ask['kind']]> {
  return async (asked) => {
    switch (asked.kind) {
      case 'blocks':
        return session.rows<StoredBlock>(
          'select block, data from facet_block where key = $1 and block >= $2 order by block limit $3',
          [asked.column, asked.from, asked.most],
        );
      case 'columns': {
        const keys = await readKeys(session, asked.codes);
        return asked.codes.map((code) => keys.get(code));
      }
      case 'found':
        return found(session, asked.terms);
      case 'waiting':
        return session.rows<{ first: number; count: number }>('select first, count from change');
      case 'samples':
        return facetsOf(session, known, asked.ids);
    }
  };
}

/** As one row for each block: a row for each sample took four times as long. */
async function found(session: Session, terms: readonly string[][]): Promise<IdSet> {
  const rows = await session.rows<{ first: number; bits: string }>(
    `select id / 1024 * 1024 as first, string_agg((id % 1024)::text, ',') as bits from entry
     where terms @@ $1::tsquery group by id / 1024`,
    [termQuery(terms)],
  );
  const ids = new IdSet();
  for (const { first, bits } of rows) for (const slot of bits.split(',')) ids.add(first + Number(slot));
  return ids;
}

async function facetsOf(
  session: Session,
  { names, prefix }: { names: Names; prefix: string },
  ids: readonly number[],
): Promise<Map<number, SampleFacets>> {
  const heads = await readHeads(session, ids);
  const facets = new Map<number, SampleFacets>();
  for (let left = [...heads.values()]; left.length > 0; ) {
    const fit = withinPendingBytes(left);
    // One that does not fit alone is read alone.
    const some = fit.length > 0 ? fit : left.slice(0, 1);
    const read = await contentReader(
      session,
      names,
      some.map(({ id }) => id),
    );
    for (const head of some) facets.set(head.id, indexedSample(prefix, head, false, () => read(head.id)).facets);
    left = left.filter((head) => !facets.has(head.id));
  }
  return facets;
}

/** False where an earlier version's process has written entries since. */
export const columnsAreKept = async (reader: Reader): Promise<boolean> =>
  (await reader.one<{ kept: boolean }>('select columns_moved = moved as kept from search_progress'))?.kept !== false;

/** Entries that are not in the columns yet, at most. */
export async function columnsLeft(session: Session): Promise<number> {
  const row = await session.one<{ n: number }>(
    `select (case when columns_moved <> moved then (select coalesce(max(id), 0) from entry)
       when refilling then greatest(0, scan_end - scan_next + 1) else 0 end)::bigint as n from search_progress`,
  );
  return row?.n ?? 0;
}

/** Sets every entry to be visited for the columns. */
export async function refillColumns(session: Session): Promise<void> {
  await emptyColumns(session);
  // A rebuild that is under way begins anew: what it has visited is not in the columns.
  await session.run(
    `update search_progress set columns_moved = moved, refilling = case when scan_next > scan_end then true else refilling end,
       scan_next = 1, scan_end = case when scan_next > scan_end then (select coalesce(max(id), 0) from entry) else scan_end end`,
  );
}

/** Not by `truncate`, which would empty them for searches that have begun. */
export async function emptyColumns(session: Session): Promise<void> {
  await session.run('delete from facet_block');
  await session.run('delete from facet_key');
}
