/** Receipts without an end, looked for in the bytes of a file. */
import { RECEIPT_END, RECEIPT_START } from '../../tsv/rows/receipt.js';

/** What both markers begin with. */
const MARKER = Buffer.from(RECEIPT_START.slice(0, 16));
const LF = 10;
const CR = 13;

/**
 * Whether a file of UTF-8 without quotes may hold a receipt without an end, from its bytes alone and at the speed of a search:
 * true of every file that does, and of a few whose markers lie where two blocks meet.
 */
export class ReceiptSearch {
  #open = false;
  #doubtful = false;
  /** The last bytes of the block before, in which a marker may begin. */
  #tail: Buffer = Buffer.alloc(0);

  add(block: Buffer): void {
    const seam = Buffer.concat([this.#tail, block.subarray(0, MARKER.length - 1)]);
    if (seam.includes(MARKER)) this.#doubtful = true;
    const tail = block.length < MARKER.length ? seam : block;
    this.#tail = Buffer.from(tail.subarray(Math.max(0, tail.length - MARKER.length + 1)));
    for (let at = block.indexOf(MARKER); at >= 0; at = block.indexOf(MARKER, at + MARKER.length)) {
      const from = Math.max(block.lastIndexOf(LF, at), block.lastIndexOf(CR, at)) + 1;
      const to = lineEnd(block, at);
      if (from === 0 || to < 0) this.#doubtful = true;
      else this.#line(block.toString('utf8', from, to));
    }
  }

  get mayBeUnclosed(): boolean {
    return this.#open || this.#doubtful;
  }

  /** What DataRows makes of it. */
  #line(text: string): void {
    const filled = text.split('\t').filter((cell) => cell.trim() !== '');
    const first = filled[0]?.trim();
    if (first === RECEIPT_END) this.#open = false;
    else if (first === RECEIPT_START && filled.length === 1) {
      if (this.#open) this.#doubtful = true;
      this.#open = true;
    }
  }
}

/** -1 where it lies beyond these bytes. */
function lineEnd(bytes: Buffer, from: number): number {
  const lf = bytes.indexOf(LF, from);
  const cr = bytes.indexOf(CR, from);
  return lf < 0 || cr < 0 ? Math.max(lf, cr) : Math.min(lf, cr);
}
