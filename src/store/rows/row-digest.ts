import { createHash } from 'node:crypto';

const MODULUS = 1n << 128n;

/** A fingerprint of a set of rows in which order does not count and repeats do: the sum of the rows' own fingerprints. */
export class RowDigest {
  rows = 0;
  private sum = 0n;

  add(row: readonly (string | number | null)[]): void {
    const hash = createHash('sha256').update(JSON.stringify(row)).digest();
    this.sum = (this.sum + hash.readBigUInt64BE(0) * (1n << 64n) + hash.readBigUInt64BE(8)) % MODULUS;
    this.rows++;
  }

  hex(): string {
    return this.sum.toString(16).padStart(32, '0');
  }
}
