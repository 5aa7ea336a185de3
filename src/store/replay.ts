/**
 * Which earlier upload of the same bytes answers a new one: the rule that every store runs inside its own transaction,
 * on the account's submissions of the same SHA-256 in order of arrival. Pure.
 */
import { keySpaceOf } from '../submissions/reading/row-keys.js';
import type { FollowUpKind, Submission, UploadOptions } from '../submissions/submission.js';
import type { NewSubmission } from '../submissions/submission-store.js';
import { readsOtherwise, sameFile, sameOptions } from '../submissions/uploads/upload-options.js';
import type { SubmissionRow } from './rows/submission-row.js';

export type Replay =
  /** `revive`: it may go on from its cursor, and is to. */
  | { kind: 'replayed'; submission: Submission; revive: boolean }
  | { kind: 'other-options'; submission: Submission }
  /** Of a commit: by another than its dry run knew. */
  | { kind: 'registered-since'; submission: Submission }
  /** By an undo that stopped before its end: some samples of the upload are withdrawn and others stand. */
  | { kind: 'half-undone'; submission: Submission }
  | { kind: 'accepted'; earlier?: Submission };

/** Whether an upload with a key that was used before is the same upload again. */
export const isRepeated = (
  keyed: Pick<SubmissionRow, 'sha256' | 'dry_run' | 'options'>,
  draft: Pick<NewSubmission, 'sha256' | 'options'>,
): boolean =>
  (keyed.sha256 === draft.sha256 || isSame(requestOf(keyed), draft.options.edit?.request)) &&
  Boolean(keyed.dry_run) === draft.options.dryRun;

/**
 * Whether a submission that is answered takes the file of the draft for its own: that was removed as the settings for keeping say, and its
 * very bytes are here again. Drafts that follow another submission bring no file.
 */
export const takesFile = (
  row: Pick<SubmissionRow, 'sha256' | 'original_gone'>,
  { id, blobKey, sha256 }: Pick<NewSubmission, 'id' | 'blobKey' | 'sha256'>,
): boolean => row.original_gone !== null && row.sha256 === sha256 && blobKey === id;

/** Of a batch edit: what was asked for stays the same when the samples that it found are others by now. */
const requestOf = ({ options }: Pick<SubmissionRow, 'options'>): string | undefined =>
  (JSON.parse(options) as UploadOptions).edit?.request;

type Draft = Pick<NewSubmission, 'options'>;

/** `earlier`: same account and bytes, oldest first. `sameBytes`: see ReplayRule. */
export function decideReplay(draft: Draft, earlier: readonly Submission[], sameBytes: boolean): Replay {
  const { undoOf } = draft.options;
  const again = earlier.find((one) => isAskedAgain(one, draft));
  if (again) return { kind: 'replayed', submission: again, revive: mayGoOn(again, earlier) };
  // It begins when what is under way has ended: that may write the samples which it takes back.
  if (undoOf !== undefined) return acceptedBeside(earlier.find(({ id }) => id === undoOf));
  const verdict = decideAmong(draft, earlier, sameBytes);
  if (verdict.kind !== 'accepted' || draft.options.duplicate === 'allow') return verdict;
  const stopped = stoppedUndo(draft, verdict.earlier, earlier);
  if (stopped) return { kind: 'half-undone', submission: stopped };
  // Whether its rows mean the samples that an undo takes back is known when that has ended; until then it waits.
  return acceptedBeside(verdict.earlier ?? beingUndone(earlier).find((one) => sameTable(one, draft)));
}

function decideAmong(draft: Draft, earlier: readonly Submission[], sameBytes: boolean): Replay {
  const { commitOf, dryRun } = draft.options;
  const before = standing(earlier).filter((one) => sameTable(one, draft));
  if (sameBytes) {
    const answering = sinceLastReading(before.filter(answers));
    const same = answering.find(
      (one) => sameOptions(one.options, draft.options) && (!isResumable(one) || mayGoOn(one, earlier)),
    );
    const stopped = same && stoppedUndoOf(same, earlier);
    if (stopped) return { kind: 'half-undone', submission: stopped };
    if (same && !dryRun) return { kind: 'replayed', submission: same, revive: isResumable(same) };
    const other = answering.find((one) => isOther(one, draft) && (one.state === 'ACTIVE' || registered(one)));
    const refused = other && !same && (!dryRun || readsOtherwise(other.options, draft.options));
    if (refused && draft.options.rereadOf === undefined) return { kind: 'other-options', submission: other };
  }
  if (draft.options.duplicate === 'allow') return { kind: 'accepted' };
  if (commitOf && !dryRun) return decideCommit(draft, before, sameBytes);
  return acceptedBeside(earlierOf(draft, earlier));
}

