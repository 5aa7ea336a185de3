/** PORT: what came later into a key space than a submission, so that this one would set its rows back. Part of the SubmissionStore. */
import type { Submission } from './submission.js';

export interface NewerUploads {
  /** Of the plan of a standing sheet: the commit of a later plan of the same sheet that runs or has ended well, and was not undone. */
  findNewerCommit(plan: Pick<Submission, 'id'>): Promise<string | undefined>;

  /**
   * Of an upload with keys that writes: a later one into its key space that has rows registered, or is worked on, and was not undone. There is
   * none as long as the uploads take their turns; one that FAILED and goes on has lost its own. Nothing of dry runs and undos.
   */
  findNewerRows(upload: Pick<Submission, 'id'>): Promise<string | undefined>;
}

/** Of an upload with keys that FAILED, and would go on behind a later one. */
export const overtakenRows = (newer: string): string =>
  `submission ${newer} came later into its key space and has written rows, which this one would set back to what they were. ` +
  'If this file is right all the same, send it again; or undo the later one first.';
