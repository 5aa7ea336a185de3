/**
 * SQL for samples that stand in rows or in blocks (docs/decisions/0150). Ranges of numbers are asked of the views
 * `current_sample` and `earlier_version`, with the cells named; here is what these would be slow at.
 */

import { SAMPLE_COLUMNS } from '../../rows/sample-row.js';
import { CELL_BITS, holding } from '../../sample-blocks.js';

export const cellOf = (id: string): string => `${id} >> ${CELL_BITS}`;

/** What a block `b` says of a sample, whose element of each of its lists is given. */
function ofBlock(element: (list: 'names' | 'releases' | 'docs' | 'lines' | 'crcs') => string, id: string): string {
  const own: Record<string, string> = {
    id: `${id}::bigint`,
    name: `coalesce(${element('names')}, '')`,
    release: element('releases'),
    doc: `coalesce(${element('docs')}, '')`,
    line: element('lines'),
    crc: element('crcs'),
  };
  return SAMPLE_COLUMNS.split(', ')
    .map((column) => `${own[column] ?? `b.${column}`} as ${column}`)
    .join(', ');
}
const BLOCK_ROWS = ofBlock((list) => `t.${list}`, '(b.first + t.at - 1)');
const UNNESTED = `cross join lateral unnest(b.names, b.releases, b.docs, b.lines, b.crcs) with ordinality as t (names, releases, docs, lines, crcs, at)`;

/** These numbers by cells, as bits. */
export const cellsOf = (ids: string): string =>
  `(select ${cellOf('id')} as cell, bit_or(1::bigint << (id & 63)::int) as slots from unnest(${ids}::bigint[]) a (id) group by 1)`;

/**
 * The samples of these numbers as they are; `own_row` for those that have a row to themselves. `offset 0`: PostgreSQL then looks
 * into the cells that are asked for, where it would else work out what stands in all of them and join that.
 */
export const samplesOf = (ids: string): string => `(
  select ${SAMPLE_COLUMNS}, true as own_row from sample where id = any(${ids}::bigint[])
  union all
  select ${BLOCK_ROWS}, false from ${cellsOf(ids)} asked
  cross join lateral (select * from block_standing s where s.cell = asked.cell and s.present & asked.slots <> 0 offset 0) b
  ${UNNESTED}
  where ((b.present & asked.slots) >> ((b.first + t.at - 1) & 63)::int) & 1 = 1)`;

/** The same of one number. It is planned in half the time, which is most of what reading one sample costs. */
export const oneSampleOf = (id: string): string => `(
  select ${SAMPLE_COLUMNS}, true as own_row from sample where id = ${id}::bigint
  union all
  (select ${ofBlock((list) => `b.${list}[(${id}::bigint - b.first + 1)::int]`, id)}, false from sample_block b
   where ${holding(`${id}::bigint`, 'b.')} and not exists (select from sample s where s.id = ${id}::bigint)
   order by b.number desc limit 1))`;

/** What each block says of one number, with its `cell`, its `number` and the `place` in its lists; the oldest first. */
export const blocksWith = (id: string): string => `
  select b.cell, b.number, (${id}::bigint - b.first + 1)::int as place,
    ${ofBlock((list) => `b.${list}[(${id}::bigint - b.first + 1)::int]`, id)}
  from sample_block b where ${holding(`${id}::bigint`, 'b.')} order by b.number`;

/** Every version of one sample. */
export const versionsOf = (id: string): string => `(
  select ${SAMPLE_COLUMNS} from sample where id = ${id}::bigint
  union all select ${SAMPLE_COLUMNS} from sample_version where id = ${id}::bigint
  union all select ${BLOCK_ROWS} from sample_block b ${UNNESTED}
  where ${holding(`${id}::bigint`, 'b.')} and b.first + t.at - 1 = ${id}::bigint)`;

export const LEAST_NUMBER = `least((select min(id) from sample),
  (select min(first) from sample_block where cell = (select min(cell) from sample_block)))`;
export const GREATEST_NUMBER = `greatest((select max(id) from sample),
  (select max(first + count - 1) from sample_block where cell = (select max(cell) from sample_block)))`;

/** The least number between two that has a row of `table` or stands in a block, or null. */
export const nextNumber = (from: string, to: string, table: 'sample' | 'sample_version' = 'sample'): string =>
  `least((select min(id) from ${table} where id between ${from} and ${to}),
    (select greatest(first, ${from}) from sample_block
     where cell between ${cellOf(from)} and ${cellOf(to)} and first + count > ${from} and first <= ${to}
     order by cell, greatest(first, ${from}) limit 1))`;
