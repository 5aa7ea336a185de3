/** The use cases of an upload, for any route or command that offers them. Others' submissions do not exist for a caller. */
import { randomUUID } from 'node:crypto';
import { RegistryError } from '../../registry/errors.js';
import { maySeeSubmission } from '../../registry/permissions.js';
import type { Submission } from '../submission.js';
import { changedSome, isFinal } from '../submission.js';
import type { SubmissionSearch } from '../submission-search.js';
import type { SubmissionPage } from '../submission-store.js';
import {
  type AcceptedUpload,
  acceptUpload,
  type ReadUpload,
  ring,
  type UploadDependencies,
  type UploadRequest,
} from './accept-upload.js';
import { commitDryRun, type FollowUp, undoSubmission } from './follow-up.js';
import { isSmall } from './threshold.js';

export type { UploadDependencies, UploadRequest } from './accept-upload.js';

export interface UploadAnswer {
  submission: Submission;
  /** True when an earlier submission is answered. */
  replayed: boolean;
  /** Ended, and under both limits: the answer is the result itself. */
  small: boolean;
  /** The file as it was read, where the answer is printed from it. */
  read?: ReadUpload;
}

/** Who asks. */
export interface SubmissionReader {
  account: string;
  admin: boolean;
}

/** A lost announcement costs a waiting upload at most this long. */
const LOOK_EVERY_MS = 250;

export class Uploads {
  constructor(private readonly deps: UploadDependencies) {}

  /** @throws RegistryError file.*, submission.*, storage.full; `detail.extra.submissionId` names the FAILED submission where there is one. */
  async accept(request: UploadRequest): Promise<UploadAnswer> {
    const { submission, replayed, read } = await this.#admitted(request);
    if (submission.lane === 'large') return { submission, replayed, small: false };
    const answer = this.#answer(await this.#waitForEnd(submission), replayed);
    return read === undefined ? answer : { ...answer, read };
  }

