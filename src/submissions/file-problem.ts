import { ERRORS, RegistryError } from '../registry/errors.js';
import { ofSheet } from './read-as.js';
import type { Problem, UploadOptions } from './submission.js';

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
