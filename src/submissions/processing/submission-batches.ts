/** What a claimed submission applies, in batches. */
import type { LaidOutBatch } from '../../registry/samples/sample-batch.js';
import { storedForEdit } from '../batch-edit/stored.js';
import { indexPreview } from '../preview.js';
import { indexEarlier, indexLedger } from '../reading/line-index.js';
import { readSubmission } from '../reading/read-submission.js';
import { NEVER_GIVEN, type ReadTask, type StoreQuestions } from '../reading/read-task.js';
import { openRepeatedly, sourceOf } from '../reading/stored-source.js';
import type { Submission } from '../submission.js';
import type { Claim } from '../submission-store.js';
import { ensureTable } from '../uploads/workbook-table.js';
import type { ProcessingDependencies, ReadFile } from './processing.js';
import { readUndo } from './undo.js';

/** What is to be applied: the rows of the file, or the way back from another submission. */
export async function batchesOf(
  deps: ProcessingDependencies,
  claim: Claim,
  present: Submission,
): Promise<AsyncIterable<LaidOutBatch>> {
  const { options, cursor, lane } = present;
  if (options.undoOf !== undefined) {
    const undone = await deps.store.find(options.undoOf);
    const extent = { bytes: sourceOf(present).size, lines: undone?.cursor ?? 0, keyed: options.key !== undefined };
    return readUndo(deps, options.undoOf, cursor, extent);
  }
  await ensureTable(deps, present);
  const ask: StoreQuestions = {
    ownersOf: (ids) => deps.store.findOwners(ids),
    knownKeys: (keys, samples) => deps.store.knownKeys(present, keys, samples),
    openRelationships: () => deps.store.countOpenRelationships(present),
    storedForEdit: (ids) => storedForEdit(deps.store, ids),
    reserve: (count) => (options.dryRun ? Promise.resolve(NEVER_GIVEN) : deps.store.reserve(claim, count)),
  };
  const read: ReadFile = (lane === 'large' && deps.readApart) || readHere(deps);
  return read(sourceOf(present), await readTask(deps, present), ask);
}

const readHere =
  (deps: ProcessingDependencies): ReadFile =>
  (source, task, ask) =>
    readSubmission(openRepeatedly(deps.blobs, source), task, ask, deps.rowChecks);

async function readTask(deps: ProcessingDependencies, submission: Submission): Promise<ReadTask> {
  const { options, account, admin, cursor, counts } = submission;
  const earlier = await indexEarlier(deps.store, submission);
  return {
    fileSize: sourceOf(submission).size,
    options,
    account,
    admin,
    cursor,
    registers: counts.created + counts.updated > 0,
    prefix: deps.prefix,
    batchRows: deps.batchRows,
    accepted: submission.created,
    ...(options.commitOf ? { preview: await indexPreview(deps.store.ledger(options.commitOf.submissionId)) } : {}),
    ...(mayDiffer(submission) ? { recorded: await indexLedger(deps.store.ledger(submission.id)) } : {}),
    ...(earlier === undefined ? {} : { earlier }),
  };
}

/** Of a file that goes on. A dry run gives neither numbers nor keys, so that asking again gives the same answers; lines of an edit do not name each other. */
const mayDiffer = ({ options, cursor }: Submission): boolean =>
  cursor > 0 && !options.dryRun && options.edit === undefined;
