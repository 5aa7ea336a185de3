/**
 * Rising numbers below a limit, written as Elias and Fano do: the lowest bits of each beside each other, and of the rest by how much it
 * rises, in unary. A number takes two to three bits more than the logarithm of the mean gap. The spelling is stored: it may grow, not change.
 */
import { bitsIn } from '../../registry/search/id-set.js';

/** Lowest bits that are written of each number: what is left of them takes about as many steps as there are numbers. */
const widthOf = (limit: number, count: number): number =>
  Math.max(0, Math.floor(Math.log2(limit / Math.max(1, count))));

const lowBytes = (limit: number, count: number): number => (count * widthOf(limit, count) + 7) >> 3;

/** Bytes of `count` numbers below `limit`. */
export function risingBytes(limit: number, count: number): number {
  // A bit for each number, and one for each step of what is left of them.
  const steps = Math.ceil(limit / 2 ** widthOf(limit, count));
  return lowBytes(limit, count) + ((count + steps + 7) >> 3);
}

/** Writes numbers into bytes that are 0, each counted from `first` and then below `limit`. */
export function writeRising(out: Uint8Array, limit: number, numbers: ArrayLike<number>, first = 0): void {
  const count = numbers.length;
  const width = widthOf(limit, count);
  const step = 2 ** width;
  const rises = lowBytes(limit, count) * 8;
  for (let at = 0; at < count; at++) {
    const number = (numbers[at] as number) - first;
    const high = Math.floor(number / step);
    putBits(out, at * width, width, number - high * step);
    setBit(out, rises + high + at);
  }
}

/** Takes what was written, in order. @throws RangeError for bytes that hold fewer */
export function eachRising(bytes: Uint8Array, limit: number, count: number, take: (number: number) => void): void {
  const width = widthOf(limit, count);
  const step = 2 ** width;
  const end = bytes.length * 8;
  let rise = lowBytes(limit, count) * 8;
  let high = 0;
  for (let at = 0; at < count; at++, rise++) {
    for (; rise < end && !isSet(bytes, rise); rise++) high += step;
    if (rise >= end) throw new RangeError(`${count} rising numbers do not stand in ${bytes.length} bytes`);
    take(high + bitsAt(bytes, at * width, width));
  }
}

/** Place of a number among those that were written, -1 where it is none of them. Most of them are passed over unread. */
export function findRising(bytes: Uint8Array, limit: number, count: number, number: number): number {
  const width = widthOf(limit, count);
  const high = Math.floor(number / 2 ** width);
  const low = number - high * 2 ** width;
  let byte = lowBytes(limit, count);
  let steps = high;
  let at = 0;
  // A bit that is 0 is a step, one that is set a number.
  for (; byte < bytes.length; byte++) {
    const numbers = bitsIn(bytes[byte] as number);
    if (8 - numbers >= steps) break;
    steps -= 8 - numbers;
    at += numbers;
  }
  let bit = byte * 8;
  for (; steps > 0 && bit < bytes.length * 8; bit++) {
    if (isSet(bytes, bit)) at++;
    else steps--;
  }
  for (; at < count && isSet(bytes, bit); bit++, at++) {
    const own = bitsAt(bytes, at * width, width);
    if (own >= low) return own === low ? at : -1;
  }
  return -1;
}

export const setBit = (bytes: Uint8Array, bit: number): void => {
  bytes[bit >> 3] = (bytes[bit >> 3] as number) | (1 << (bit & 7));
};

export const isSet = (bytes: Uint8Array, bit: number): boolean =>
  (((bytes[bit >> 3] as number) >> (bit & 7)) & 1) === 1;

/** Bits that lie in four bytes wherever they begin: numbers are written and read in two pieces of so many. */
const PIECE = 24;

/** Sets bits that are 0 so far, the lowest first; up to 48. */
export function putBits(bytes: Uint8Array, at: number, width: number, value: number): void {
  if (width <= PIECE) putPiece(bytes, at, value);
  else {
    const high = Math.floor(value / 2 ** PIECE);
    putPiece(bytes, at, value - high * 2 ** PIECE);
    putPiece(bytes, at + PIECE, high);
  }
}

function putPiece(bytes: Uint8Array, at: number, value: number): void {
  let rest = value << (at & 7);
  for (let byte = at >> 3; rest !== 0; byte++, rest >>>= 8) bytes[byte] = (bytes[byte] as number) | (rest & 255);
}

const bitsAt = (bytes: Uint8Array, at: number, width: number): number =>
  width <= PIECE
    ? pieceAt(bytes, at, width)
    : pieceAt(bytes, at, PIECE) + pieceAt(bytes, at + PIECE, width - PIECE) * 2 ** PIECE;

/** What lies behind the last byte is 0. */
function pieceAt(bytes: Uint8Array, at: number, width: number): number {
  const byte = at >> 3;
  const low = (bytes[byte] as number) | ((bytes[byte + 1] as number) << 8);
  const high = (bytes[byte + 2] as number) | ((bytes[byte + 3] as number) << 8);
  return ((low | (high << 16)) >>> (at & 7)) & ((1 << width) - 1);
}
