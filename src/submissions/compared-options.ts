/** Which options tell two uploads of the same bytes apart. */
import type { UploadOptions } from './submission.js';

const COMPARED = [
  'releaseDate',
  'releaseExisting',
  'checklist',
  'mode',
  'update',
  'unknownColumns',
  'encoding',
] as const;

/** Those that say how columns are read, or that samples which exist shall change. */
const READING: readonly string[] = ['releaseExisting', 'unknownColumns', 'encoding'];

export const differingOptions = (a: UploadOptions, b: UploadOptions): string[] =>
  COMPARED.filter((name) => a[name] !== b[name]);

export const sameOptions = (a: UploadOptions, b: UploadOptions): boolean => differingOptions(a, b).length === 0;

export const readsOtherwise = (a: UploadOptions, b: UploadOptions): boolean =>
  differingOptions(a, b).some((name) => READING.includes(name));
