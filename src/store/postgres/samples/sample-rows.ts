/** Rows of `sample` and `sample_version` ↔ samples. */

import type { Change, ChangeType } from '../../../registry/changes/sample-change.js';
import type { SampleLayout } from '../../../registry/samples/packed-sample.js';
import type { Provenance, StoredSample } from '../../../registry/samples/sample.js';
import type { ResultRow } from '../../../registry/samples/whole-result.js';
import { attachedChange, ChangeRuns, type VisibilityRow } from '../../change-runs.js';
import {
  provenanceOf,
  resultRowOf,
  SAMPLE_COLUMNS,
  type SampleRow,
  sampleOf,
  sharedMembers,
} from '../../rows/sample-row.js';
import { type Checking, requireIntact } from '../../sample-checksum.js';
import type { Session } from '../database.js';
import { preparedOnce } from '../prepared-statements.js';
import { numberArray } from '../text.js';
import { changeValues, logging } from './change-log.js';
import { oneSampleOf } from './present-samples.js';

/** With what its numbers stand for joined in. */
export type JoinedSample = SampleRow & {
  account_name: string;
  author_name: string;
  submission_uuid: string | null;
};

/** Rows of samples, as present-samples.ts has them, with what their numbers stand for. */
export const samplesFrom = (rows: string): string =>
  // Not joined: a row that was damaged where it names its owner would not be there.
  `select x.*, (select o.name from account o where o.id = x.account) as account_name,
     (select w.name from account w where w.id = x.author) as author_name,
     (select u.uuid from submission u where u.id = x.submission) as submission_uuid
   from ${rows} x`;

const namesOf = (row: Pick<JoinedSample, 'author_name' | 'submission_uuid'>) => ({
  author: row.author_name,
  submissionId: row.submission_uuid,
});

/** @throws RegistryError storage.damaged */
export function readSampleRow(
  row: JoinedSample,
  layouts: ReadonlyMap<number, SampleLayout>,
  checking: Checking,
): StoredSample {
  requireIntact(row, checking);
  return sampleOf(row, layoutIn(layouts, row.layout), { account: row.account_name, ...namesOf(row) });
}

/** The same, its content as it is stored. @throws RegistryError storage.damaged */
export function readResultRow(
  row: JoinedSample,
  layouts: ReadonlyMap<number, SampleLayout>,
  checking: Checking,
): ResultRow {
  requireIntact(row, checking);
  return resultRowOf(row, layoutIn(layouts, row.layout), sharedMembers(row, row.account_name));
}

export const readProvenance = (
  row: Pick<JoinedSample, 'author_name' | 'via' | 'submission_uuid' | 'line'>,
): Provenance => provenanceOf(row, namesOf(row));

export function layoutIn(layouts: ReadonlyMap<number, SampleLayout>, id: number | null): SampleLayout | undefined {
  if (id === null) return undefined;
  const layout = layouts.get(id);
  if (layout === undefined) throw new Error(`the store names layout ${id}, which it does not have`);
  return layout;
}

const ARCHIVE = preparedOnce(
  `insert into sample_version (${SAMPLE_COLUMNS}) select ${SAMPLE_COLUMNS} from sample where id = any($1::bigint[])`,
);
const CHANGE = preparedOnce(
  `with ${logging(3)} insert into change (account, first, count, logged)
   values (coalesce($1::int, (select account from ${oneSampleOf('$2')} x)), $2, 1, true)`,
);
const VISIBILITY = preparedOnce(`select release, admin_status from ${oneSampleOf('$1')} x`);

/** Keeps the rows of samples before they are overwritten; what stands in a block stays there. */
export async function archiveVersions(session: Session, ids: readonly number[]): Promise<void> {
  await session.run(ARCHIVE, [numberArray(ids)]);
}

/**
 * A change of one sample: for the search index, in whose turn (index-turns.ts; null is the owner), and for the log.
 */
export async function noteChange(
  session: Session,
  account: number | null,
  id: number,
  change: Change,
  now: number,
): Promise<void> {
  await session.run(CHANGE, [account, id, ...changeValues(new ChangeRuns(now).add(id, change), now)]);
}

/** The same for what was attached to a sample that stays as it is. */
export async function noteAttached(
  session: Session,
  account: number | null,
  id: number,
  type: ChangeType,
  now: number,
): Promise<void> {
  const row = await session.one<Pick<VisibilityRow, 'release' | 'admin_status'>>(VISIBILITY, [id]);
  const change = attachedChange(type, row, now);
  await noteChange(session, account, id, change, now);
}
