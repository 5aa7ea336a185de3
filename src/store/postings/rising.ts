/**
 * Rising numbers below a limit, written as Elias and Fano do: the lowest bits of each beside each other, and of the rest by how much it
 * rises, in unary. A number takes two to three bits more than the logarithm of the mean gap. The spelling is stored: it may grow, not change.
 */

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

/** Writes numbers below `limit` into bytes that are 0. */
export function writeRising(out: Uint8Array, limit: number, numbers: ArrayLike<number>): void {
  const count = numbers.length;
  const width = widthOf(limit, count);
  const rises = lowBytes(limit, count) * 8;
  for (let at = 0; at < count; at++) {
    const number = numbers[at] as number;
    const high = Math.floor(number / 2 ** width);
    putBits(out, at * width, width, number - high * 2 ** width);
    putBits(out, rises + high + at, 1, 1);
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

export const isSet = (bytes: Uint8Array, bit: number): boolean =>
  (((bytes[bit >> 3] as number) >> (bit & 7)) & 1) === 1;

/** Sets bits that are 0 so far, the lowest first; up to 48. */
export function putBits(bytes: Uint8Array, at: number, width: number, value: number): void {
  let [byte, shift, left, rest] = [at >> 3, at & 7, width, value];
  while (left > 0) {
    const taken = Math.min(8 - shift, left);
    const size = 1 << taken;
    bytes[byte] = (bytes[byte] as number) | ((rest % size) << shift);
    rest = Math.floor(rest / size);
    left -= taken;
    byte++;
    shift = 0;
  }
}

function bitsAt(bytes: Uint8Array, at: number, width: number): number {
  let [byte, shift, left, factor, value] = [at >> 3, at & 7, width, 1, 0];
  while (left > 0) {
    const taken = Math.min(8 - shift, left);
    const size = 1 << taken;
    value += (((bytes[byte] as number) >> shift) & (size - 1)) * factor;
    factor *= size;
    left -= taken;
    byte++;
    shift = 0;
  }
  return value;
}
