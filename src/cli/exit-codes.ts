import type { SubmissionDocument } from '../client/documents.js';
import { RefusedError, UnavailableError } from '../client/failures.js';

/** What a script may rely on; docs/cli.md lists the same. */
export const EXIT = {
  /** Everything asked for was done; of uploads: every row is registered, or a large file is accepted and not waited for. */
  done: 0,
  /** The command line is wrong, or something unexpected happened here. */
  usage: 1,
  /** The file was processed and one or more of its rows were rejected. */
  rowErrors: 2,
  /** The service is away, busy or full; the same command may succeed later. */
  tryAgain: 3,
  /** The service refused: the file cannot be understood, the token is not valid, there is no such thing. */
  refused: 4,
  /** A standing sheet is above one of its ceilings: nothing was changed, and its plan waits to be looked at. */
  stopped: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What became of a submission, as an exit code. */
export function exitCodeOf(submission: SubmissionDocument): ExitCode {
  if (submission.standing?.decision === 'STOPPED') return EXIT.stopped;
  switch (submission.submissionStatus) {
    case 'ACTIVE':
    case 'COMPLETED':
      return submission.counts.rejected > 0 ? EXIT.rowErrors : EXIT.done;
    case 'COMPLETED_WITH_ERRORS':
      return EXIT.rowErrors;
    case 'CANCELLED':
      return EXIT.refused;
    case 'FAILED':
      if (!submission.problem) return EXIT.rowErrors;
      return submission.problem.retryable ? EXIT.tryAgain : EXIT.refused;
  }
}

export function exitCodeOfFailure(error: unknown): ExitCode {
  if (error instanceof UnavailableError) return EXIT.tryAgain;
  if (error instanceof RefusedError) return EXIT.refused;
  return EXIT.usage;
}

/** Of several outcomes, the one a caller must act on first. */
export const worstOf = (codes: ExitCode[]): ExitCode => {
  const order: ExitCode[] = [EXIT.usage, EXIT.refused, EXIT.tryAgain, EXIT.stopped, EXIT.rowErrors];
  return order.find((code) => codes.includes(code)) ?? EXIT.done;
};
