/**
 * Who changes a sample holds it until the end of the transaction. A sample that was first written in a block is held by that
 * block, the oldest of its cell that holds its number, for ever: blocks are never removed, and changed only by who erases one of their samples and holds it, too; whatever is
 * written later of such a sample, a newer block or a row, is written by whoever holds this one. Any other sample is held
 * by its row. So two transactions that change one sample come one after the other, whatever they make of it.
 *
 * Blocks first, in order of cells and numbers, then rows in order of their numbers: whoever holds some of them and waits for
 * others waits for nobody who waits for him. What samples are is read afterwards, by another statement: that of
 * the lock does not see what was committed while it waited.
 */
import { holding } from '../../sample-blocks.js';
import type { Reader } from '../submissions/submission-rows.js';
import { cellsOf } from './present-samples.js';

const lock = (strength: 'for no key update' | 'for share'): string => `with block as materialized (
    select b.number from sample_block b where (b.cell, b.number) in (
      select o.cell, o.number from ${cellsOf('$1')} asked cross join lateral (
        select x.cell, x.number, x.slots & ~coalesce(bit_or(x.slots) over earlier, 0) as oldest
        from sample_block x where x.cell = asked.cell
        window earlier as (order by x.number rows between unbounded preceding and 1 preceding)) o
      where o.oldest & asked.slots <> 0)
    order by b.cell, b.number ${strength} of b
  ), own as materialized (
    select s.id from sample s where s.id = any($1::bigint[]) and not exists (select from sample_block x where ${holding('s.id', 'x.')} offset 0)
    order by s.id ${strength} of s
  )
  select (select count(*) from block) + (select count(*) from own) as n`;
const TO_CHANGE = lock('for no key update');
const TO_READ = lock('for share');

/** For those who will change them; `ids` as PostgreSQL has arrays. Answers whether there is any of them. */
export const lockSamples = async (session: Reader, ids: string): Promise<boolean> =>
  (await held(session, TO_CHANGE, ids)) > 0;

/** For those who rely on them as they are: waits for whoever is changing one. */
export const shareSamples = async (session: Reader, ids: string): Promise<boolean> =>
  (await held(session, TO_READ, ids)) > 0;

const held = async (session: Reader, text: string, ids: string): Promise<number> =>
  (await session.one<{ n: number }>(text, [ids]))?.n ?? 0;
