/** What a submission that FAILED must not go on behind. Pure. */
import { RegistryError } from '../registry/errors.js';
import { overtakenRows } from '../submissions/newer-uploads.js';
import type { Submission } from '../submissions/submission.js';
import { overtakenBy } from './replay.js';

/** Of one that is resumable: the refusal to let it go on. `newer`: see NewerUploads.findNewerRows. */
export function whyNotOn(
  one: Submission,
  sameBytes: readonly Submission[],
  newer: string | undefined,
): RegistryError | undefined {
  const other = overtakenBy(one, sameBytes)?.id;
  if (other !== undefined)
    return neverAgain(
      other,
      `Submission ${one.id} cannot go on: the same file was uploaded since as submission ${other}, and its rows would be registered twice. ` +
        'Look at that one; or undo it first.',
    );
  return newer === undefined
    ? undefined
    : neverAgain(newer, `Submission ${one.id} cannot go on: ${overtakenRows(newer)}`);
}

const neverAgain = (submissionId: string, message: string): RegistryError =>
  new RegistryError('submission.final', message, { extra: { submissionId } });
