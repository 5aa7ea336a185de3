/** Rows of a batch that name a sample: read, decided by registry/decide.ts, written with the old version kept. */
import type { CurrentForm } from '../../registry/decide.js';
import type { SampleLayout } from '../../registry/packed-sample.js';
import type { PlacedRelationship } from '../../registry/placed-relationships.js';
import type { LaidOutBatch, RejectedRow } from '../../registry/sample-batch.js';
import type { Submission } from '../../submissions/submission.js';
import type { LedgerChunk } from '../../submissions/submission-store.js';
import { NamedRows, namingRows, type PresentSamples } from '../naming-rows.js';
import { isIntact } from '../sample-checksum.js';
import { currentForm, type SampleRow, VIA_FILE } from '../sample-row.js';
import type { SubmissionRow } from '../submission-row.js';
import { readLinks } from './annotations.js';
import type { BatchContext } from './batch-context.js';
import type { Session } from './database.js';
import type { Names } from './names.js';
import { archiveVersions, layoutIn } from './sample-rows.js';
import { writersOfSameBytes } from './submission-rows.js';
import { JoinedTexts, numberArray } from './text.js';

type Current = SampleRow & { account_name: string };

/** In order of their numbers, so that two batches that touch the same samples wait for each other and never both. */
const READ = `select x.*, (select o.name from account o where o.id = x.account) as account_name
  from sample x where x.id = any($1::bigint[]) order by x.id`;

const UPDATE = `update sample x set name = coalesce(new.name, ''), release = new.release, layout = nullif(new.layout, 0),
    doc = coalesce(new.doc, ''),
    author = $1, via = ${VIA_FILE}, submission = $2, line = new.line, version = new.version, updated = new.updated,
    submitted = new.submitted, admin_status = nullif(new.status, ''), crc = new.crc
  from rows from (unnest($3::bigint[]), unnest(string_to_array($4, E'\\x1f')), unnest($5::bigint[]), unnest($6::int[]),
    unnest(string_to_array($7, E'\\x1f')), unnest($8::int[]), unnest($9::int[]), unnest($10::bigint[]),
    unnest($11::bigint[]), unnest(string_to_array($12, E'\\x1f')), unnest($13::int[]))
    as new (id, name, release, layout, doc, line, version, updated, submitted, status, crc)
  where x.id = new.id`;

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
  const stored = await session.rows<Current>(dryRun ? READ : `${READ} for no key update of x`, [asked]);
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
      return current && [formOf(current, layouts, names), current.submission, links?.get(id)];
    },
    rowOf: (id) => samples.get(id) as Current,
    put: (next) => samples.set(next.id, { ...(samples.get(next.id) as Current), ...next }),
  };
  const written = { layout: layout ?? null, author: row.account, submission: row.id };
  for (const turn of named.overwrites(rows, present, written)) await overwrite(session, row, turn);
  return named.rejected;
}

const formOf = (current: Current, layouts: ReadonlyMap<number, SampleLayout>, names: Names): CurrentForm | 'damaged' =>
  isIntact(current, names)
    ? currentForm(current, current, layoutIn(layouts, current.layout), current.account_name)
    : 'damaged';

async function overwrite(session: Session, row: SubmissionRow, turn: ReadonlyMap<number, SampleRow>): Promise<void> {
  const all = [...turn.values()];
  await archiveVersions(session, [...turn.keys()]);
  await session.run(UPDATE, [
    row.account,
    row.id,
    numberArray(turn.keys()),
    new JoinedTexts(all.map(({ name }) => name)),
    numberArray(all.map(({ release }) => release)),
    numberArray(all.map(({ layout }) => layout ?? 0)),
    new JoinedTexts(all.map(({ doc }) => doc)),
    numberArray(all.map(({ line }) => line)),
    numberArray(all.map(({ version }) => version)),
    numberArray(all.map(({ updated }) => updated)),
    numberArray(all.map(({ submitted }) => submitted ?? 0)),
    new JoinedTexts(all.map(({ admin_status }) => admin_status ?? '')),
    numberArray(all.map(({ crc }) => crc)),
  ]);
}
