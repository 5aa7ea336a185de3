/**
 * The catalogue of everything that can be refused, with no HTTP in it: code → title. The message of a thrown
 * `RegistryError` names the place, the value and the fix. docs/errors.md lists the same codes (a test compares).
 */
import { showMarks } from './search/shown-marks.js';

export const ERRORS = {
  'request.invalid': 'The request cannot be read or contradicts itself.',
  'auth.required': 'A valid bearer token is required.',
  'auth.password-change': 'A password of your own has to be set first.',
  'auth.forbidden': 'This account may not do that.',
  'not-found': 'There is nothing at this address.',
  'method.not-allowed': 'This address does not take that method.',
  'not-acceptable': 'None of the accepted media types can be produced.',
  'media-type.unsupported': 'The body is of a kind that this address does not take.',
  'body.too-large': 'The body is larger than this service takes.',
  conflict: 'The request conflicts with the present state.',
  'precondition.failed': 'What is there is not as If-Match or If-None-Match wants it.',
  'sample.invalid': 'The sample breaks one or more rules.',
  'samples.invalid': 'One or more of the samples break a rule, and none was written.',
  'sample.not-found': 'There is no such sample.',
  'sample.not-owned': 'The sample belongs to another account.',
  'sample.private': 'The sample is not released yet.',
  'sample.erased': 'The sample was erased.',
  'sample.accession-mismatch': 'The accession in the path and in the body differ.',
  'sample.key-reused': 'The idempotency key was used before for another sample.',
  'sample.accession-given': 'A new sample cannot bring its own accession.',
  'edit.no-samples': 'There is no sample to edit.',
  'curation.invalid': 'The curation breaks one or more rules.',
  'curation.limit': 'The sample holds as many curations as it takes.',
  'data.invalid': 'The structured data breaks one or more rules.',
  'data.limit': 'The sample holds as much structured data of other accounts as it takes.',
  'changes.gone': 'This place in the log of changes is no longer there.',
  'checklist.unknown': 'There is no such checklist.',
  'checklist.unreadable': 'A checklist file of this installation cannot be used.',
  'file.not-understood': 'The file cannot be understood as a table of samples.',
  'file.encoding': 'The file is not valid text in the encoding it should have.',
  'file.quote-unclosed': 'A quoted cell is never closed.',
  'file.receipt-unclosed': 'A receipt in the file has lost its end.',
  'file.header': 'The header row is missing something or repeats it.',
  'file.wrong-kind': 'The file is of another kind than a table of samples.',
  'file.empty': 'The file holds no sample rows.',
  'file.too-many-rejected': 'More rows are refused than the upload allows.',
  'file.too-many-open': 'The account has too many open relationships.',
  'file.checksum': 'The file that arrived is not the one that was sent.',
  'file.too-large': 'The file is larger than this service takes.',
  'submission.not-found': 'There is no such submission.',
  'submission.same-file-other-options': 'This file was uploaded before with other options.',
  'submission.outcomes-gone': 'What became of the rows is not kept any more.',
  'submission.final': 'The submission has ended.',
  'submission.key-reused': 'The idempotency key was used before for another file.',
  'submission.attempts-used-up': 'Processing failed too often at the same place.',
  'claim.lost': 'Another worker owns this submission now.',
  'range.unsatisfiable': 'The file has no such part.',
  'rate.limited': 'Too many requests.',
  'service.unavailable': 'A service that this one depends on is away.',
  'storage.full': 'There is no room left to store this.',
  'storage.damaged': 'What is stored here is not what was stored.',
  internal: 'Something went wrong here.',
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** A problem of one member of a JSON body, at a JSON pointer. */
export interface MemberProblem {
  dataPath: string;
  errors: string[];
}

/** Everything expected that can go wrong is thrown as this; anything else is a bug and is shown with an id only. */
export class RegistryError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly detail: {
      /** For invalid JSON content: all problems at once. */
      errors?: MemberProblem[];
      /** Further members of the problem document, e.g. `line`, `column`, `submissionId`. */
      extra?: Record<string, unknown>;
      cause?: unknown;
    } = {},
  ) {
    super(showMarks(message), detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'RegistryError';
  }
}

/** Whether an error says that who asks cannot read the sample: a list of samples leaves it out. */
export const isNotReadable = (error: unknown): boolean =>
  error instanceof RegistryError &&
  (error.code === 'sample.not-found' || error.code === 'sample.private' || error.code === 'sample.erased');

/** Whether an error says that a part of the database is not as it was written. */
export const isDamaged = (error: unknown): boolean =>
  error instanceof RegistryError && error.code === 'storage.damaged';
