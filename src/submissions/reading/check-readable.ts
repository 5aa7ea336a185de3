/**
 * A look at the bytes before anything is registered: a file that turns out unreadable half-way must leave nothing
 * behind. UTF-8 without a single quote character can only fail in its encoding and in a receipt that has no end, which this
 * sees at several GB/s; anything else is parsed to its end once (survey).
 */
import { isUtf8 } from 'node:buffer';
import type { SheetPlan } from '../../tsv/header/columns.js';
import { ReceiptSearch } from './receipt-search.js';

const QUOTE = 0x22;

/** The bytes of a file as they pass; nothing of a block is kept when the next one comes. */
export class PlainBytes {
  #isPlain = true;
  readonly #receipts = new ReceiptSearch();
  /** Of a character that the last block's end cuts in two. */
  #rest: Buffer = Buffer.alloc(0);

  add(block: Buffer): void {
    if (!this.#isPlain) return;
    this.#isPlain = !block.includes(QUOTE);
    if (!this.#isPlain) return;
    this.#receipts.add(block);
    const joined = this.#rest.length === 0 ? block : Buffer.concat([this.#rest, block]);
    const whole = completeLength(joined);
    this.#isPlain = isUtf8(joined.subarray(0, whole));
    this.#rest = Buffer.from(joined.subarray(whole));
  }

  /** False once no further byte can change it. */
  get mayBePlain(): boolean {
    return this.#isPlain;
  }

  /** Whether the file, at its end, is UTF-8 without quotes and without a receipt that may have no end. */
  get arePlain(): boolean {
    return this.#isPlain && this.#rest.length === 0 && !this.#receipts.mayBeUnclosed;
  }
}

/** `arePlain`: what was seen of the bytes as they came. */
export async function checkReadable(
  bytes: () => AsyncIterable<Buffer>,
  plan: SheetPlan,
  arePlain = false,
): Promise<'readable' | 'needs-parsing'> {
  if (plan.encoding !== 'utf-8' || plan.delimiter !== '\t') return 'needs-parsing';
  if (arePlain) return 'readable';
  const seen = new PlainBytes();
  for await (const block of bytes()) {
    seen.add(block);
    if (!seen.mayBePlain) return 'needs-parsing';
  }
  return seen.arePlain ? 'readable' : 'needs-parsing';
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