/**
 * A commit does what its dry run showed. Where the same file was registered since, rows that were to be new are there by now: those that
 * name no sample mean the ones of that upload, so that they are refused one by one (preview.ts), or all of them are at once.
 */
function decideCommit({ options }: Draft, before: readonly Submission[], sameBytes: boolean): Replay {
  const shown = before.find(({ id }) => id === options.commitOf?.earlierUpload);
  const since = shown ? before.find((one) => one !== shown && isAhead(one, shown)) : chooseEarlier(before);
  if (since === undefined || shown?.state === 'COMPLETED' || options.key !== undefined) return acceptedBeside(shown);
  if (shown || sameBytes || options.mode === 'atomic') return { kind: 'registered-since', submission: since };
  return acceptedBeside(since);
}

/**
 * Whether a commit or an undo is the draft's. A commit that was cancelled is not: what it registered is found as any other upload's. The
 * one that a plan makes by itself is never made twice.
 */
function isAskedAgain({ options, state }: Submission, { options: { commitOf, undoOf } }: Draft): boolean {
  if (isSame(options.undoOf, undoOf)) return true;
  const given = state !== 'CANCELLED' || commitOf?.automatic === true;
  return given && isSame(options.commitOf?.submissionId, commitOf?.submissionId);
}

const acceptedBeside = (earlier: Submission | undefined): Replay =>
  earlier === undefined ? { kind: 'accepted' } : { kind: 'accepted', earlier };

const isSame = (a: string | undefined, b: string | undefined): boolean => a !== undefined && a === b;

/** Uploads that wrote and still hold: no dry run, no undo, nothing that was undone to the end or is being undone. */
function standing(earlier: readonly Submission[]): Submission[] {
  const undone = new Set(earlier.map((one) => (hasStopped(one) ? undefined : one.options.undoOf)));
  return earlier.filter(({ id, options }) => !options.dryRun && options.undoOf === undefined && !undone.has(id));
}

/** Uploads whose undo is under way: it may yet stop before its end. */
function beingUndone(earlier: readonly Submission[]): Submission[] {
  const undone = new Set(earlier.map(({ state, options }) => (state === 'ACTIVE' ? options.undoOf : undefined)));
  return earlier.filter(({ id }) => undone.has(id));
}

const hasStopped = ({ state }: Submission): boolean => state === 'FAILED' || state === 'CANCELLED';

/** The undo of this upload that took some of it back and stopped. */
const stoppedUndoOf = ({ id }: Submission, earlier: readonly Submission[]): Submission | undefined =>
  earlier.find((one) => one.options.undoOf === id && isResumable(one) && registered(one));

/**
 * Those whose lines may say which samples the draft's rows mean. Of uploads that know their rows by the same keys the keys say it: what they
 * know no more, as an undo has withdrawn it, is new. Where one of them has taken every row, it gave keys to what the others registered.
 */
function sayingMeant(draft: Draft, earlier: readonly Submission[]): Submission[] {
  const all = standing(earlier).filter((one) => sameTable(one, draft));
  const others = all.filter((one) => !sameKeys(one, draft));
  const whole = all.some((one) => sameKeys(one, draft) && one.state === 'COMPLETED' && !stoppedUndoOf(one, earlier));
  return whole ? [] : others;
}

const sameKeys = (one: Draft, other: Draft): boolean =>
  isSame(one.options.key, other.options.key) && isSame(keySpaceOf(one.options), keySpaceOf(other.options));

/** The earlier upload of `one` among those that came before it. */
export const earlierOf = (one: Draft, before: readonly Submission[]): Submission | undefined =>
  chooseEarlier(sayingMeant(one, before));

/**
 * The earlier submission whose lines say which samples this file's rows without identifier mean: the one that came
 * furthest (`cameFurther`), the first of equals. One that came less far knows fewer lines, and those it lacks would be registered twice.
 * One that still runs may yet come further than any, so it is waited for.
 */
export function chooseEarlier(before: readonly Submission[]): Submission | undefined {
  let earlier: Submission | undefined;
  for (const one of standing(before)) {
    if (!(registered(one) || one.state === 'ACTIVE')) continue;
    if (earlier === undefined || cameFurther(one, earlier)) earlier = one;
  }
  return earlier;
}

