/** Rows of a batch that name a sample: read, decided by registry/samples/decide.ts, written with the old version kept. */
import type { CurrentForm } from '../../../registry/samples/decide.js';
import type { SampleLayout } from '../../../registry/samples/packed-sample.js';
import type { PlacedRelationship } from '../../../registry/samples/placed-relationships.js';
import type { LaidOutBatch, RejectedRow } from '../../../registry/samples/sample-batch.js';
import type { Submission } from '../../../submissions/submission.js';
import type { LedgerChunk } from '../../../submissions/submission-store.js';
import { NamedRows, namingRows, type PresentSamples } from '../../naming-rows.js';
import { currentForm, type OverwrittenSample, rowOfOverwritten } from '../../rows/sample-row.js';
import type { SubmissionRow } from '../../rows/submission-row.js';
import { isIntactWith } from '../../sample-checksum.js';
import type { SqliteDatabase } from '../database.js';
import { type StoredRow, StoredRows, storedRow } from '../stored-rows.js';
import { writersOfSameBytes } from '../submissions/submission-rows.js';
import { sqliteAnnotations } from './annotations.js';
import type { BatchContext } from './batch-context.js';
import { insertChanged } from './insert-rows.js';
import type { Names } from './names.js';
import { archiveVersions, replaceRow } from './sample-rows.js';

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
  const { database, names, samples, prefix } = context;
  const stored = new StoredRows(database, samples).read(rows.map((at) => batch.ids[at] as number));
  const layoutNumber = submission.options.dryRun ? names.findLayout(batch.layout) : names.layoutNumber(batch.layout);
  // The layout as the store has it: rows of the same sheet then compare by identity.
  const layoutOf = keeping((id: number) => names.layout(id));
  const layout = layoutNumber === undefined ? batch.layout : layoutOf(layoutNumber);
  const writers = submission.options.rereadOf === undefined ? undefined : writersOfSameBytes(database, row);
  const { now, changes } = context;
  const named = new NamedRows({ submission, batch, layout, prefix, writers, now, changes, added }, chunk);
  const readLinks = batch.asRead ? sqliteAnnotations(database, names).readLinks : undefined;
  const formOf = formsOf(names, layoutOf);
  const present: PresentSamples = {
    find(id) {
      const sample = stored.present.get(id);
      if (sample === 'damaged') return [sample, undefined, undefined];
      return sample && [formOf(sample), sample.shared.row, readLinks?.(id)];
    },
    put: (next) => stored.present.set(next.id, storedRow(next)),
  };
  const written = { layout: layoutNumber ?? null, author: row.account, submission: row.id };
  for (const turn of named.overwrites(rows, present, written)) overwrite(database, turn, stored.asRows);
  return named.rejected;
}

/** Rows are overwritten where they stand; what stands in blocks gets other blocks, or rows, which `asRows` is then given. */
function overwrite(database: SqliteDatabase, turn: readonly OverwrittenSample[], asRows: Set<number>): void {
  const rows: OverwrittenSample[] = [];
  const inBlocks: OverwrittenSample[] = [];
  for (const next of turn) (asRows.has(next.id) ? rows : inBlocks).push(next);
  archiveVersions(
    database,
    rows.map(({ id }) => id),
  );
  for (const sample of rows) replaceRow(database, rowOfOverwritten(sample));
  for (const { id } of insertChanged(database, inBlocks)) asRows.add(id);
}

function formsOf(names: Names, layoutOf: (id: number) => SampleLayout): (row: StoredRow) => CurrentForm | 'damaged' {
  const accountOf = keeping((id: number) => names.accountName(id));
  return ({ own, shared, isWhole }) => {
    if (!isWhole && !isIntactWith(shared.sum, own, names)) return 'damaged';
    const layout = own.layout === null ? undefined : layoutOf(own.layout);
    return currentForm(own, shared.row, layout, accountOf(shared.row.account));
  };
}

/** Names learn what a write reads when it is committed: until then, what each of thousands of rows asks is kept here. */
function keeping<Key, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = read(key);
      known.set(key, value);
    }
    return value;
  };
}
