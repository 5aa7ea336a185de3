/** Submissions that follow from one that has ended: the commit of a dry run, and the undo of an upload. */
import { randomUUID } from 'node:crypto';
import { RegistryError } from '../../registry/errors.js';
import { overtakenPlan } from '../processing/staleness.js';
import { planOf } from '../reading/read-submission.js';
import { acceptOrReread } from '../reading/reread.js';
import { openSource, sourceOf } from '../reading/stored-source.js';
import { isPlan } from '../standing/standing.js';
import { isFinal, type Submission, type UploadOptions } from '../submission.js';
import type { NewSubmission } from '../submission-store.js';
import { ring, type UploadDependencies } from './accept-upload.js';
import { holdsIdentifiers } from './row-identifiers.js';
import { ensureTable } from './workbook-table.js';

export interface FollowUp {
  submission: Submission;
  /** True when it was asked for before; the first one is answered. */
  replayed: boolean;
}

/**
 * Carries out a dry run exactly as it was shown: rows whose sample was changed since are refused and left alone. Asked
 * again, the first commit is answered; when the same file was registered meanwhile, that submission is.
 * @throws RegistryError checklist.unknown when its checklist is gone; conflict when it is no dry run, or has not ended, or could not be read, or a later plan of its standing sheet was carried out
 */
export async function commitDryRun(deps: UploadDependencies, dryRun: Submission, admin: boolean): Promise<FollowUp> {
  const { id, options, state, problem } = dryRun;
  if (!options.dryRun) throw notNow(id, 'is no dry run; it has been carried out already.');
  if (!isFinal(state)) throw notNow(id, 'is still being read; wait for its end and look at what it shows.');
  if (problem || state === 'CANCELLED') throw notNow(id, 'did not reach its end; upload the file again.');
  await requireCommittable(deps, dryRun);
  const commitOf = commitOfPlan(dryRun);
  const sameBytes = options.duplicate !== 'allow' && options.key === undefined && !(await namesSamples(deps, dryRun));
  return follow(deps, dryRun, admin, { ...options, dryRun: false, commitOf }, sameBytes);
}

/** Of one that is not carried out yet: its checklist is still here, and no newer plan was carried out; its commit looks once more (staleness.ts). */
async function requireCommittable({ store, checklists }: UploadDependencies, plan: Submission): Promise<void> {
  if ((await store.findFollowUps([plan], 'commit')).size > 0) return;
  if (plan.options.checklist !== undefined) checklists?.get(plan.options.checklist);
  if (!isPlan(plan.options)) return;
  const newer = await store.findNewerCommit(plan);
  if (newer) throw new RegistryError('conflict', overtakenPlan(newer), { extra: { submissionId: newer } });
}

/**
 * Takes back what an upload changed. Asked again, the first undo is answered.
 * @throws RegistryError conflict for dry runs, undos, and submissions that still run
 */
export async function undoSubmission(deps: UploadDependencies, undone: Submission, admin: boolean): Promise<FollowUp> {
  const { id, options, state } = undone;
  if (options.dryRun) throw notNow(id, 'is a dry run; it changed nothing.');
  if (options.undoOf !== undefined) throw notNow(id, 'is an undo itself; upload the file again with duplicate=allow.');
  if (!isFinal(state)) throw notNow(id, 'still runs; cancel it, or wait for its end.');
  const { commitOf: _, rereadOf: __, edit: ___, ...others } = options;
  return follow(deps, undone, admin, { ...others, mode: 'partial', update: 'replace', undoOf: id }, false);
}

/** Whether a row of the file names the sample that it updates. */
async function namesSamples(deps: UploadDependencies, submission: Submission): Promise<boolean> {
  await ensureTable(deps, submission);
  const source = sourceOf(submission);
  const plan = await planOf(
    (range) => openSource(deps.blobs, source, range),
    source.size,
    submission.options,
    deps.prefix,
  );
  return holdsIdentifiers(deps, submission, plan);
}

const commitOfPlan = ({ id, earlierUpload }: Submission) =>
  earlierUpload === undefined ? { submissionId: id } : { submissionId: id, earlierUpload };

/**
 * The commit of a plan by itself. It is accepted before the plan has ended, and waits for that: so none is forgotten, and
 * one whose plan does not end well ends with it (staleness.ts). Asked again, the first one is answered.
 */
export async function commitPlan(deps: FollowUpDependencies, plan: Submission): Promise<Submission> {
  const commitOf = { ...commitOfPlan(plan), automatic: true as const };
  const options = { ...plan.options, dryRun: false, commitOf };
  return (await follow(deps, plan, plan.admin, options, false)).submission;
}

type FollowUpDependencies = Pick<UploadDependencies, 'store' | 'queue' | 'prefix' | 'now'>;

async function follow(
  deps: FollowUpDependencies,
  before: Submission,
  admin: boolean,
  options: UploadOptions,
  sameBytes: boolean,
): Promise<FollowUp> {
  const now = deps.now();
  const { account, lane, fileName, fileSize, sha256, crc32, blobKey, columns } = before;
  const draft: NewSubmission = {
    id: randomUUID(),
    account,
    // What an administrator's upload may do, its owner alone may not do with it.
    admin: before.admin && admin,
    state: 'ACTIVE',
    phase: 'QUEUED',
    lane,
    fileName,
    fileSize,
    sha256,
    ...(crc32 === undefined ? {} : { crc32 }),
    blobKey,
    options,
    ...(columns === undefined ? {} : { columns }),
    created: now,
    updated: now,
  };
  const acceptance = await acceptOrReread(deps, draft, { sameBytes });
  const { kind, submission } = acceptance;
  if (kind === 'key-reused') throw new Error(`submission ${draft.id} came without a key and met one`);
  await ring(deps.queue, submission);
  return { submission, replayed: kind === 'replayed' };
}

const notNow = (id: string, why: string): RegistryError => new RegistryError('conflict', `Submission ${id} ${why}`);
