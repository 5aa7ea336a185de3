/** The sentence under the counts: what happened, and what to do next. */
import type { SubmissionStatus } from '../api/contract.js';
import { kindOf } from '../api/submission-kind.js';
import { rowsToFix } from '../show/to-fix.js';
import { counted } from '../show/words.js';

export function outcomeWords(submission: SubmissionStatus): string {
  const { submissionStatus, counts, options, problem, edit } = submission;
  const rejected = rowsToFix(submission);
  const kind = kindOf(submission);
  if (kind === 'check') return `Nothing was written: this was a check. ${afterCheck(submission, rejected)}`.trim();
  if (submissionStatus === 'CANCELLED') {
    return `Cancelled after ${counted(counts.rows, 'row')}. What is registered stays and is listed below.`;
  }
  if (problem) return 'Nothing more happens by itself.';
  if (kind === 'undo') return afterUndo(rejected);
  if (edit) return afterEdit(submission, rejected);
  if (rejected > 0 && options.mode === 'atomic') {
    return `Nothing was registered, as you chose, because ${counted(rejected, 'row')} ${rejected === 1 ? 'is' : 'are'} wrong.`;
  }
  if (rejected > 0) return fix(rejected);
  const isOrWas = submission.undoneBy === undefined ? 'is' : 'was';
  return `Every row of the sheet ${isOrWas} registered${counts.created > 0 ? ', each with its accession' : ''}.`;
}

function afterCheck({ problem, counts, edit, standing, committedBy }: SubmissionStatus, rejected: number): string {
  if (problem) return '';
  if (edit) return rejected > 0 ? leftAlone(rejected, 'would be') : '';
  if (committedBy !== undefined && !standing) return '';
  if (rejected > 0) return fix(rejected);
  if (standing) return '';
  return counts.created + counts.updated === 0
    ? 'Everything is registered as it stands in the sheet.'
    : 'The sheet is ready to register.';
}

function afterEdit({ counts, options }: SubmissionStatus, rejected: number): string {
  if (rejected > 0 && options.mode === 'atomic')
    return `No sample was changed, as you chose, because ${counted(rejected, 'sample')} cannot be.`;
  if (rejected > 0) return leftAlone(rejected, rejected === 1 ? 'was' : 'were');
  return counts.updated === 0
    ? 'No sample had to be changed.'
    : 'The samples are changed. Undo brings them back as they were.';
}

const leftAlone = (rejected: number, were: string): string =>
  `${counted(rejected, 'sample')} ${were} left as ${rejected === 1 ? 'it is' : 'they are'}; see below why.`;

const afterUndo = (rejected: number): string =>
  rejected === 0
    ? 'Updated samples have their former content back; new ones are withdrawn, and keep their accessions.'
    : `${counted(rejected, 'sample')} changed since and ${rejected === 1 ? 'was' : 'were'} left alone; see below.`;

const fix = (rejected: number): string =>
  `${counted(rejected, 'row')} ${rejected === 1 ? 'needs' : 'need'} fixing: change the values below and upload them again.`;
