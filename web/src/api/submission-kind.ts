import type { SubmissionStatus } from './contract.js';

/** What an upload was for: to register, to look first, to carry a look out, or to take an upload back. */
export type SubmissionKind = 'upload' | 'check' | 'commit' | 'undo';

export function kindOf({ options }: SubmissionStatus): SubmissionKind {
  if (options.dryRun === true) return 'check';
  if (options.undoOf !== undefined) return 'undo';
  return options.commitOf === undefined ? 'upload' : 'commit';
}

/** The submission that a commit or an undo follows from. */
export function originOf({ options }: SubmissionStatus): string | undefined {
  if (typeof options.undoOf === 'string') return options.undoOf;
  const { submissionId } = (options.commitOf ?? {}) as { submissionId?: unknown };
  return typeof submissionId === 'string' ? submissionId : undefined;
}

export const isDryRun = ({ options }: SubmissionStatus): boolean => options.dryRun === true;
