/** Rows of `sample` and `sample_version` ↔ samples. */
import type { SampleLayout } from '../../registry/packed-sample.js';
import type { Provenance, StoredSample } from '../../registry/sample.js';
import { type Checking, requireIntact } from '../sample-checksum.js';
import { provenanceOf, SAMPLE_COLUMNS, type SampleRow, sampleOf } from '../sample-row.js';
import type { Session } from './database.js';
import { numberArray } from './text.js';

/** With what its numbers stand for joined in. */
export type JoinedSample = SampleRow & {
  account_name: string;
  author_name: string;
  submission_uuid: string | null;
};

/**
 * Rows of `sample` or `sample_version` with what their numbers stand for. What an update may change is looked up in the
 * list, not joined: a row that was waited for is checked again against what was joined to its former self, and would
 * not be found.
 */
export const samplesFrom = (table: 'sample' | 'sample_version'): string =>
  `select x.*, o.name as account_name, (select w.name from account w where w.id = x.author) as author_name,
     (select u.uuid from submission u where u.id = x.submission) as submission_uuid
   from ${table} x join account o on o.id = x.account`;

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

export const readProvenance = (
  row: Pick<JoinedSample, 'author_name' | 'via' | 'submission_uuid' | 'line'>,
): Provenance => provenanceOf(row, namesOf(row));

export function layoutIn(layouts: ReadonlyMap<number, SampleLayout>, id: number | null): SampleLayout | undefined {
  if (id === null) return undefined;
  const layout = layouts.get(id);
  if (layout === undefined) throw new Error(`the store names layout ${id}, which it does not have`);
  return layout;
}

/** Keeps the present versions of samples before they are overwritten. */
export async function archiveVersions(session: Session, ids: readonly number[]): Promise<void> {
  await session.run(
    `insert into sample_version (${SAMPLE_COLUMNS}) select ${SAMPLE_COLUMNS} from sample where id = any($1::bigint[])`,
    [numberArray(ids)],
  );
}

/** Tells the search index that this sample's visible content changed, in whose turn (index-turns.ts): null is the owner. */
export async function journalChange(session: Session, account: number | null, id: number): Promise<void> {
  await session.run(
    `insert into change (account, first, count)
     values (coalesce($1::int, (select account from sample where id = $2)), $2, 1)`,
    [account, id],
  );
}
