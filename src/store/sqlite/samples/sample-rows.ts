/** Rows of `sample` and `sample_version` ↔ samples. */

import type { Change, ChangeType } from '../../../registry/changes/sample-change.js';
import type { Provenance, StoredSample } from '../../../registry/samples/sample.js';
import { attachedChange, ChangeRuns } from '../../change-runs.js';
import {
  assignChanged,
  changedRow,
  changedValues,
  provenanceOf,
  SAMPLE_COLUMNS,
  type SampleChange,
  type SampleRow,
  sampleOf,
  valuesOfRow,
} from '../../rows/sample-row.js';
import { requireIntact } from '../../sample-checksum.js';
import type { SqliteDatabase } from '../database.js';
import { logChanges } from './change-log.js';
import { headOf, visibilityOf } from './current-samples.js';
import type { Names } from './names.js';

const namesOf = (row: Pick<SampleRow, 'author' | 'submission'>, names: Names) => ({
  author: names.accountName(row.author),
  submissionId: row.submission === null ? null : names.submissionId(row.submission),
});

/** @throws RegistryError storage.damaged */
export function readSampleRow(row: SampleRow, names: Names): StoredSample {
  requireIntact(row, names);
  return sampleOfRow(row, names);
}

/** Of a row whose block was looked at. */
export function sampleOfRow(row: SampleRow, names: Names): StoredSample {
  return sampleOf(row, row.layout === null ? undefined : names.layout(row.layout), {
    account: names.accountName(row.account),
    ...namesOf(row, names),
  });
}

export const readProvenance = (
  row: Pick<SampleRow, 'author' | 'via' | 'submission' | 'line'>,
  names: Names,
): Provenance => provenanceOf(row, namesOf(row, names));

/** The row of a sample that is new, or after a request. Inside a write. */
export function rowAfter(
  change: SampleChange,
  sample: Pick<SampleRow, 'id' | 'account' | 'created'>,
  names: Names,
): SampleRow {
  const { author, submissionId } = change.provenance;
  const submission = submissionId === undefined ? null : (names.findSubmission(submissionId) ?? null);
  return changedRow(change, { ...sample, author: names.account(author, change.updated), submission });
}

const INSERT = `insert into sample (${SAMPLE_COLUMNS}) values (${SAMPLE_COLUMNS.split(',')
  .map(() => '?')
  .join(', ')})`;
const OVERWRITE = `update sample set ${assignChanged(() => '?')} where id = ?`;

/** A sample that has no row yet: it is new, or stands in a block. */
export function insertRow(database: SqliteDatabase, row: SampleRow): void {
  database.sql(INSERT).run(...valuesOfRow(row));
}

/** Overwrites what a sample is; the version before stays in `sample_version`, or in its block. */
export function overwriteRow(database: SqliteDatabase, row: SampleRow): void {
  archiveVersions(database, [row.id]);
  replaceRow(database, row);
}

/** The same of a sample whose version is kept. */
export function replaceRow(database: SqliteDatabase, row: SampleRow): void {
  if (database.sql(OVERWRITE).run(...changedValues(row), row.id).changes === 0) insertRow(database, row);
}

/** Samples whose versions are kept by one statement: half the time of one for each. */
const KEPT = 50;
const keepOf = (count: number): string =>
  `insert into sample_version (${SAMPLE_COLUMNS}) select ${SAMPLE_COLUMNS} from sample where id in (${Array<string>(count).fill('?').join(', ')})`;
const KEEP_MANY = keepOf(KEPT);
const KEEP_ONE = keepOf(1);

/** Keeps the present versions of samples before their rows are overwritten; those of blocks stay there. */
export function archiveVersions(database: SqliteDatabase, ids: readonly number[]): void {
  let at = 0;
  for (; at + KEPT <= ids.length; at += KEPT) database.sql(KEEP_MANY).run(ids.slice(at, at + KEPT));
  for (; at < ids.length; at++) database.sql(KEEP_ONE).run(ids[at]);
}

const JOURNAL = `insert into change (account, first, count, at)
  values (?1, ?2, ?3, cast(unixepoch('subsec') * 1000 as integer))`;

/** Tells the search index that these samples' visible content changed, in whose turn (index-turns.ts): null is the owner. */
export function journalChange(database: SqliteDatabase, account: number | null, first: number, count = 1): void {
  const turn = account ?? headOf(database, first)?.account;
  if (turn === undefined) throw new Error(`the store has no sample number ${first} that could change`);
  database.sql(JOURNAL).run({ 1: turn, 2: first, 3: count });
}

/** A change of one sample: for the search index and the log. Inside a write. */
export function noteChange(
  database: SqliteDatabase,
  account: number | null,
  id: number,
  change: Change,
  now: number,
): void {
  journalChange(database, account, id);
  logChanges(database, new ChangeRuns(now).add(id, change), now);
}

/** The same for what was attached to a sample that stays as it is. */
export function noteAttached(
  database: SqliteDatabase,
  account: number | null,
  id: number,
  type: ChangeType,
  now: number,
): void {
  noteChange(database, account, id, attachedChange(type, visibilityOf(database, id), now), now);
}

/** Takes the next `count` accession numbers; resolves to the first. Inside a write. */
export function takeAccessions(database: SqliteDatabase, count: number): number {
  const row = database
    .sql<{ next: number }>("update counter set next = next + ? where name = 'accession' returning next")
    .get(count);
  if (row === undefined) throw new Error('the store has lost its accession counter');
  return row.next - count;
}
