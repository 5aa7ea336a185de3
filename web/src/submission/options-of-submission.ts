import type { SubmissionStatus } from '../api/contract.js';
import type { UploadOptions } from '../api/upload.js';

/** The choices of an earlier upload, for another of the same kind. The encoding is left out: what the page writes is UTF-8. */
export function optionsOfSubmission({ options = {}, checklist }: SubmissionStatus): UploadOptions {
  const again: UploadOptions = {};
  const named = checklist ?? options.checklist;
  if (typeof named === 'string') again.checklist = named;
  if (typeof options.releaseDate === 'string') again.releaseDate = options.releaseDate;
  if (options.mode === 'atomic') again.mode = 'atomic';
  if (options.update === 'merge') again.update = 'merge';
  if (options.releaseExisting === true) again.releaseExisting = true;
  if (
    options.unknownColumns === 'characteristics' ||
    options.unknownColumns === 'ignore' ||
    options.unknownColumns === 'reject'
  ) {
    again.unknownColumns = options.unknownColumns;
  }
  if (options.dryRun === true) again.dryRun = true;
  return again;
}