/**
 * The uploads whose lines say, the first that knows a line, which samples the rows of `one` without identifier mean: its earlier upload and,
 * where that left rows out, the others that wrote samples, oldest first. What each of several left out would be registered twice.
 * `before`: of the same account and bytes, those that came before it.
 */
export function earlierUploads(one: Submission, before: readonly Submission[]): Submission[] {
  const chosen = before.find(({ id }) => id === one.earlierUpload);
  return chosen === undefined ? [] : together(one, chosen, before);
}

function together(one: Draft, chosen: Submission, before: readonly Submission[]): Submission[] {
  if (chosen.state === 'COMPLETED') return [chosen];
  const others = sayingMeant(one, before).filter((other) => other !== chosen && wrote(other));
  return [chosen, ...others];
}

/** The undo that took back some of the samples that the rows of `one` mean, and stopped. */
export function stoppedUndo(
  one: Draft,
  chosen: Submission | undefined,
  before: readonly Submission[],
): Submission | undefined {
  const uploads = chosen === undefined || one.options.undoOf !== undefined ? [] : together(one, chosen, before);
  return uploads.map((upload) => stoppedUndoOf(upload, before)).find((undo) => undo !== undefined);
}

export const sameTable = (a: Draft, b: Draft): boolean => sameFile(a.options, b.options);

/** Where the options of an undo, or of a commit, say which submission it follows from. */
export const FOLLOWED: Record<FollowUpKind, string[]> = { undo: ['undoOf'], commit: ['commitOf', 'submissionId'] };

/** Whether it may go on from its cursor: it FAILED for a reason outside the file, or is an undo that was cancelled. */
export const isResumable = ({ state, problem, options }: Submission): boolean =>
  state === 'FAILED' ? problem?.retryable === true : state === 'CANCELLED' && options.undoOf !== undefined;

/**
 * The upload of the same bytes that came further than one that FAILED, or may yet: where it went on beside that, rows would be
 * registered twice. Not the one whose lines say which samples its own rows mean. `sameBytes`: of the account, in any order.
 */
export function overtakenBy(one: Submission, sameBytes: readonly Submission[]): Submission | undefined {
  const { dryRun, duplicate, key, undoOf, rereadOf } = one.options;
  if (dryRun || duplicate === 'allow' || key !== undefined || undoOf !== undefined) return undefined;
  const known = [one.id, one.earlierUpload];
  for (let read = rereadOf; read !== undefined && !known.includes(read); ) {
    known.push(read);
    read = sameBytes.find(({ id }) => id === read)?.options.rereadOf;
  }
  const holding = [...standing(sameBytes), ...beingUndone(sameBytes)];
  return holding.find((other) => !known.includes(other.id) && sameTable(other, one) && isAhead(other, one));
}

/** It registered lines that the other did not, or may yet. */
const isAhead = (one: Submission, other: Submission): boolean =>
  one.state === 'ACTIVE' || (registered(one) && cameFurther(one, other));

/** Whether one that has ended waits again, from its cursor. `sameBytes`: as of `overtakenBy`. */
export const mayGoOn = (one: Submission, sameBytes: readonly Submission[]): boolean =>
  isResumable(one) && overtakenBy(one, sameBytes) === undefined;

const isOther = (one: Submission, draft: Draft): boolean => !sameOptions(one.options, draft.options);

const answers = (one: Submission): boolean =>
  one.state === 'ACTIVE' || one.state === 'COMPLETED' || one.state === 'COMPLETED_WITH_ERRORS' || isResumable(one);

/** From the last one on that read the columns anew: what came before it no longer says how the samples are. */
function sinceLastReading(answering: readonly Submission[]): readonly Submission[] {
  const last = answering.findLastIndex((one) => one.options.rereadOf !== undefined);
  return last < 0 ? answering : answering.slice(last);
}

const registeredRows = ({ counts }: Submission): number => counts.created + counts.updated + counts.unchanged;

const wrote = ({ counts }: Submission): boolean => counts.created + counts.updated > 0;

const registered = (one: Submission): boolean => registeredRows(one) > 0;

/** As far, and with more rows registered, counts too: a row that was refused once may have become a sample since. */
const cameFurther = (one: Submission, other: Submission): boolean =>
  one.cursor > other.cursor || (one.cursor === other.cursor && registeredRows(one) > registeredRows(other));
