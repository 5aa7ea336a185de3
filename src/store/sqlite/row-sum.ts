/** The checksum of one row of any table: over its values in the order of its columns. */
import { crc32 } from 'node:zlib';
import { mix } from '../sample-checksum.js';

/** What SQL calls `sumOf`; every connection has it. */
export const SUM_FUNCTION = 'sum_of_row';

export function sumOf(...values: unknown[]): number {
  let sum = values.length;
  for (const value of values) sum = mix(sum, numberOf(value));
  return sum;
}

const numberOf = (value: unknown): number | null =>
  typeof value === 'string' || value instanceof Uint8Array ? crc32(value) : (value as number | null);
