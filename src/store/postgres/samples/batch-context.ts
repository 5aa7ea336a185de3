/** What the parts of the ingest transaction share. */
import type { ChangeRuns } from '../../change-runs.js';
import type { PostgresDatabase, Session } from '../database.js';
import type { BlocksAllowed } from './blocks-allowed.js';
import type { Names } from './names.js';

export interface BatchContext {
  session: Session;
  database: PostgresDatabase;
  names: Names;
  blocks: BlocksAllowed;
  /** Of accessions, for messages. */
  prefix: string;
  /** Milliseconds since 1970. */
  now: number;
  /** What the batch does to samples, for the log of changes. */
  changes: ChangeRuns;
  /** Number of the batch's layout; undefined in a dry run, which stores none. */
  layout: number | undefined;
}
