/** Rows of a batch that name a sample: read, decided by registry/decide.ts, written with the old version kept. */
import type { CurrentForm } from '../../registry/decide.js';
import type { PlacedRelationship } from '../../registry/placed-relationships.js';
import type { LaidOutBatch, RejectedRow } from '../../registry/sample-batch.js';
import type { Submission } from '../../submissions/submission.js';
import type { LedgerChunk } from '../../submissions/submission-store.js';
import { NamedRows, namingRows } from '../naming-rows.js';
import { isIntactWith } from '../sample-checksum.js';
import { assignChanged, changedValues, currentForm, overwritten } from '../sample-row.js';
import type { SubmissionRow } from '../submission-row.js';
import { sqliteAnnotations } from './annotations.js';
import type { BatchContext } from './batch-context.js';
import type { Names } from './names.js';
import { archiveVersion } from './sample-rows.js';
import { type StoredRow, StoredRows, storedRow, wholeRow } from './stored-rows.js';
import { writersOfSameBytes } from './submission-rows.js';

const OVERWRITE = `update sample set ${assignChanged(() => '?')} where id = ?`;

/** Adds to the chunk what becomes of them; answers the rejected ones. */
export function updateRows(
  context: BatchContext,
  row: SubmissionRow,
  submission: Submission,
  batch: LaidOutBatch,
  chunk: LedgerChunk,
  added?: Map<number, PlacedRelationship[]>,
): RejectedRow[] {
  const rows = namingRows(batch);
  if (rows.length === 0) return [];
  const { database, names, prefix } = context;
  const present = new StoredRows(database).read(rows.map((at) => batch.ids[at] as number));
  const layoutNumber = submission.options.dryRun ? names.findLayout(batch.layout) : names.layoutNumber(batch.layout);
  // The layout as the store has it: rows of the same sheet then compare by identity.
  const layout = layoutNumber === undefined ? batch.layout : names.layout(layoutNumber);
  const writers = submission.options.rereadOf === undefined ? undefined : writersOfSameBytes(database, row);
  const { now, changes } = context;
  const named = new NamedRows({ submission, batch, layout, prefix, writers, now, changes, added }, chunk);
  const readLinks = batch.asRead && sqliteAnnotations(database, names).readLinks;
  for (const at of rows) {
    const id = batch.ids[at] as number;
    const stored = present.get(id);
    const links = stored && readLinks?.(id);
    const updated = named.decide(at, stored && formOf(names, stored), stored?.shared.values.submission, links);
    if (updated === undefined) continue;
    const next = overwritten(wholeRow(stored as StoredRow), updated, {
      layout: layoutNumber ?? null,
      line: batch.lines[at] as number,
      author: row.account,
      submission: row.id,
      now,
    });
    archiveVersion(database, id);
    database.sql(OVERWRITE).run(...changedValues(next), id);
    present.set(id, storedRow(next));
  }
  return named.rejected;
}

const formOf = (names: Names, { own, shared }: StoredRow): CurrentForm | 'damaged' =>
  isIntactWith(shared.sum, own, names)
    ? currentForm(
        own,
        shared.values,
        own.layout === null ? undefined : names.layout(own.layout),
        names.accountName(shared.values.account),
      )
    : 'damaged';
