/** What the parts of the ingest transaction share. */
import type { ChangeRuns } from '../../change-runs.js';
import type { SqliteDatabase } from '../database.js';
import type { CurrentSamples } from './current-samples.js';
import type { Names } from './names.js';

export interface BatchContext {
  database: SqliteDatabase;
  names: Names;
  samples: CurrentSamples;
  /** Of accessions, for messages. */
  prefix: string;
  /** Milliseconds since 1970. */
  now: number;
  /** What the batch does to samples, for the log of changes. */
  changes: ChangeRuns;
}
