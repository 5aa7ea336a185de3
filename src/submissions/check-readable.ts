/**
 * A look at the bytes before anything is registered: a file that turns out unreadable half-way must leave nothing
 * behind. UTF-8 without a single quote character can only fail in its encoding and in a receipt that has no end, which this
 * sees at several GB/s; anything else is parsed to its end once (survey).
 */
import { isUtf8 } from 'node:buffer';
import type { SheetPlan } from '../tsv/header/columns.js';
import { ReceiptSearch } from './receipt-search.js';

const QUOTE = 0x22;

/** Keeps nothing of a block when asking for the next. */
export async function checkReadable(
  bytes: AsyncIterable<Buffer>,
  plan: SheetPlan,
): Promise<'readable' | 'needs-parsing'> {
  if (plan.encoding !== 'utf-8' || plan.delimiter !== '\t') return 'needs-parsing';
  const receipts = new ReceiptSearch();
  let rest: Buffer = Buffer.alloc(0);
  for await (const block of bytes) {
    if (block.includes(QUOTE)) return 'needs-parsing';
    receipts.add(block);
    const joined = rest.length === 0 ? block : Buffer.concat([rest, block]);
    const whole = completeLength(joined);
    if (!isUtf8(joined.subarray(0, whole))) return 'needs-parsing';
    rest = Buffer.from(joined.subarray(whole));
  }
  return rest.length === 0 && !receipts.mayBeUnclosed ? 'readable' : 'needs-parsing';
}

/** Length without a character that the block's end cuts in two. */
function completeLength(block: Buffer): number {
  for (let back = 1; back <= Math.min(3, block.length); back++) {
    const byte = block[block.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? block.length - back : block.length;
  }
  return block.length;
}
