/**
 * The ingest transaction: fence, decide, write samples, record outcomes, move the cursor. Five round trips for a batch
 * of new rows. The layout is stored before it and accession numbers are taken beside it, so that batches of several
 * workers do not wait for each other; numbers of a batch that comes to nothing stay unused.
 */
import type { LaidOutBatch } from '../../../registry/samples/sample-batch.js';
import { endState, type Submission } from '../../../submissions/submission.js';
import type { ApplyOptions, BatchResult, Claim, LedgerChunk } from '../../../submissions/submission-store.js';
import {
  ADDED,
  addCreated,
  addedValues,
  addRejected,
  changedRuns,
  chunkOf,
  issuesAfter,
  newRows,
  numbersOf,
  standingAfter,
  stepOf,
} from '../../batch-rules.js';
import { ChangeRuns } from '../../change-runs.js';
import { endsAsCancelled } from '../../claim-rules.js';
import { type CreatedRows, givenKeys } from '../../keyed-rows.js';
import { clipChunks, emptyChunk } from '../../ledger-runs.js';
import type { SubmissionRow } from '../../rows/submission-row.js';
import type { PostgresDatabase, Session } from '../database.js';
import { ownedRow } from '../submissions/claims.js';
import { endSubmission } from '../submissions/submission-ends.js';
import { type JoinedRow, readSubmissionRow, rowById } from '../submissions/submission-rows.js';
import { numberArray } from '../text.js';
import type { BatchContext } from './batch-context.js';
import { changeValues, logging } from './change-log.js';
import { newSamples } from './insert-rows.js';
import { LAYOUT_HASH, UndoneName } from './names.js';
import { anythingWaits, keepOpen, readCompleting } from './open-relationships.js';
import { isStillSo, Preparation, type PreparedBatch, takePrepared } from './prepared-batch.js';
import { keyRows, takeKeysBack, writeKeys } from './row-keys.js';
import { updateRows } from './update-rows.js';

/** Of one attempt: what was prepared for it, and what it prepares. */
interface Beside {
  prepared: PreparedBatch | undefined;
  preparation: Preparation;
}

export async function applyBatch(
  { now, ...store }: Pick<BatchContext, 'database' | 'names' | 'blocks' | 'prefix'> & { now: () => number },
  claim: Claim,
  batch: LaidOutBatch,
  options: ApplyOptions,
): Promise<BatchResult> {
  const { dryRun } = claim.submission.options;
  let prepared = takePrepared(batch, now());
  for (;;) {
    const layout = dryRun || batch.count === 0 ? undefined : await store.names.layoutNumber(batch.layout);
    let preparation: Preparation | undefined;
    try {
      // Repeatable: a batch that was committed unheard is then at the cursor, and its recorded chunk is answered.
      const result = await store.database.write(
        async (session) => {
          preparation = new Preparation({ ...store, now }, options.next);
          const beside = { prepared, preparation };
          // Its numbers may be anybody's after a crash, which another attempt may follow.
          prepared = undefined;
          const at = beside.prepared?.now ?? now();
          const context = { ...store, session, now: at, layout, changes: new ChangeRuns(at) };
          const leaseMs = options.leaseMs + now() - at;
          const done = await applyOnce(context, claim, batch, { ...options, leaseMs }, beside);
          await preparation.end();
          return done;
        },
        { repeatable: true },
      );
      await preparation?.keep();
      return result;
    } catch (error) {
      if (!(error instanceof UndoneName)) throw error;
      store.names.forget();
    }
  }
}

async function applyOnce(
  context: BatchContext,
  claim: Claim,
  batch: LaidOutBatch,
  options: ApplyOptions,
  beside: Beside,
): Promise<BatchResult> {
  const { session, now } = context;
  const row = await ownedRow(session, claim);
  const submission = readSubmissionRow(row);
  const step = stepOf(row, batch);
  if (step === 'recorded') {
    const chunk = await recordedChunk(session, row, batch);
    const ends = options.last && !(await anythingWaits(session, row, submission));
    return { chunk, submission: ends ? await endByCounts(context, row) : submission };
  }
  if (step === 'cancelled') {
    if (endsAsCancelled(row)) await endSubmission(session, row, 'CANCELLED', undefined, now);
    const cancelled = readSubmissionRow(await rowById(session, row.id));
    return { chunk: emptyChunk(batch.fromLine, batch.toLine), submission: cancelled };
  }
  const chunk = await writeRows(context, row, submission, batch, beside);
  const ends = options.last && !(await anythingWaits(session, row, submission));
  const after = await record(context, row, submission, batch, chunk, options.leaseMs);
  return { chunk, submission: ends ? await endByCounts(context, after) : readSubmissionRow(after) };
}

