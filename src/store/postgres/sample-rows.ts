/** Rows of `sample` and `sample_version` ↔ samples. */
import { encodeContent } from '../../registry/content-json.js';
import { contentOf } from '../../registry/decide.js';
import type { SampleLayout } from '../../registry/packed-sample.js';
import type { AdminStatus, Provenance, SampleDraft, StoredSample, SubmittedVia } from '../../registry/sample.js';
import type { Session } from './database.js';
import { numberArray } from './text.js';

export interface SampleRow {
  id: number;
  name: string;
  account: number;
  release: number;
  layout: number | null;
  doc: string;
  author: number;
  via: number;
  submission: number | null;
  line: number | null;
  version: number;
  created: number;
  updated: number;
  submitted: number | null;
  admin_status: string | null;
  /** Joined in: names of the owner and of the author, id of the submission. */
  account_name: string;
  author_name: string;
  submission_uuid: string | null;
}

/** In the order of both tables. */
export const SAMPLE_COLUMNS =
  'id, name, account, release, layout, doc, author, via, submission, line, version, created, updated, submitted, admin_status';

/**
 * Rows of `sample` or `sample_version` with what their numbers stand for. What an update may change is looked up in the
 * list, not joined: a row that was waited for is checked again against what was joined to its former self, and would
 * not be found.
 */
export const samplesFrom = (table: 'sample' | 'sample_version'): string =>
  `select x.*, o.name as account_name, (select w.name from account w where w.id = x.author) as author_name,
     (select u.uuid from submission u where u.id = x.submission) as submission_uuid
   from ${table} x join account o on o.id = x.account`;

const VIAS: readonly SubmittedVia[] = ['JSON_API', 'FILE_UPLOADER'];
export const viaNumber = (via: SubmittedVia): number => VIAS.indexOf(via);
export const viaName = (via: number): SubmittedVia => VIAS[via] as SubmittedVia;

export function readSampleRow(row: SampleRow, layouts: ReadonlyMap<number, SampleLayout>): StoredSample {
  return {
    id: row.id,
    account: row.account_name,
    name: row.name,
    release: row.release,
    content: contentOf({ layout: layoutIn(layouts, row.layout), doc: row.doc }),
    ...readProvenance(row),
    ...(row.admin_status === null ? {} : { adminStatus: row.admin_status as AdminStatus }),
    version: row.version,
    created: row.created,
    updated: row.updated,
    ...(row.submitted === null ? {} : { submitted: row.submitted }),
  };
}

export function layoutIn(layouts: ReadonlyMap<number, SampleLayout>, id: number | null): SampleLayout | undefined {
  if (id === null) return undefined;
  const layout = layouts.get(id);
  if (layout === undefined) throw new Error(`the store names layout ${id}, which it does not have`);
  return layout;
}

export function readProvenance(row: Pick<SampleRow, 'author_name' | 'via' | 'submission_uuid' | 'line'>): Provenance {
  return {
    author: row.author_name,
    via: viaName(row.via),
    ...(row.submission_uuid === null ? {} : { submissionId: row.submission_uuid }),
    ...(row.line === null ? {} : { line: row.line }),
  };
}

/** What a write changes of a row: everything but number, owner and creation. */
export interface SampleChange {
  draft: SampleDraft;
  provenance: Provenance;
  author: number;
  version: number;
  updated: number;
  submitted: number | null;
  adminStatus: AdminStatus | null;
}

/** Values for name, release, layout, doc, author, via, submission (by its id), line, version, updated, submitted, admin_status. */
export function changeValues({ draft, provenance, ...change }: SampleChange): unknown[] {
  return [
    draft.name,
    draft.release,
    null,
    encodeContent(draft.content),
    change.author,
    viaNumber(provenance.via),
    provenance.submissionId ?? null,
    provenance.line ?? null,
    change.version,
    change.updated,
    change.submitted,
    change.adminStatus,
  ];
}

/** Keeps the present versions of samples before they are overwritten. */
export async function archiveVersions(session: Session, ids: readonly number[]): Promise<void> {
  await session.run(
    `insert into sample_version (${SAMPLE_COLUMNS}) select ${SAMPLE_COLUMNS} from sample where id = any($1::bigint[])`,
    [numberArray(ids)],
  );
}

/** Tells the search index that these samples' visible content changed. */
export async function journalChange(session: Session, first: number, count: number): Promise<void> {
  await session.run('insert into change (first, count) values ($1, $2)', [first, count]);
}
