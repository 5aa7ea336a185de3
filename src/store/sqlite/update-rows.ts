/** Rows of a batch that name a sample: read, decided by registry/decide.ts, written with the old version kept. */
import type { CurrentForm } from '../../registry/decide.js';
import type { LaidOutBatch, RejectedRow } from '../../registry/sample-batch.js';
import type { Submission } from '../../submissions/submission.js';
import type { LedgerChunk } from '../../submissions/submission-store.js';
import { NamedRows, namingRows } from '../naming-rows.js';
import { currentForm, type NamedRow, overwritten, VIA_FILE } from '../sample-row.js';
import type { SubmissionRow } from '../submission-row.js';
import type { BatchContext } from './batch-context.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';
import { archiveVersion } from './sample-rows.js';
import { writersOfSameBytes } from './submission-rows.js';

/** Samples read in one statement. */
const READ = 50;
const READ_MANY = readOf(READ);
const READ_ONE = readOf(1);

function readOf(rows: number): string {
  return `select id, name, account, release, layout, doc, version, updated, submitted, admin_status, submission from sample where id in (${Array<string>(rows).fill('?').join(', ')})`;
}

const WITHDRAW = "update sample set admin_status = 'KILLED' where id = ?";

type Current = NamedRow & { account: number };

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
  const writers = submission.options.rereadOf === undefined ? undefined : writersOfSameBytes(database, row);
  const named = new NamedRows({ submission, batch, layout, prefix, writers, now: context.now }, chunk);
  for (const at of rows) {
    const id = batch.ids[at] as number;
    const stored = present.get(id);
    const updated = named.decide(at, stored && formOf(names, stored), stored?.submission);
    if (updated === undefined) continue;
    const next = overwritten(stored as Current, updated.form, layoutNumber ?? null, row.id, context.now);
    overwrite(database, row, next, batch.lines[at] as number);
    if (updated.withdrawn) database.sql(WITHDRAW).run(id);
    present.set(id, next);
  }
  return named.rejected;
}

const formOf = (names: Names, current: Current): CurrentForm =>
  currentForm(
    current,
    current.layout === null ? undefined : names.layout(current.layout),
    names.accountName(current.account),
  );

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

function overwrite(database: SqliteDatabase, row: SubmissionRow, next: Current, line: number): void {
  archiveVersion(database, next.id);
  database
    .sql(
      `update sample set name = ?, release = ?, layout = ?, doc = ?, author = ?, via = ${VIA_FILE}, submission = ?,
       line = ?, version = ?, updated = ?, submitted = ? where id = ?`,
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
      next.id,
    );
}
