import type { SubmissionStatus } from '../api/contract.js';
import { nextLookMs } from '../api/looks.js';
import { get } from '../api/request.js';
import { submissionPath } from '../api/submissions.js';
import { type UploadOptions, type UploadRequest, upload } from '../api/upload.js';
import { counted } from '../show/words.js';
import type { ChosenFile } from './file-list.js';

/** At most between two looks at a check that is under way. */
const LOOK_EVERY_MS = 1_000;

/**
 * What should be asked before a file is registered, each a whole sentence: samples that become public and were not, and a
 * sheet of which nothing but names and dates would be stored. What only the service can say is found by a dry run.
 * @throws ApiProblem, ServerAway when the file is not taken; whatever was under way when its signal is aborted
 */
export async function questionsBefore(
  { file, check }: ChosenFile,
  options: UploadOptions,
  sending: Pick<UploadRequest, 'onSent' | 'onWait'> & { signal: AbortSignal },
): Promise<string[]> {
  const questions: string[] = [];
  if (check?.kind === 'table' && check.stored.length === 0) questions.push(NOTHING_STORED);
  const changesSamples = (check?.identifiers ?? 0) > 0 || options.releaseExisting === true;
  if (check?.kind !== 'workbook' && !check?.packed && !changesSamples) return questions;
  const { submissionId } = await upload({ file, options: { ...options, dryRun: true }, ...sending });
  const found = await ended(submissionId, sending.signal);
  if (questions.length === 0 && found.columns?.nothingStored) questions.push(NOTHING_STORED);
  const samples = found.becomePublic;
  if (samples > 0) questions.push(becomePublicWords(samples));
  return questions;
}

const NOTHING_STORED =
  'Nothing but names and dates would be stored: no column of the sheet becomes a characteristic. Is it the right sheet?';

/** Samples that are not public now, and would be for good. */
export const becomePublicWords = (samples: number): string =>
  `${counted(samples, 'sample')} that ${samples === 1 ? 'is' : 'are'} not public now would become public at once, for everybody to read.`;

async function ended(id: string, signal: AbortSignal): Promise<SubmissionStatus> {
  for (let looks = 0; ; looks++) {
    const status = await get<SubmissionStatus>(submissionPath(id), signal);
    if (status.submissionStatus !== 'ACTIVE') return status;
    await new Promise((resolve) => setTimeout(resolve, nextLookMs(looks, LOOK_EVERY_MS)));
  }
}
