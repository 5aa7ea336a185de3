/** Rows of a batch that name a sample: read, decided by registry/decide.ts, written with the old version kept. */
import type { CurrentForm } from '../../registry/decide.js';
import type { PlacedRelationship } from '../../registry/placed-relationships.js';
import type { LaidOutBatch, RejectedRow } from '../../registry/sample-batch.js';
import type { Submission } from '../../submissions/submission.js';
import type { LedgerChunk } from '../../submissions/submission-store.js';
import { NamedRows, namingRows, type PresentSamples } from '../naming-rows.js';
import { isIntactWith } from '../sample-checksum.js';
import { currentForm, type SampleRow } from '../sample-row.js';
import type { SubmissionRow } from '../submission-row.js';
import { sqliteAnnotations } from './annotations.js';
import type { BatchContext } from './batch-context.js';
import type { SqliteDatabase } from './database.js';
import { insertChanged } from './insert-rows.js';
import type { Names } from './names.js';
import { archiveVersions, replaceRow } from './sample-rows.js';
import { type StoredRow, StoredRows, storedRow, wholeRow } from './stored-rows.js';
import { writersOfSameBytes } from './submission-rows.js';

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
  const layout = layoutNumber === undefined ? batch.layout : names.layout(layoutNumber);
  const writers = submission.options.rereadOf === undefined ? undefined : writersOfSameBytes(database, row);
  const { now, changes } = context;
  const named = new NamedRows({ submission, batch, layout, prefix, writers, now, changes, added }, chunk);
  const readLinks = batch.asRead ? sqliteAnnotations(database, names).readLinks : undefined;
  const present: PresentSamples = {
    find(id) {
      const sample = stored.present.get(id);
      if (sample === 'damaged') return [sample, null, undefined];
      return sample && [formOf(names, sample), sample.shared.row.submission, readLinks?.(id)];
    },
    rowOf: (id) => wholeRow(stored.present.get(id) as StoredRow),
    put: (next) => stored.present.set(next.id, storedRow(next)),
  };
  const written = { layout: layoutNumber ?? null, author: row.account, submission: row.id };
  for (const turn of named.overwrites(rows, present, written)) overwrite(database, turn, stored.asRows);
  return named.rejected;
}

/** Rows are overwritten where they stand; what stands in blocks gets other blocks, or rows, which `asRows` is then given. */
function overwrite(database: SqliteDatabase, turn: ReadonlyMap<number, SampleRow>, asRows: Set<number>): void {
  const rows: SampleRow[] = [];
  const inBlocks: SampleRow[] = [];
  for (const [id, next] of turn) (asRows.has(id) ? rows : inBlocks).push(next);
  archiveVersions(
    database,
    rows.map(({ id }) => id),
  );
  for (const row of rows) replaceRow(database, row);
  for (const { id } of insertChanged(database, inBlocks)) asRows.add(id);
}

const formOf = (names: Names, { own, shared, isWhole }: StoredRow): CurrentForm | 'damaged' =>
  isWhole || isIntactWith(shared.sum, own, names)
    ? currentForm(
        own,
        shared.row,
        own.layout === null ? undefined : names.layout(own.layout),
        names.accountName(shared.row.account),
      )
    : 'damaged';
