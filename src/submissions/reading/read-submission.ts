/**
 * Reading a submission's file into batches for the store. Runs beside the worker's event loop for small files and in a
 * thread of its own for large ones (workers/reading-thread.ts); what it must know of the store it asks through `StoreQuestions`.
 */
import type { LaidOutBatch } from '../../registry/samples/sample-batch.js';
import { CLEAR_MARKER } from '../../tsv/dialect.js';
import { sheetPlaces } from '../../tsv/header/cell-place.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import type { SheetOptions } from '../../tsv/header/header.js';
import { type ReadOptions, readBatches } from '../../tsv/rows/read.js';
import { type Survey, type SurveyOptions, surveySheet } from '../../tsv/rows/survey.js';
import { readEdit } from '../batch-edit/read.js';
import { planFile } from '../json-file/plan.js';
import { readJsonSubmission } from '../json-file/read-submission.js';
import { Preview } from '../preview.js';
import { holdBack, isHeldBack, meanEarlierSamples } from '../processing/finish-batch.js';
import { requireRoomForOpen } from '../processing/open-targets.js';
import type { UploadOptions } from '../submission.js';
import { isOfWorkbook } from '../uploads/read-as.js';
import { warnIfNothingStored } from '../uploads/sheet-columns.js';
import { HEAD_BYTES, readHead } from '../uploads/upload-head.js';
import { checkReadable } from './check-readable.js';
import { idsOfRows, LineIndex, recordedRows } from './line-index.js';
import { type OpenBytes, type ReadTask, readOptionsOf, type StoreQuestions } from './read-task.js';
import { qualityChecks, type RowChecks, rowCheckOf } from './row-checks.js';
import { keyDecider } from './row-keys.js';
import { warnOfSheet } from './sheet-warnings.js';

export const sheetOptions = (options: UploadOptions, prefix: string): SheetOptions => ({
  prefix,
  ...markerOf(options),
  unknownColumns: options.unknownColumns,
  // The text of a workbook is ours: UTF-8, and each of its rows is a line of the spreadsheet.
  ...(isOfWorkbook(options) ? { rowsAreLines: true as const } : {}),
  ...(options.encoding === undefined || isOfWorkbook(options) ? {} : { encoding: options.encoding }),
  ...(options.releaseDate === undefined ? {} : { releaseDate: options.releaseDate }),
  ...(options.nameColumn === undefined ? {} : { nameColumn: options.nameColumn }),
  ...(options.key === undefined ? {} : { key: options.key }),
  ...(options.profile === undefined ? {} : { profile: options.profile }),
  ...(options.readBy === undefined ? {} : { profiles: [options.readBy] }),
});

function markerOf({ clearMarker = CLEAR_MARKER }: UploadOptions): Pick<SheetOptions, 'clearMarker'> {
  return clearMarker === 'none' ? {} : { clearMarker: clearMarker.toLowerCase() };
}

/** The plan of a stored file, from its first bytes; the same each time it is asked. */
export async function planOf(
  open: OpenBytes,
  fileSize: number,
  options: UploadOptions,
  prefix: string,
): Promise<SheetPlan> {
  return planFile(await readHead(open), sheetOptions(options, prefix), fileSize <= HEAD_BYTES);
}

/**
 * Every line after the header in order, each in exactly one batch. A file that cannot be read to its end throws
 * RegistryError file.* before the first batch, so that nothing of it is registered.
 */
export async function* readSubmission(
  open: OpenBytes,
  task: ReadTask,
  ask: StoreQuestions,
  rowChecks?: RowChecks,
): AsyncGenerator<LaidOutBatch> {
  const plan = await planOf(open, task.fileSize, task.options, task.prefix);
  if (plan.changes) return yield* readEdit(open, plan, task, ask, rowChecks);
  if (plan.json) return yield* readJsonSubmission(open, plan, task, ask, rowChecks);
  const passing = () => open({ passing: true });
  const content = { found: false };
  const reading: ReadOptions = {
    ...readOptionsOf(task),
    fileSize: task.fileSize,
    content,
    ...(task.options.update === 'merge' ? { merges: true } : {}),
  };
  const check = rowChecks && rowCheckOf(plan, task.options.checklist, rowChecks);
  if (check) reading.check = check;
  const earlier = task.earlier && new LineIndex(task.earlier);
  const decideKeys = keyDecider(task, ask, earlier, sheetPlaces(plan));
  const related = plan.relationshipColumns.length > 0;
  const survey = await surveyIfNeeded(passing, plan, task, {
    ...reading,
    fromLine: 0,
    ...recordedRows(task),
    ownersOf: ask.ownersOf,
    storedForEdit: ask.storedForEdit,
    account: task.account,
    admin: task.admin,
    ...(decideKeys ? { decideKeys } : {}),
  });
  const heldBack = await isHeldBack(task, () => survey !== undefined && survey.rejected > 0);
  if (survey && !heldBack) await requireRoomForOpen(survey.open, ask.openRelationships);
  if (survey && (related || heldBack)) reading.survey = survey;
  if (survey && related) {
    const first = heldBack ? 1 : await ask.reserve(survey.rows);
    Object.assign(reading, decideKeys ? meantByKeys(survey, first) : { idOfRow: idsOfRows(survey, first, earlier) });
  }
  const finish = heldBack ? holdAllBack : finishBatch(plan, task, earlier);
  const batches = warnIfNothingStored(readBatches(passing(), plan, reading), plan, task.options, content);
  for await (const batch of warnOfSheet(batches, plan, task.options, task.cursor)) {
    finish(batch);
    yield batch;
  }
}

/** Of rows that name each other, of what is all or nothing, and of a file of which only reading tells whether it can be read. */
async function surveyIfNeeded(
  passing: () => AsyncIterable<Buffer>,
  plan: SheetPlan,
  { options: { mode, arePlain } }: ReadTask,
  options: SurveyOptions,
): Promise<Survey | undefined> {
  const needed =
    plan.relationshipColumns.length > 0 ||
    mode === 'atomic' ||
    (await checkReadable(passing, plan, arePlain)) === 'needs-parsing';
  return needed ? await surveySheet(passing(), plan, options) : undefined;
}

/** The survey has asked what an earlier upload says of the keys. */
const meantByKeys = (survey: Survey, first: number): Pick<ReadOptions, 'idOfRow' | 'meantByRow'> => ({
  idOfRow: idsOfRows(survey, first, undefined),
  meantByRow: survey.idOf,
});

const holdAllBack = (batch: LaidOutBatch): void => holdBack(batch, 'allOrNothing');

/** What is said and settled about good rows before the store is asked. */
function finishBatch(plan: SheetPlan, task: ReadTask, earlier: LineIndex | undefined): (batch: LaidOutBatch) => void {
  const warn = qualityChecks(plan);
  const preview = task.preview && new Preview(task.preview);
  return (batch) => {
    warn(batch);
    if (earlier) meanEarlierSamples(batch, earlier);
    preview?.holdTo(batch);
    // Other rows name the samples that these meant when the file was surveyed.
    if (!preview && batch.keys && batch.reserved) batch.mayBeReadAgain = true;
  };
}
