/** What the button under the table does, and the sentence beside it. */
import type { SubmissionStatus } from '../../api/contract.js';
import type { BadRow, IssueReport } from '../../api/issues.js';
import { isDryRun, kindOf } from '../../api/submission-kind.js';
import { rowsToFix } from '../../show/to-fix.js';
import { counted } from '../../show/words.js';
import type { Edits } from './fixing.js';

export interface FixedWords {
  button: string;
  hint: string;
  /** There is something to send. */
  ready: boolean;
}

interface Fixed {
  submission: SubmissionStatus;
  report: IssueReport;
  edits: Edits;
  /** Changed rows that cannot be sent from here. */
  others: number;
  /** Changed rows that would be refused again. */
  stillBad: number;
  /** The whole sheet is sent, not its changed rows alone. */
  whole: boolean;
  /** Whose upload it is, where that is another account than the reader's. */
  owner: string | undefined;
}

/** Undefined: no row needs fixing and none is changed. */
export function fixedWords(fixed: Fixed): FixedWords | undefined {
  const words = wordsFor(fixed);
  const { report, edits, whole, owner } = fixed;
  const onlyUpdates = !whole && edits.size > 0 && changedRows(report, edits).every(isSample);
  return words && owner !== undefined && !onlyUpdates ? { ...words, hint: ownerWords(owner), ready: false } : words;
}

/** What is sent registers samples of whoever sends it. */
const ownerWords = (owner: string): string =>
  `New samples of this sheet are ${owner}’s, and sent by you they would be yours: let ${owner} fix the rows here, or download them, fix them and give them to ${owner} to upload.`;

function wordsFor(fixed: Fixed): FixedWords | undefined {
  const { submission, edits, others } = fixed;
  const toFix = rowsToFix(submission);
  if (edits.size > 0) return { button: sendWords(fixed), hint: hintWords(fixed), ready: true };
  if (others > 0) return { button: 'Upload the fixed rows', hint: othersWords(others), ready: false };
  if (toFix === 0) return undefined;
  // Rows that a commit left alone may be right as they are: their samples changed, not they.
  if (kindOf(submission) === 'commit') {
    const hint = 'As they are, or fixed in the table first.';
    return { button: `Upload the ${counted(toFix, 'row')} again`, hint, ready: true };
  }
  const hint = 'Fix a value in the table first, or download the rows, fix them in your sheet and upload them again.';
  return { button: 'Upload the fixed rows', hint, ready: false };
}

function sendWords({ submission, report, edits, whole }: Fixed): string {
  const changed = counted(edits.size, 'fixed row');
  const verb = isDryRun(submission) ? 'Check' : 'Upload';
  if (whole) return `${verb} the sheet with ${changed}`;
  const updated = changedRows(report, edits).filter(isSample).length;
  return updated === edits.size && verb === 'Upload'
    ? `Update ${counted(updated, 'sample')}`
    : `${verb} the ${changed}`;
}

function hintWords({ submission, report, edits, others, stillBad }: Fixed): string {
  if (others > 0) return othersWords(others);
  if (stillBad > 0) return `${counted(stillBad, 'changed row')} would still be refused; see the values in red.`;
  const fixed = changedRows(report, edits).filter(({ issues }) =>
    issues.some(({ severity }) => severity === 'error'),
  ).length;
  const left = rowsToFix(submission) - fixed;
  if (left > 0) return `${counted(left, 'row')} not fixed yet ${left === 1 ? 'stays' : 'stay'} here for later.`;
  return fixed > 0 ? 'Every row is fixed.' : '';
}

const othersWords = (others: number): string =>
  `${counted(others, 'other row')} that you changed ${others === 1 ? 'is' : 'are'} registered as ${others === 1 ? 'it' : 'they'} stood: download the result, change ${others === 1 ? 'it' : 'them'} there and upload that.`;

const changedRows = (report: IssueReport, edits: Edits) => report.rows.filter(({ line }) => edits.has(line));

const isSample = ({ accession }: BadRow): boolean => accession !== undefined;
