/**
 * Reading a batch edit into batches for the store: each sample is read, changed and tied to the version that was read,
 * so that an edit of somebody else's in between is refused and never undone.
 */
import type { LaidOutBatch } from '../../registry/samples/sample-batch.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import { itemCheckOf } from '../json-file/item-check.js';
import { Preview } from '../preview.js';
import { holdBack, isHeldBack } from '../processing/finish-batch.js';
import type { OpenBytes, ReadTask, StoreQuestions } from '../reading/read-task.js';
import type { RowChecks } from '../reading/row-checks.js';
import { EditReader } from './edit-reader.js';

/** `plan.changes` says what is done. */
export async function* readEdit(
  open: OpenBytes,
  plan: SheetPlan,
  task: ReadTask,
  ask: Pick<StoreQuestions, 'storedForEdit'>,
  rowChecks: RowChecks | undefined,
): AsyncGenerator<LaidOutBatch> {
  const check = rowChecks && itemCheckOf({ option: task.options.checklist, releaseDate: undefined }, rowChecks);
  const reader = (cursor: number) =>
    new EditReader({
      changes: plan.changes ?? [],
      task: { ...task, cursor },
      stored: (ids) => ask.storedForEdit(ids),
      ...(check ? { check } : {}),
      ...(task.preview ? { preview: new Preview(task.preview) } : {}),
    });
  const heldBack = await isHeldBack(task, () => refusesAny(reader(0).batches(open())));
  for await (const batch of reader(task.cursor).batches(open())) {
    if (heldBack) holdBack(batch, 'allOrNothing');
    yield batch;
  }
}

async function refusesAny(batches: AsyncIterable<LaidOutBatch>): Promise<boolean> {
  for await (const { rejected } of batches) if (rejected.length > 0) return true;
  return false;
}