  /** Within the quotas of its account, counted as it arrives. */
  async #admitted(request: UploadRequest): Promise<AcceptedUpload> {
    const admission = await this.deps.admit?.(request.account, request.declared ?? 0);
    if (!admission) return acceptUpload(this.deps, randomUUID(), request);
    const { source } = request;
    const counted = (async function* () {
      for await (const block of source) {
        admission.count(block.length);
        yield block;
      }
    })();
    try {
      return await acceptUpload(this.deps, randomUUID(), { ...request, source: counted });
    } finally {
      admission.end();
    }
  }

  #answer(submission: Submission, replayed: boolean): UploadAnswer {
    if (submission.state === 'FAILED' && submission.problem && !submission.problem.retryable) {
      throw problemOf(submission);
    }
    return { submission, replayed, small: isFinal(submission.state) && isSmall(submission, this.deps.limits) };
  }

  async #waitForEnd(submission: Submission): Promise<Submission> {
    const { store, queue, waitMs, workEnds, now } = this.deps;
    const until = now() + waitMs;
    let present = submission;
    // Looks are counted, too: a clock that is set back meanwhile would make it wait for as long.
    for (let left = waitMs; left > 0 && !isFinal(present.state) && now() < until && !workEnds?.aborted; ) {
      const look = Math.min(LOOK_EVERY_MS, left, until - now());
      left -= LOOK_EVERY_MS;
      // Listen first, look second: an end between the two is heard or seen.
      const ended = queue.waitFor(submission.id, look);
      const seen = await store.find(submission.id);
      if (seen && isFinal(seen.state)) return seen;
      await ended;
      present = (await store.find(submission.id)) ?? present;
    }
    return present;
  }

  async find(id: string, reader: SubmissionReader): Promise<Submission> {
    const submission = await this.deps.store.find(id);
    if (!submission || !maySeeSubmission(submission, reader)) {
      throw new RegistryError('submission.not-found', `There is no submission ${id} of yours.`);
    }
    return submission;
  }

  /** Whether the account has sent this Idempotency-Key before. */
  knowsKey(account: string, key: string): Promise<boolean> {
    return this.deps.store.knowsKey(account, key);
  }

  /** Newest first. An administrator sees all accounts; for others, those of another account do not exist. */
  async list(reader: SubmissionReader, search: SubmissionSearch): Promise<SubmissionPage> {
    if (reader.admin) return this.deps.store.searchSubmissions(search);
    const { account } = reader;
    if (search.account !== undefined && search.account !== account) return { submissions: [] };
    const page = await this.deps.store.searchSubmissions({ ...search, account });
    return { ...page, submissions: page.submissions.filter((one) => maySeeSubmission(one, reader)) };
  }

  async cancel(id: string, reader: SubmissionReader): Promise<Submission> {
    await this.find(id, reader);
    const submission = (await this.deps.store.cancel(id)) as Submission;
    if (isFinal(submission.state)) await this.deps.queue.announce(id).catch(() => {});
    else await ring(this.deps.queue, submission);
    return submission;
  }

  /** @throws RegistryError submission.final when it ended for a reason that lies in the file, or well. */
  async retry(id: string, reader: SubmissionReader): Promise<Submission> {
    await this.find(id, reader);
    const submission = (await this.deps.store.retry(id)) as Submission;
    if (submission.state !== 'ACTIVE') {
      throw new RegistryError(
        'submission.final',
        `Submission ${id} is ${submission.state} and cannot go on; fix the file and upload it again.`,
      );
    }
    await ring(this.deps.queue, submission);
    return submission;
  }

  /** Carries out a dry run as it was shown (follow-up.ts). @throws RegistryError conflict, submission.same-file-other-options */
  async commit(id: string, reader: SubmissionReader): Promise<UploadAnswer> {
    const dryRun = await this.find(id, reader);
    return this.#followed(await commitDryRun(this.deps, dryRun, reader.admin));
  }

  /** Takes back what an upload changed (follow-up.ts). @throws RegistryError conflict */
  async undo(id: string, reader: SubmissionReader): Promise<UploadAnswer> {
    const undone = await this.find(id, reader);
    return this.#followed(await undoSubmission(this.deps, undone, reader.admin));
  }

  async #followed({ submission, replayed }: FollowUp): Promise<UploadAnswer> {
    const present = submission.lane === 'small' ? await this.#waitForEnd(submission) : submission;
    return { submission: present, replayed, small: isFinal(present.state) && isSmall(present, this.deps.limits) };
  }

  /** The undo that takes each of these submissions back or has done so, and the commit that carries a dry run out. */
  async followedBy(submissions: readonly Submission[]): Promise<(submission: Submission) => FollowedBy> {
    const { store } = this.deps;
    const undone = await store.findFollowUps(submissions.filter(mayBeUndone), 'undo');
    const committed = await store.findFollowUps(submissions.filter(mayBeCommitted), 'commit');
    return ({ id }) => ({ undoneBy: undone.get(id), committedBy: committed.get(id) });
  }

  queuePosition(id: string): Promise<number | undefined> {
    return this.deps.store.queuePosition(id);
  }
}

export interface FollowedBy {
  undoneBy: string | undefined;
  committedBy: string | undefined;
}

const mayBeUndone = (one: Submission): boolean =>
  isFinal(one.state) && !one.options.dryRun && one.options.undoOf === undefined && changedSome(one);

const mayBeCommitted = ({ state, options }: Submission): boolean => isFinal(state) && options.dryRun;

/** The reason a submission FAILED, as the error that its upload is answered with. */
function problemOf(submission: Submission): RegistryError {
  const { code, message, line, column } = submission.problem as NonNullable<Submission['problem']>;
  return new RegistryError(code as RegistryError['code'], message, {
    extra: {
      submissionId: submission.id,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    },
  });
}
