/** Rows of `sample` and `sample_version` ↔ samples. */
import { encodeContent } from '../../registry/content-json.js';
import { contentOf } from '../../registry/decide.js';
import type { AdminStatus, Provenance, SampleDraft, StoredSample, SubmittedVia } from '../../registry/sample.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';

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
}

/** In the order of both tables. */
export const SAMPLE_COLUMNS =
  'id, name, account, release, layout, doc, author, via, submission, line, version, created, updated, submitted, admin_status';

const VIAS: readonly SubmittedVia[] = ['JSON_API', 'FILE_UPLOADER'];
export const viaNumber = (via: SubmittedVia): number => VIAS.indexOf(via);
export const viaName = (via: number): SubmittedVia => VIAS[via] as SubmittedVia;

export function readSampleRow(row: SampleRow, names: Names): StoredSample {
  const layout = row.layout === null ? undefined : names.layout(row.layout);
  return {
    id: row.id,
    account: names.accountName(row.account),
    name: row.name,
    release: row.release,
    content: contentOf({ layout, doc: row.doc }),
    ...readProvenance(row, names),
    ...(row.admin_status === null ? {} : { adminStatus: row.admin_status as AdminStatus }),
    version: row.version,
    created: row.created,
    updated: row.updated,
    ...(row.submitted === null ? {} : { submitted: row.submitted }),
  };
}

export function readProvenance(
  row: Pick<SampleRow, 'author' | 'via' | 'submission' | 'line'>,
  names: Names,
): Provenance {
  return {
    author: names.accountName(row.author),
    via: viaName(row.via),
    ...(row.submission === null ? {} : { submissionId: names.submissionId(row.submission) }),
    ...(row.line === null ? {} : { line: row.line }),
  };
}

/** What a write changes of a row: everything but number, owner and creation. */
export interface SampleChange {
  draft: SampleDraft;
  provenance: Provenance;
  version: number;
  updated: number;
  submitted: number | null;
  adminStatus: AdminStatus | null;
}

/** Values for name, release, layout, doc, author, via, submission, line, version, updated, submitted, admin_status. */
export function changeValues(change: SampleChange, names: Names): unknown[] {
  const { draft, provenance } = change;
  return [
    draft.name,
    draft.release,
    null,
    encodeContent(draft.content),
    names.account(provenance.author, change.updated),
    viaNumber(provenance.via),
    provenance.submissionId === undefined ? null : (names.findSubmission(provenance.submissionId) ?? null),
    provenance.line ?? null,
    change.version,
    change.updated,
    change.submitted,
    change.adminStatus,
  ];
}

/** Keeps the present version of a sample before it is overwritten. */
export function archiveVersion(database: SqliteDatabase, id: number): void {
  database
    .sql(`insert into sample_version (${SAMPLE_COLUMNS}) select ${SAMPLE_COLUMNS} from sample where id = ?`)
    .run(id);
}

/** Tells the search index that these samples' visible content changed. */
export function journalChange(database: SqliteDatabase, first: number, count: number): void {
  database
    .sql("insert into change (first, count, at) values (?, ?, cast(unixepoch('subsec') * 1000 as integer))")
    .run(first, count);
}

/** Takes the next `count` accession numbers; resolves to the first. Inside a write. */
export function takeAccessions(database: SqliteDatabase, count: number): number {
  const row = database
    .sql<{ next: number }>("update counter set next = next + ? where name = 'accession' returning next")
    .get(count);
  if (row === undefined) throw new Error('the store has lost its accession counter');
  return row.next - count;
}
