/**
 * Whether the index file holds what was written. Rows have the checksum of row-checks.ts and are looked at when the file is opened,
 * those of which a search reads several again by it; rows of a blob have one of their own, which no trigger writes, as that would
 * write the blob twice, and are looked at when they are read.
 */
import { crc32 } from 'node:zlib';
import type { SqliteDatabase } from '../database.js';
import { checkedTables, hasDamage, isAsWritten } from '../row-checks.js';

/** Read of a file that is made anew for it: `code` is what the driver says of a file that it finds damaged itself. */
export class DamagedIndex extends Error {
  readonly code = 'SQLITE_CORRUPT_VTAB';

  constructor() {
    super('a row of the search index is not as it was written');
  }
}

export interface BlobRow {
  id: number;
  data: Buffer;
  sum: number;
}

export const sumOfBlob = (id: number, data: Uint8Array): number => crc32(data, id % 2 ** 32);

/** @throws DamagedIndex */
export function wholeBlob({ id, data, sum }: BlobRow): Buffer {
  if (sum !== sumOfBlob(id, data)) throw new DamagedIndex();
  return data;
}

/** Of a row as `select *` gives it. @throws DamagedIndex */
export function wholeEntry<Row extends object>(row: Row): Row {
  if (!isAsWritten(row)) throw new DamagedIndex();
  return row;
}

/** @throws DamagedIndex */
export function requireWholeIndex(index: SqliteDatabase): void {
  if (checkedTables(index).some((table) => hasDamage(index, table))) throw new DamagedIndex();
}
