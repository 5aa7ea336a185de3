/** An upload, from its first byte to the moment it may be acknowledged: blob, header, submission row, ring. */

import type { SampleChange } from '../../registry/changes/sample-change-list.js';
import type { ChecklistRules } from '../../registry/checklist.js';
import { type ErrorCode, RegistryError } from '../../registry/errors.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import type { Blobs, StoredBlob } from '../blobs.js';
import { fileProblem } from '../processing/problems.js';
import type { Queue } from '../queue.js';
import { type Accepted, acceptOrReread } from '../reading/reread.js';
import { KEPT_BYTES, tableKey } from '../reading/stored-source.js';
import { planOptions } from '../standing/standing.js';
import type { Submission, UploadOptions } from '../submission.js';
import type { NewSubmission, SubmissionStore } from '../submission-store.js';
import { type KeptProfiles, planByProfile } from './plan-by-profile.js';
import { holdsIdentifiers, requireIdentifiers } from './row-identifiers.js';
import { sheetColumns } from './sheet-columns.js';
import { laneOf, type SmallLimits } from './threshold.js';
import { HEAD_BYTES, watchUpload } from './upload-head.js';
import { storeTable, type Workbooks } from './workbook-table.js';

export interface UploadRequest {
  account: string;
  /** The token is an administrator's: the file may update samples of every account. */
  admin: boolean;
  /** As the client named it; shown, never used as a path. */
  fileName: string;
  options: UploadOptions;
  idempotencyKey?: string;
  /** Bytes that the client says will come, where it does. */
  declared?: number;
  source: AsyncIterable<Buffer>;
}

export interface UploadDependencies {
  store: SubmissionStore;
  queue: Queue;
  blobs: Blobs;
  /** Absent: the option checklist is taken as it is. */
  checklists?: ChecklistRules;
  /** Absent: workbooks are refused. */
  workbooks?: Workbooks;
  /** Absent: sheets are read by the profiles that ship with the product alone. */
  profiles?: KeptProfiles;
  prefix: string;
  limits: SmallLimits;
  maxUploadBytes: number;
  /** Lets an upload in and counts its bytes, or refuses it. Absent: all are let in. */
  admit?: ((account: string, declared: number) => Promise<{ count(bytes: number): void; end(): void }>) | undefined;
  /** How long a small upload waits for its worker, milliseconds. */
  waitMs: number;
  /** Aborted when its workers are asked to stop: small uploads wait no longer then. */
  workEnds?: AbortSignal;
  now: () => number;
}

export interface AcceptedUpload {
  submission: Submission;
  replayed: boolean;
  /** The file as it was read, where the answer is printed from it. */
  read?: ReadUpload;
}

/** A small file, so that who has just taken it in need not open and plan it again. */
export interface ReadUpload {
  text: Buffer;
  plan: SheetPlan;
}

/** Durable when it resolves: the file is synced and the submission committed. */
export async function acceptUpload(
  deps: UploadDependencies,
  id: string,
  request: UploadRequest,
): Promise<AcceptedUpload> {
  const upload = watchUpload(request.source, deps.limits.bytes, () => deps.queue.foretell?.('large'));
  const pendingFor = request.account;
  const blob = await deps.blobs.put(id, upload.source, { maxBytes: deps.maxUploadBytes, pendingFor });
  try {
    // Options may come behind the file, so they are checked when it has been read.
    if (request.options.checklist !== undefined) deps.checklists?.get(request.options.checklist);
    const draft = newSubmission(deps, id, request, blob);
    const head = upload.head();
    const plan = await headerOf(deps, draft, head);
    draft.columns = sheetColumns(plan);
    if (draft.lane === 'large' && !draft.options.readAs && upload.arePlain()) draft.options.arePlain = true;
    const sameBytes =
      request.options.duplicate !== 'allow' &&
      draft.options.key === undefined &&
      !(await holdsIdentifiers(deps, draft, plan));
    const acceptance = await acceptOrReread(deps, draft, {
      sameBytes,
      ...(request.idempotencyKey === undefined ? {} : { key: request.idempotencyKey }),
    });
    const accepted = await answer(deps, id, acceptance);
    // Upkeep asks for what is left pending.
    if (accepted.submission.blobKey === id) await deps.blobs.settle(id).catch(() => {});
    return isReadAgain(accepted.submission, blob, plan) ? { ...accepted, read: { text: head, plan } } : accepted;
  } catch (error) {
    if (!(await mayBeThere(deps, request.account, blob))) await deleteUpload(deps, id);
    throw error;
  }
}

/** Whether the answer is printed from the bytes that have just come, by the plan that they have without the account's profiles. */
const isReadAgain = ({ blobKey, lane, options }: Submission, { key, size }: StoredBlob, plan: SheetPlan): boolean =>
  blobKey === key &&
  lane === 'small' &&
  size <= KEPT_BYTES &&
  !options.readAs &&
  !options.readBy &&
  !plan.profile &&
  !plan.json;

