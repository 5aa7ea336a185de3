/** A row of `sample` or `sample_version` as both stores have it. */
import { encodeContent } from '../registry/content-json.js';
import { type CurrentForm, contentOf, type SampleForm } from '../registry/decide.js';
import type { SampleLayout } from '../registry/packed-sample.js';
import type { AdminStatus, Provenance, SampleDraft, StoredSample, SubmittedVia } from '../registry/sample.js';
import type { NewSample, SampleDecision } from '../registry/sample-store.js';

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
/** The columns that a new sample and each later write of it fill, in the order of `changeValues`; the new one has id, account and created before. */
export const NEW_SAMPLE =
  'id, account, created, name, release, layout, doc, author, via, submission, line, version, updated, submitted, admin_status';

const VIAS: readonly SubmittedVia[] = ['JSON_API', 'FILE_UPLOADER'];
/** As SQL has it where rows of files are written and counted. */
export const VIA_FILE = VIAS.indexOf('FILE_UPLOADER');

export interface ProvenanceNames {
  author: string;
  submissionId: string | null;
}

export const provenanceOf = (row: Pick<SampleRow, 'via' | 'line'>, names: ProvenanceNames): Provenance => ({
  author: names.author,
  via: VIAS[row.via] as SubmittedVia,
  ...(names.submissionId === null ? {} : { submissionId: names.submissionId }),
  ...(row.line === null ? {} : { line: row.line }),
});

export const sampleOf = (
  row: SampleRow,
  layout: SampleLayout | undefined,
  names: ProvenanceNames & { account: string },
): StoredSample => ({
  id: row.id,
  account: names.account,
  name: row.name,
  release: row.release,
  content: contentOf({ layout, doc: row.doc }),
  ...provenanceOf(row, names),
  ...(row.admin_status === null ? {} : { adminStatus: row.admin_status as AdminStatus }),
  version: row.version,
  created: row.created,
  updated: row.updated,
  ...(row.submitted === null ? {} : { submitted: row.submitted }),
});

/** What a write changes of a row: everything but number, owner and creation. */
export interface SampleChange {
  draft: SampleDraft;
  provenance: Provenance;
  version: number;
  updated: number;
  submitted: number | null;
  adminStatus: AdminStatus | null;
}

export const firstVersion = (sample: NewSample, now: number): SampleChange => ({
  draft: sample.draft,
  provenance: sample,
  version: 1,
  updated: now,
  submitted: sample.placeholder ? null : now,
  adminStatus: sample.adminStatus ?? null,
});

/** A clock that was set back must not make a later version look older. */
const later = (now: number, { updated }: { updated: number }): number => Math.max(now, updated);

export function nextVersion(
  current: StoredSample,
  { draft, provenance, adminStatus }: Extract<SampleDecision, { kind: 'update' }>,
  now: number,
): SampleChange {
  const updated = later(now, current);
  return {
    draft,
    provenance,
    version: current.version + 1,
    updated,
    submitted: current.submitted ?? updated,
    adminStatus: adminStatus === undefined ? (current.adminStatus ?? null) : adminStatus,
  };
}

/** Values for name, release, layout, doc, author, via, submission, line, version, updated, submitted, admin_status; `author` and `submission` as the store spells them. */
export const changeValues = (change: SampleChange, author: number, submission: number | string | null): unknown[] => [
  change.draft.name,
  change.draft.release,
  null,
  encodeContent(change.draft.content),
  author,
  VIAS.indexOf(change.provenance.via),
  submission,
  change.provenance.line ?? null,
  change.version,
  change.updated,
  change.submitted,
  change.adminStatus,
];

/** What a row of a sheet needs to know of the sample that it names. */
export type NamedRow = Pick<
  SampleRow,
  'id' | 'name' | 'release' | 'layout' | 'doc' | 'version' | 'updated' | 'submitted' | 'admin_status' | 'submission'
>;

export const currentForm = (row: NamedRow, layout: SampleLayout | undefined, account: string): CurrentForm => ({
  name: row.name,
  release: row.release,
  layout,
  doc: row.doc,
  account,
  placeholder: row.submitted === null,
  ...(row.admin_status === null ? {} : { adminStatus: row.admin_status as AdminStatus }),
  version: row.version,
});

/** The row of a sample after a row of a sheet: `layout` is the number of the sheet's. */
export const overwritten = <Row extends NamedRow>(
  current: Row,
  form: SampleForm,
  layout: number | null,
  submission: number,
  now: number,
): Row => ({
  ...current,
  name: form.name,
  release: form.release,
  layout: form.layout === undefined ? null : layout,
  doc: form.doc,
  version: current.version + 1,
  updated: later(now, current),
  submitted: current.submitted ?? now,
  submission,
});