async function writeRows(
  context: BatchContext,
  row: SubmissionRow,
  submission: Submission,
  batch: LaidOutBatch,
  beside: Beside,
): Promise<LedgerChunk> {
  const chunk = chunkOf(batch);
  const keyed = await keyRows(context, row, submission, batch);
  const completing = batch.completes && (await readCompleting(context, batch));
  const rejected = await updateRows(context, row, submission, keyed.batch, chunk, completing?.added);
  const created = await createRows(context, row, keyed.batch, chunk, beside);
  const { dryRun } = submission.options;
  if (row.key_space !== null && !dryRun)
    await writeKeys(context.session, row.key_space, row.id, givenKeys(keyed, created, rejected));
  if (!dryRun) await keepOpen(context, row, { submission, batch: keyed.batch, chunk, created, rejected, completing });
  if (batch.keysOf) await takeKeysBack(context.session, { ...batch, keysOf: batch.keysOf }, chunk);
  addRejected(submission, chunk, [...keyed.rejected, ...rejected]);
  return chunk;
}

async function createRows(
  context: BatchContext,
  row: SubmissionRow,
  batch: LaidOutBatch,
  chunk: LedgerChunk,
  { prepared, preparation }: Beside,
): Promise<CreatedRows> {
  const { database, session, layout, now, changes } = context;
  const rows = newRows(batch);
  const noted = { now, changes };
  if (rows.length === 0 || layout === undefined) return addCreated(chunk, batch, rows, undefined, noted);
  const by = { ...context, account: row.account, submission: row.id, layout };
  const asPrepared = prepared && isStillSo(prepared, by, rows) ? prepared.samples : undefined;
  const samples = asPrepared ?? (await newSamples(by, batch, rows, await numbersFor(database, batch, rows)));
  for (const [text, values] of samples.statements) {
    const written = session.run(text, values);
    preparation.begin(row.account, row.id);
    await written;
  }
  return addCreated(chunk, batch, rows, samples.ids, noted);
}

async function numbersFor(database: PostgresDatabase, batch: LaidOutBatch, rows: readonly number[]): Promise<number[]> {
  const first = batch.reserved === undefined ? await database.takeNumbers('accession', rows.length) : 0;
  return numbersOf(batch, rows, first);
}

const RECORD = `with journal as (
    insert into change (account, first, count, logged)
      select submission.account, new.*, true from submission, unnest($1::bigint[], $2::int[]) new where submission.id = $3
  ), ${logging(ADDED.length + 13)}, ledger as (
    insert into submission_chunk (submission, from_line, to_line, outcomes) values ($3, $4, $5, $6)
  )
  update submission set phase = 'REGISTERING', ${ADDED.map((name, at) => `${name} = ${name} + $${at + 13}`).join(', ')},
    issues = $7, bytes_read = greatest(bytes_read, $8), cursor = $5, setbacks = null, next_try = null, alone = 0,
    lease_until = $9, updated = $10, standing = coalesce($11, standing)
  where id = $3 returning *, ${LAYOUT_HASH('$12')} as layout_hash`;

async function record(
  { session, names, now, layout, changes }: BatchContext,
  row: JoinedRow,
  submission: Submission,
  batch: LaidOutBatch,
  chunk: LedgerChunk,
  leaseMs: number,
): Promise<JoinedRow> {
  const changed = changedRuns(submission, chunk);
  const issues = issuesAfter(row, submission, chunk);
  const written = await session.one<SubmissionRow & { layout_hash: string | null }>(RECORD, [
    numberArray(changed.map(([, first]) => first)),
    numberArray(changed.map(([, , count]) => count)),
    row.id,
    chunk.fromLine,
    chunk.toLine,
    JSON.stringify(chunk),
    issues,
    batch.bytesRead,
    now + leaseMs,
    now,
    standingAfter(batch),
    layout ?? null,
    ...addedValues(chunk),
    ...changeValues(changes, now),
  ]);
  const { layout_hash, ...after } = written as NonNullable<typeof written>;
  if (layout !== undefined && layout_hash !== names.hashOfLayout(batch.layout)) throw new UndoneName();
  return { ...row, ...after };
}

async function endByCounts({ session, now }: BatchContext, row: JoinedRow): Promise<Submission> {
  await endSubmission(session, row, endState(readSubmissionRow(row).counts, false), undefined, now);
  return readSubmissionRow(await rowById(session, row.id));
}

async function recordedChunk(session: Session, row: SubmissionRow, batch: LaidOutBatch): Promise<LedgerChunk> {
  const chunks = await session.rows<{ outcomes: string }>(
    `select outcomes from submission_chunk where submission = $1 and from_line <= $2 and to_line >= $3 order by from_line`,
    [row.id, batch.toLine, batch.fromLine],
  );
  return clipChunks(
    chunks.map(({ outcomes }) => JSON.parse(outcomes) as LedgerChunk),
    batch.fromLine,
    batch.toLine,
  );
}
