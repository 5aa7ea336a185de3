import { OPTION_NAMES, type OptionName } from '../../../src/submissions/uploads/upload-options.js';
import type { SubmissionStatus } from '../api/contract.js';
import type { UploadOptions } from '../api/upload.js';

/** What the page writes is one sheet in UTF-8, and what was meant to be registered a second time is not a third time. */
const OF_THE_FILE: readonly OptionName[] = ['encoding', 'sheet', 'duplicate'];

/** The choices of an earlier upload, for another of the same kind. */
export function optionsOfSubmission({ options = {}, checklist }: SubmissionStatus): UploadOptions {
  const chosen = OPTION_NAMES.filter((name) => !OF_THE_FILE.includes(name) && options[name] !== undefined);
  const again = Object.fromEntries(chosen.map((name) => [name, options[name]])) as UploadOptions;
  return typeof checklist === 'string' ? { ...again, checklist } : again;
}
