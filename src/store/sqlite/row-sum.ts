/** The checksum of one row of any table: over its values in the order of its columns. */
import { crc32 } from 'node:zlib';
import { mix } from '../sample-checksum.js';

/** What SQL calls `sumOf`; every connection has it. */
export const SUM_FUNCTION = 'sum_of_row';

export function sumOf(...values: unknown[]): number {
  let sum = values.length;
  for (const value of values) sum = mix(sum, typeof value === 'string' ? crc32(value) : (value as number | null));
  return sum;
}
