/** Why a submission fails or is interrupted, as it is recorded. */
import { ERRORS, RegistryError } from '../../registry/errors.js';
import { machineFault } from '../../registry/machine-fault.js';
import { NO_ROWS } from '../../tsv/header/header.js';
import type { Problem, Submission, UploadOptions } from '../submission.js';
import type { Claim } from '../submission-store.js';
import { ofSheet } from '../uploads/read-as.js';

/** What is wrong with a file as a whole, as it is recorded, with the sheet of a workbook that was read; any other error passes through. */
export function fileProblem(error: unknown, options: Pick<UploadOptions, 'readAs'>): Problem {
  if (!(error instanceof RegistryError) || !(error.code in ERRORS) || !error.code.startsWith('file.')) throw error;
  const { line, column } = error.detail.extra ?? {};
  return {
    code: error.code,
    message: ofSheet(error.message, options),
    retryable: false,
    ...(typeof line === 'number' ? { line } : {}),
    ...(typeof column === 'string' ? { column } : {}),
  };
}

const NO_ITEMS = 'The file holds no samples; add one object for each sample and upload it again.';

export const noRows = ({ options, columns }: Submission): Problem => ({
  code: 'file.empty',
  message: ofSheet(columns?.json ? NO_ITEMS : NO_ROWS, options),
  retryable: false,
});

export const isLost = (error: unknown): boolean => error instanceof RegistryError && error.code === 'claim.lost';

/** Its checklist was there when the upload was accepted: who runs the site has moved or broken a file, or not brought it here yet. */
const OF_CHECKLISTS = ['checklist.unknown', 'checklist.unreadable'];
export const isOfChecklist = (error: unknown): boolean =>
  error instanceof RegistryError && OF_CHECKLISTS.includes(error.code);

/** Codes of what passes when somebody else has seen to it. */
export const FROM_OUTSIDE: readonly string[] = ['storage.full', 'service.unavailable', ...OF_CHECKLISTS];

const OUTSIDE_THE_FILE = new Set([...FROM_OUTSIDE, 'storage.damaged', 'not-found']);

const WAITS_FOR_CHECKLIST =
  'What is left of the file is registered when that is put right by who runs this site, or cancel it and send the file with another checklist.';

/** Faults with a name of their own: the file's, a service's that is away, or the machine's. */
export function asProblem(error: unknown, options: UploadOptions): Problem | undefined {
  const fault = machineFault(error);
  if (fault) return { code: fault.code, message: fault.message, retryable: true };
  if (!(error instanceof RegistryError)) return undefined;
  if (error.code.startsWith('file.')) return fileProblem(error, options);
  if (error.code === 'submission.outcomes-gone') return { code: error.code, message: error.message, retryable: false };
  if (!OUTSIDE_THE_FILE.has(error.code)) return undefined;
  const message = isOfChecklist(error) ? `${error.message} ${WAITS_FOR_CHECKLIST}` : error.message;
  return { code: error.code, message, retryable: true };
}

export const unexpected = (claim: Claim, id: string): Problem => ({
  code: 'internal',
  message: `Something went wrong here after line ${claim.submission.cursor}. Send the file again to go on; if it happens again, quote ${id}.`,
  retryable: true,
});