async function answer(deps: UploadDependencies, id: string, acceptance: Accepted): Promise<AcceptedUpload> {
  const { kind, submission } = acceptance;
  if (kind === 'key-reused') {
    throw new RegistryError(
      'submission.key-reused',
      `This Idempotency-Key came with another file before (submission ${submission.id}); use a new key for a new file.`,
    );
  }
  if (submission.blobKey !== id) await deleteUpload(deps, id);
  await ring(deps.queue, submission);
  return { submission, replayed: kind === 'replayed' };
}

/** A bell that cannot be rung is no failure: workers ask the store by themselves (work.ts), and the queue says what is wrong with it. */
export async function ring(
  queue: Queue,
  { id, lane, account }: Pick<Submission, 'id' | 'lane' | 'account'>,
): Promise<void> {
  await queue.publish({ submissionId: id, lane, account }).catch(() => {});
}

function newSubmission(
  deps: UploadDependencies,
  id: string,
  { account, admin, fileName, options }: UploadRequest,
  blob: StoredBlob,
): NewSubmission {
  const now = deps.now();
  return {
    id,
    account,
    admin,
    state: 'ACTIVE',
    phase: 'QUEUED',
    lane: laneOf(blob.size, deps.limits),
    fileName,
    fileSize: blob.size,
    sha256: blob.sha256,
    crc32: blob.crc32,
    blobKey: blob.key,
    options: planOptions(options),
    created: now,
    updated: now,
  };
}

/** @throws RegistryError file.*, after the FAILED submission has been recorded. */
async function headerOf(deps: UploadDependencies, draft: NewSubmission, head: Buffer): Promise<SheetPlan> {
  try {
    const text = deps.workbooks?.isWorkbook(head) ? await readWorkbook(deps, draft, deps.workbooks) : head;
    const plan = await planByProfile(deps, draft, text);
    if (plan.json && draft.options.key !== undefined) throw onlySheetsHaveKeys();
    if (plan.changes) draft.options = editOptions(draft.options, plan.changes);
    // Items of a JSON file say their dates themselves; one that does not is rejected by itself.
    const { releaseColumn, keyColumn } = plan;
    if (!plan.json && releaseColumn === undefined && keyColumn === undefined && draft.options.releaseDate === undefined)
      await requireIdentifiers(deps, draft, plan);
    return plan;
  } catch (error) {
    const problem = fileProblem(error, draft.options);
    await deps.store.acceptFailed(draft, problem);
    const { detail } = error as RegistryError;
    throw new RegistryError(problem.code as ErrorCode, problem.message, {
      ...detail,
      extra: { ...detail.extra, submissionId: draft.id },
    });
  }
}

/** Of a batch edit: every sample is written whole as it was read, and keeps its release unless that is changed. */
function editOptions(
  { mode, dryRun, duplicate, unknownColumns, checklist, edit }: UploadOptions,
  changes: SampleChange[],
): UploadOptions {
  return {
    mode,
    dryRun,
    duplicate,
    unknownColumns,
    update: 'replace',
    ...(checklist === undefined ? {} : { checklist }),
    edit: { ...edit, changes },
  };
}

const onlySheetsHaveKeys = (): RegistryError =>
  new RegistryError(
    'file.header',
    'The option key is for sheets; of samples as JSON, each names its accession, or is sent to PUT /samples/by-key/{space}/{key}. Upload without key.',
  );

/** Keeps the text of a workbook or archive and notes in the draft how it was read. Answers the first bytes of the text. */
async function readWorkbook(
  { blobs, limits }: UploadDependencies,
  draft: NewSubmission,
  workbooks: Workbooks,
): Promise<Buffer> {
  const { readAs, head, release } = await storeTable({ blobs, workbooks }, draft, draft.options);
  const dated = release !== undefined && draft.options.releaseDate === undefined;
  draft.options = dated
    ? { ...draft.options, readAs: { ...readAs, dated: true }, releaseDate: release }
    : { ...draft.options, readAs };
  if (readAs.bytes > Math.max(HEAD_BYTES, limits.bytes)) draft.lane = 'large';
  return head;
}

/** The store's answer may be lost behind its commit. A file too many, until upkeep finds it, is less harm than a submission without its file. */
const mayBeThere = (
  { store }: UploadDependencies,
  account: string,
  { key: blobKey, sha256 }: StoredBlob,
): Promise<boolean> => store.hasOriginal({ account, sha256, blobKey }).catch(() => true);

/** What cannot be deleted now is left to upkeep. */
async function deleteUpload({ blobs }: UploadDependencies, id: string): Promise<void> {
  try {
    await blobs.delete(id);
    await blobs.delete(tableKey(id));
    await blobs.settle(id);
  } catch {}
}
