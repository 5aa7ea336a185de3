/** One sample with all that its visible content depends on. */
import type { SampleRecord } from '../../registry/sample-store.js';
import type { SampleRow } from '../sample-row.js';
import { sqliteAnnotations } from './annotations.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';
import { readSampleRow } from './sample-rows.js';

/** The record, or undefined; inside a read or a write it is of one snapshot. */
export function sqliteRecordReader(database: SqliteDatabase, names: Names): (id: number) => SampleRecord | undefined {
  const annotations = sqliteAnnotations(database, names);
  return (id) => {
    const row = database.sql<SampleRow>('select * from sample where id = ?').get(id);
    return row && { sample: readSampleRow(row, names), ...annotations.read(id) };
  };
}
