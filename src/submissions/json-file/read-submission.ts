/** Reading a submission of samples as JSON into batches for the store: what read-submission.ts is for sheets, with the same options and the same promises. */
import type { LaidOutBatch } from '../../registry/samples/sample-batch.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import type { ReadOptions } from '../../tsv/rows/reading.js';
import type { Survey } from '../../tsv/rows/survey.js';
import { Preview } from '../preview.js';
import { holdBack, isHeldBack, meanEarlierSamples } from '../processing/finish-batch.js';
import { requireRoomForOpen } from '../processing/open-targets.js';
import { idsOfRows, LineIndex, recordedRows } from '../reading/line-index.js';
import { type OpenBytes, type ReadTask, readOptionsOf, type StoreQuestions } from '../reading/read-task.js';
import type { RowChecks } from '../reading/row-checks.js';
import { itemCheckOf } from './item-check.js';
import { readItems } from './read.js';
import { lookThrough, surveyItems } from './survey.js';

/** `plan.json` says which form. @throws RegistryError file.not-understood before the first batch */
export async function* readJsonSubmission(
  open: OpenBytes,
  plan: SheetPlan,
  task: ReadTask,
  ask: StoreQuestions,
  rowChecks: RowChecks | undefined,
): AsyncGenerator<LaidOutBatch> {
  const { options, account, admin } = task;
  const { releaseDate, checklist } = options;
  const form = plan.json ?? 'lines';
  const check = rowChecks && itemCheckOf({ option: checklist, releaseDate }, rowChecks);
  const reading: ReadOptions = { ...readOptionsOf(task), accepted: task.accepted };
  const earlier = task.earlier && new LineIndex(task.earlier);
  const related = await lookThrough(open(), form);
  let survey: Survey | undefined;
  if (related || options.mode === 'atomic') {
    survey = await surveyItems(
      open(),
      form,
      { ...reading, ...recordedRows(task), ownersOf: ask.ownersOf, storedForEdit: ask.storedForEdit, account, admin },
      check,
    );
  }
  const heldBack = await isHeldBack(task, () => survey !== undefined && survey.rejected > 0);
  if (survey && !heldBack) await requireRoomForOpen(survey.open, ask.openRelationships);
  if (survey && (related || heldBack)) {
    reading.survey = survey;
    reading.idOfRow = idsOfRows(survey, heldBack ? 1 : await ask.reserve(survey.rows), earlier);
  }
  const preview = task.preview && new Preview(task.preview);
  for await (const batch of readItems(open(), plan, reading, check)) {
    if (heldBack) holdBack(batch, 'allOrNothing');
    else {
      if (earlier) meanEarlierSamples(batch, earlier);
      preview?.holdTo(batch);
    }
    yield batch;
  }
}
