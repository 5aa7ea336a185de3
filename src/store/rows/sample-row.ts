/** A row of `sample` or `sample_version` as both stores have it. */

import { type Change, changeBetween, creation } from '../../registry/changes/sample-change.js';
import { encodeContent } from '../../registry/samples/content-json.js';
import { type CurrentForm, contentOf, type RowDecision } from '../../registry/samples/decide.js';
import type { SampleLayout } from '../../registry/samples/packed-sample.js';
import type { HeldStatus, Provenance, SampleDraft, StoredSample, SubmittedVia } from '../../registry/samples/sample.js';
import type { NewSample, SampleUpdate } from '../../registry/samples/sample-store.js';
import type { ResultRow } from '../../registry/samples/whole-result.js';
import { type CheckedValues, checksumOf, type SampleValues, type SharedValues } from '../sample-checksum.js';

export type SampleRow = CheckedValues;

const FIXED = ['id', 'account', 'created'] as const;
const CHANGED = 'name release layout doc author via submission line version updated submitted admin_status crc'.split(
  ' ',
) as Exclude<keyof SampleRow, (typeof FIXED)[number]>[];
const COLUMNS = [...FIXED, ...CHANGED];

/** Of both tables, in the order of `valuesOfRow`. */
export const SAMPLE_COLUMNS = COLUMNS.join(', ');
/** Assignments of what later writes of a sample change, with a place for each of `changedValues`. */
export const assignChanged = (place: (at: number) => string): string =>
  CHANGED.map((column, at) => `${column} = ${place(at)}`).join(', ');

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
  ...(row.admin_status === null ? {} : { adminStatus: row.admin_status as HeldStatus }),
  version: row.version,
  created: row.created,
  updated: row.updated,
  ...(row.submitted === null ? {} : { submitted: row.submitted }),
});

/** What of a whole result's row others of its batch have too. */
export type SharedMembers = Pick<ResultRow, 'account' | 'via' | 'created' | 'updated' | 'submitted' | 'adminStatus'>;

export const sharedMembers = (row: SharedValues, account: string): SharedMembers => ({
  account,
  via: VIAS[row.via] as SubmittedVia,
  created: row.created,
  updated: row.updated,
  submitted: row.submitted ?? undefined,
  adminStatus: (row.admin_status as HeldStatus | null) ?? undefined,
});

/** The sample of a row for a whole result. */
export const resultRowOf = (
  { id, name, release, doc }: Pick<SampleRow, 'id' | 'name' | 'release' | 'doc'>,
  layout: SampleLayout | undefined,
  { account, via, created, updated, submitted, adminStatus }: SharedMembers,
): ResultRow => ({ id, account, name, release, via, created, updated, submitted, adminStatus, layout, doc });

/** What a write changes of a row: everything but number, owner and creation. */
export interface SampleChange {
  draft: SampleDraft;
  provenance: Provenance;
  version: number;
  updated: number;
  submitted: number | null;
  adminStatus: HeldStatus | null;
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
  { draft, provenance, adminStatus }: SampleUpdate,
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

/** What a new sample is to those who follow changes. */
export const newChange = ({ draft: { release }, adminStatus }: NewSample, now: number): Change =>
  creation({ release, ...(adminStatus === undefined ? {} : { adminStatus }) }, now);

/** What an overwrite is to them. */
export function overwriteChange(
  current: StoredSample,
  { draft: { release }, adminStatus = current.adminStatus }: SampleUpdate,
  now: number,
): Change {
  return changeBetween(current, { release, ...(adminStatus ? { adminStatus } : {}) }, now);
}

interface RowNumbers {
  id: number;
  account: number;
  created: number;
  author: number;
  submission: number | null;
}

/** The row of a sample after a request, with its checksum. */
export function changedRow(change: SampleChange, numbers: RowNumbers): SampleRow {
  const row: SampleValues = {
    ...numbers,
    name: change.draft.name.toWellFormed(),
    release: change.draft.release,
    layout: null,
    doc: encodeContent(change.draft.content),
    via: VIAS.indexOf(change.provenance.via),
    line: change.provenance.line ?? null,
    version: change.version,
    updated: change.updated,
    submitted: change.submitted,
    admin_status: change.adminStatus,
  };
  return { ...row, crc: checksumOf(row) };
}

export const valuesOfRow = (row: SampleRow): unknown[] => COLUMNS.map((column) => row[column]);
export const changedValues = (row: SampleRow): unknown[] => CHANGED.map((column) => row[column]);

/** Of a row in two parts, or of one twice. */
export function currentForm(
  { name, release, doc }: Pick<SampleRow, 'name' | 'release' | 'doc'>,
  { submitted, admin_status, version }: SharedValues,
  layout: SampleLayout | undefined,
  account: string,
): CurrentForm {
  const form: CurrentForm = { name, release, layout, doc, account, placeholder: submitted === null, version };
  if (admin_status !== null) form.adminStatus = admin_status as HeldStatus;
  return form;
}

type Updated = Extract<RowDecision, { kind: 'updated' }>;

/** A sample after a row of a sheet: what it has in common with others of its batch is one object for all of them. */
export type OverwrittenSample = Pick<SampleRow, 'id' | 'name' | 'release' | 'layout' | 'doc' | 'line'> & {
  shared: SharedValues;
};

/** What rows of one batch make of samples: without checksums, and what they share made once, an update takes half the writer's time. */
export class Overwriting {
  #before: SharedValues | undefined;
  #status: Updated['status'];
  #after: SharedValues | undefined;

  /** `layout`: the number of the sheet's. */
  constructor(
    private readonly written: { layout: number | null; author: number; submission: number },
    private readonly now: number,
  ) {}

  /** `current`: what the sample has in common with those that were written with it, the same object for those of a block. */
  sample(id: number, current: SharedValues, { form, status }: Updated, line: number): OverwrittenSample {
    return {
      id,
      name: form.name.toWellFormed(),
      release: form.release,
      layout: form.layout === undefined ? null : this.written.layout,
      doc: form.doc.toWellFormed(),
      line,
      shared: this.#sharedAfter(current, status),
    };
  }

  #sharedAfter(current: SharedValues, status: Updated['status']): SharedValues {
    if (this.#after !== undefined && this.#before === current && this.#status === status) return this.#after;
    this.#before = current;
    this.#status = status;
    this.#after = {
      account: current.account,
      author: this.written.author,
      via: VIA_FILE,
      submission: this.written.submission,
      version: current.version + 1,
      created: current.created,
      updated: later(this.now, current),
      submitted: current.submitted ?? this.now,
      admin_status: status === undefined ? current.admin_status : status,
    };
    return this.#after;
  }
}

/** As a row of its own, with its checksum; in a block it needs none. Written out: spread, the columns of a million rows take seven seconds. */
export function rowOfOverwritten({ id, name, release, layout, doc, line, shared }: OverwrittenSample): SampleRow {
  const row: SampleRow = {
    id,
    account: shared.account,
    created: shared.created,
    name,
    release,
    layout,
    doc,
    author: shared.author,
    via: shared.via,
    submission: shared.submission,
    line,
    version: shared.version,
    updated: shared.updated,
    submitted: shared.submitted,
    admin_status: shared.admin_status,
    crc: null,
  };
  row.crc = checksumOf(row);
  return row;
}
