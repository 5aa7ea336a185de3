/** One sample with all that its visible content depends on. */
import type { SampleRecord } from '../../../registry/samples/sample-store.js';
import type { SqliteDatabase } from '../database.js';
import { sqliteAnnotations } from './annotations.js';
import { CurrentSamples } from './current-samples.js';
import type { Names } from './names.js';
import { readSampleRow } from './sample-rows.js';

/** The record, or undefined; inside a read or a write it is of one snapshot. */
export function sqliteRecordReader(database: SqliteDatabase, names: Names): (id: number) => SampleRecord | undefined {
  const annotations = sqliteAnnotations(database, names);
  const samples = new CurrentSamples(database, names);
  return (id) => {
    const row = samples.row(id);
    return row && { sample: readSampleRow(row, names), ...annotations.read(id) };
  };
}
