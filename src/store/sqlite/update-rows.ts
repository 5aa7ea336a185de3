/** Rows of a batch that name a sample: read, decided by registry/decide.ts, written with the old version kept. */
import { formatAccession } from '../../registry/accession.js';
import { type CurrentForm, decideRow, type SampleForm } from '../../registry/decide.js';
import type { SampleLayout } from '../../registry/packed-sample.js';
import type { AdminStatus } from '../../registry/sample.js';
import { batchCells, batchName, type LaidOutBatch, type RejectedRow } from '../../registry/sample-batch.js';
import type { Submission } from '../../submissions/submission.js';
import type { LedgerChunk } from '../../submissions/submission-store.js';
import { addDecision, addVersion } from '../ledger-runs.js';
import { namingRow, namingRows, rowWriter } from '../naming-rows.js';
import type { BatchContext } from './batch-context.js';
import type { SqliteDatabase } from './database.js';
import { archiveVersion, type SampleRow } from './sample-rows.js';
import { type SubmissionRow, writersOfSameBytes } from './submission-rows.js';

/** Samples read in one statement. */
const READ = 50;
const READ_MANY = readOf(READ);
const READ_ONE = readOf(1);

function readOf(rows: number): string {
  return `select id, name, account, release, layout, doc, version, updated, submitted, admin_status, submission from sample where id in (${Array<string>(rows).fill('?').join(', ')})`;
}

const WITHDRAW = "update sample set admin_status = 'KILLED' where id = ?";

type Current = Pick<
  SampleRow,
  | 'id'
  | 'name'
  | 'account'
  | 'release'
  | 'layout'
  | 'doc'
  | 'version'
  | 'updated'
  | 'submitted'
  | 'admin_status'
  | 'submission'
>;

/** Adds to the chunk what becomes of them; answers the rejected ones. */
export function updateRows(
  context: BatchContext,
  row: SubmissionRow,
  submission: Submission,
  batch: LaidOutBatch,
  chunk: LedgerChunk,
): RejectedRow[] {
  const rows = namingRows(batch);
  if (rows.length === 0) return [];
  const { database, names, prefix } = context;
  const present = readSamples(
    database,
    rows.map((at) => batch.ids[at] as number),
  );
  const layoutNumber = submission.options.dryRun ? undefined : names.layoutNumber(batch.layout);
  // The layout as the store has it: rows of the same sheet then compare by identity.
  const layout = layoutNumber === undefined ? batch.layout : names.layout(layoutNumber);
  const writer = rowWriter(submission, batch, context.now);
  const writers = submission.options.rereadOf === undefined ? undefined : writersOfSameBytes(database, row);
  const rejected: RejectedRow[] = [];
  for (const at of rows) {
    const id = batch.ids[at] as number;
    const line = batch.lines[at] as number;
    const form = formOf(batch, at, layout);
    const stored = present.get(id);
    const accession = formatAccession(prefix, id);
    const asked = namingRow(batch, at, { form, accession }, writers, stored);
    const decision = decideRow(asked, stored && currentForm(context, stored), writer);
    if (decision.kind === 'rejected') {
      rejected.push({ line, name: form.name, issues: [decision.issue] });
    } else {
      addDecision(chunk, line, id, decision);
      if (submission.options.dryRun) addVersion(chunk, line, (stored as Current).version);
      else if (decision.kind === 'updated') {
        present.set(id, overwrite(context, row, stored as Current, decision.form, layoutNumber ?? null, line));
        if (decision.withdrawn) database.sql(WITHDRAW).run(id);
      }
    }
  }
  return rejected;
}

function formOf(batch: LaidOutBatch, at: number, layout: SampleLayout): SampleForm {
  const document = batch.documents.get(at);
  return {
    name: batchName(batch, at),
    release: batch.releases[at] as number,
    layout: document === undefined ? layout : undefined,
    doc: document ?? batchCells(batch, at),
  };
}

function currentForm({ names }: BatchContext, current: Current): CurrentForm {
  return {
    name: current.name,
    release: current.release,
    layout: current.layout === null ? undefined : names.layout(current.layout),
    doc: current.doc,
    account: names.accountName(current.account),
    placeholder: current.submitted === null,
    ...(current.admin_status === null ? {} : { adminStatus: current.admin_status as AdminStatus }),
    version: current.version,
  };
}

function readSamples(database: SqliteDatabase, ids: readonly number[]): Map<number, Current> {
  const present = new Map<number, Current>();
  const many = database.sql<Current>(READ_MANY);
  const one = database.sql<Current>(READ_ONE);
  let at = 0;
  for (; at + READ <= ids.length; at += READ) {
    for (const current of many.all(ids.slice(at, at + READ))) present.set(current.id, current);
  }
  for (; at < ids.length; at++) {
    const current = one.get(ids[at]);
    if (current) present.set(current.id, current);
  }
  return present;
}

function overwrite(
  { database, now }: BatchContext,
  row: SubmissionRow,
  current: Current,
  form: SampleForm,
  layout: number | null,
  line: number,
): Current {
  const next: Current = {
    ...current,
    name: form.name,
    release: form.release,
    layout: form.layout === undefined ? null : layout,
    doc: form.doc,
    version: current.version + 1,
    updated: Math.max(now, current.updated),
    submitted: current.submitted ?? now,
    submission: row.id,
  };
  archiveVersion(database, current.id);
  database
    .sql(
      `update sample set name = ?, release = ?, layout = ?, doc = ?, author = ?, via = 1, submission = ?, line = ?,
       version = ?, updated = ?, submitted = ? where id = ?`,
    )
    .run(
      next.name,
      next.release,
      next.layout,
      next.doc,
      row.account,
      row.id,
      line,
      next.version,
      next.updated,
      next.submitted,
      current.id,
    );
  return next;
}
