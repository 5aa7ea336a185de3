/** Rows of a batch that name a sample: read, decided by registry/samples/decide.ts, written with the old version kept. */
import type { CurrentForm } from '../../../registry/samples/decide.js';
import type { SampleLayout } from '../../../registry/samples/packed-sample.js';
import type { PlacedRelationship } from '../../../registry/samples/placed-relationships.js';
import type { LaidOutBatch, RejectedRow } from '../../../registry/samples/sample-batch.js';
import type { Submission } from '../../../submissions/submission.js';
import type { LedgerChunk } from '../../../submissions/submission-store.js';
import { NamedRows, namingRows, type PresentSamples } from '../../naming-rows.js';
import { currentForm, type OverwrittenSample, rowOfOverwritten, type SampleRow } from '../../rows/sample-row.js';
import type { SubmissionRow } from '../../rows/submission-row.js';
import { inSameBlock } from '../../sample-blocks.js';
import { isIntact } from '../../sample-checksum.js';
import { writersOfSameBytes } from '../submissions/submission-rows.js';
import { numberArray } from '../text.js';
import { readLinks } from './annotations.js';
import type { BatchContext } from './batch-context.js';
import { lockSamples } from './lock-samples.js';
import type { Names } from './names.js';
import { samplesOf } from './present-samples.js';
import { archiveVersions, layoutIn } from './sample-rows.js';
import { type Block, writeBlocks, writeRows } from './write-samples.js';

type Current = SampleRow & { account_name: string; own_row: boolean };

const READ = `select x.*, (select o.name from account o where o.id = x.account) as account_name from ${samplesOf('$1')} x`;

/** Adds to the chunk what becomes of them; answers the rejected ones. */
export async function updateRows(
  context: BatchContext,
  row: SubmissionRow,
  submission: Submission,
  batch: LaidOutBatch,
  chunk: LedgerChunk,
  added?: Map<number, PlacedRelationship[]>,
): Promise<RejectedRow[]> {
  const rows = namingRows(batch);
  if (rows.length === 0) return [];
  const { session, names, prefix, now, layout, changes } = context;
  const { dryRun } = submission.options;
  const asked = numberArray(new Set(rows.map((at) => batch.ids[at] as number)));
  if (!dryRun) await lockSamples(session, asked);
  const stored = await session.rows<Current>(READ, [asked]);
  const samples = new Map(stored.map((current) => [current.id, current]));
  // The layout as the store has it, which a dry run stores none of: rows of the same sheet then compare by identity.
  const own = layout ?? (await names.findLayout(session, batch.layout)) ?? null;
  const layouts = await names.layoutsOf(session, [own, ...stored.map((current) => current.layout)]);
  const writers = submission.options.rereadOf === undefined ? undefined : await writersOfSameBytes(session, row);
  const named = new NamedRows(
    { submission, batch, layout: layoutIn(layouts, own) ?? batch.layout, prefix, writers, now, changes, added },
    chunk,
  );
  const links = batch.asRead ? await readLinks(session, asked) : undefined;
  const present: PresentSamples = {
    find(id) {
      const current = samples.get(id);
      return current && [formOf(current, layouts, names), current, links?.get(id)];
    },
    put: (next) => samples.set(next.id, { ...(samples.get(next.id) as Current), ...rowOfOverwritten(next) }),
  };
  const written = { layout: layout ?? null, author: row.account, submission: row.id };
  const rowed = new Set(stored.flatMap(({ id, own_row: own }) => (own ? [id] : [])));
  for (const turn of named.overwrites(rows, present, written)) await overwrite(context, turn, rowed);
  return named.rejected;
}

const formOf = (current: Current, layouts: ReadonlyMap<number, SampleLayout>, names: Names): CurrentForm | 'damaged' =>
  isIntact(current, names)
    ? currentForm(current, current, layoutIn(layouts, current.layout), current.account_name)
    : 'damaged';

/** What has a row, by its number in `rowed`, is kept and overwritten; the others get a newer block, or a row. */
async function overwrite(
  { session, blocks }: BatchContext,
  turn: readonly OverwrittenSample[],
  rowed: Set<number>,
): Promise<void> {
  const kept = turn.filter(({ id }) => rowed.has(id));
  const ids = kept.map(({ id }) => id);
  if (ids.length > 0) await archiveVersions(session, ids);
  const among = await blocks.among(
    turn.filter(({ id }) => !rowed.has(id)),
    inSameBlock,
  );
  await writeBlocks(
    session,
    among.blocks.map((samples): Block => {
      const rows = samples.map(rowOfOverwritten);
      return { values: rows[0] as SampleRow, rows };
    }),
  );
  await writeRows(session, [...kept, ...among.others].map(rowOfOverwritten));
  for (const { id } of among.others) rowed.add(id);
}
