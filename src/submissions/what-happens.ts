/** What is going on with a submission that has not ended, for whoever asks why it takes long. */
import { setbackMessage } from './processing/attempts.js';
import { keySpaceOf } from './reading/row-keys.js';
import type { Submission } from './submission.js';
import type { SubmissionStore } from './submission-store.js';

export interface ActiveSubmission {
  submission: Submission;
  /** In a sentence. */
  what: string;
}

/** Looked at, of those that have not ended. */
const MOST = 1_000;

/** Those that have not ended, the oldest first; of one account, or of all. `further`: there are more than are looked at. */
export async function activeSubmissions(
  store: Pick<SubmissionStore, 'find' | 'searchSubmissions' | 'queuePosition'>,
  account: string | undefined,
  now: () => number,
): Promise<{ list: ActiveSubmission[]; further: boolean }> {
  const found: Submission[] = [];
  let before: string | undefined;
  do {
    const page = await store.searchSubmissions({
      ...(account === undefined ? {} : { account }),
      ...(before === undefined ? {} : { before }),
      states: ['ACTIVE'],
      dryRuns: true,
      size: 200,
    });
    found.push(...page.submissions);
    before = page.next;
  } while (before !== undefined && found.length < MOST);
  found.reverse();
  const inTurn = await byTurn(store, found);
  const list: ActiveSubmission[] = [];
  for (const submission of found) {
    const position = await store.queuePosition(submission.id);
    const first = inTurn.slice(0, inTurn.indexOf(submission)).find((earlier) => holdsUp(earlier, submission));
    list.push({ submission, what: whatHappens(submission, { position, waitsFor: first?.id, now: now() }) });
  }
  return { list, further: before !== undefined };
}

/** In the order in which they wait for each other: a plan's commit by itself right behind its plan, every other one where it came. */
async function byTurn(store: Pick<SubmissionStore, 'find'>, found: readonly Submission[]): Promise<Submission[]> {
  const turns: { submission: Submission; at: number; behindPlan: boolean }[] = [];
  for (const submission of found) {
    const { commitOf } = submission.options;
    const plan = commitOf?.automatic ? await store.find(commitOf.submissionId) : undefined;
    turns.push({ submission, at: (plan ?? submission).created, behindPlan: plan !== undefined });
  }
  // What came in the millisecond of the plan came behind it: what was before it in the key space has ended, for the plan has.
  const order = turns.sort((one, other) => one.at - other.at || Number(other.behindPlan) - Number(one.behindPlan));
  return order.map(({ submission }) => submission);
}

/** As claims have it (SubmissionStore.claimNext): the same bytes where they are asked for, or the same key space, of one that writes or plans a standing sheet. */
function holdsUp(earlier: Submission, later: Submission): boolean {
  if (earlier.account !== later.account) return false;
  const { dryRun, standing } = earlier.options;
  const { duplicate, undoOf } = later.options;
  const space = keySpaceOf(later.options);
  if (space !== undefined && keySpaceOf(earlier.options) === space) return !dryRun || standing !== undefined;
  return (duplicate !== 'allow' || undoOf !== undefined) && earlier.sha256 === later.sha256 && !dryRun;
}

/** `position`: how many of its lane are served before it; undefined while a worker has it. */
export function whatHappens(
  submission: Submission,
  { position, waitsFor, now }: { position?: number | undefined; waitsFor?: string | undefined; now: number },
): string {
  const { setbacks, cursor, worker, lane, phase, bytesRead, fileSize, counts, updated } = submission;
  const heard = `${Math.max(0, Math.round((now - updated) / 1000))} s ago`;
  if (position === undefined) {
    const read = fileSize === 0 ? 0 : Math.min(100, Math.floor((100 * bytesRead) / fileSize));
    const doing = phase === 'REGISTERING' || counts.rows > 0 ? 'registers its rows' : 'reads it';
    return `Worker ${worker ?? 'unknown'} ${doing}: ${read} % of the file is read, ${counts.rows} rows are done; last heard of ${heard}.`;
  }
  if (setbacks && setbacks.nextTry > now) return setbackMessage(setbacks, cursor, now);
  if (worker !== undefined) {
    return `Worker ${worker} was last heard of ${heard}: another one goes on behind line ${cursor}, as soon as one is free.`;
  }
  if (waitsFor !== undefined) {
    return `It waits until submission ${waitsFor} has ended, which has the same file or writes into the same key space.`;
  }
  if (position > 0) return `${position} before it in the lane of ${lane} files; accounts take turns.`;
  return 'It is the next one as soon as a worker is free; where that does not happen, no worker runs.';
}
