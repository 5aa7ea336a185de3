/** What the button under the table does, and the sentence beside it. */
import type { SubmissionStatus } from '../api/contract.js';
import type { IssueReport } from '../api/issues.js';
import { isDryRun, kindOf } from '../api/submissions.js';
import { counted } from '../show/words.js';
import type { Edits } from './mending.js';
import { rowsToMend } from './to-mend.js';

export interface MendedWords {
  button: string;
  hint: string;
  /** There is something to send. */
  ready: boolean;
}

interface Mended {
  submission: SubmissionStatus;
  report: IssueReport;
  edits: Edits;
  /** Changed rows that would be refused again. */
  stillBad: number;
  /** The whole sheet is sent, not its changed rows alone. */
  whole: boolean;
}

/** Undefined: no row needs mending and none is changed. */
export function mendedWords(mended: Mended): MendedWords | undefined {
  const { submission, edits } = mended;
  const toMend = rowsToMend(submission);
  if (edits.size > 0) return { button: sendWords(mended), hint: hintWords(mended), ready: true };
  if (toMend === 0) return undefined;
  // Rows that a commit left alone may be right as they are: their samples changed, not they.
  if (kindOf(submission) === 'commit') {
    const hint = 'As they are, or mended in the table first.';
    return { button: `Upload the ${counted(toMend, 'row')} again`, hint, ready: true };
  }
  const hint = 'Mend a value in the table first, or download the rows, mend them in your sheet and upload them again.';
  return { button: 'Upload the mended rows', hint, ready: false };
}

function sendWords({ submission, report, edits, whole }: Mended): string {
  const changed = counted(edits.size, 'mended row');
  if (whole) return `${isDryRun(submission) ? 'Check' : 'Upload'} the sheet with ${changed}`;
  const updated = changedRows(report, edits).filter(({ accession }) => accession !== undefined).length;
  return updated === edits.size ? `Update ${counted(updated, 'sample')}` : `Upload the ${changed}`;
}

function hintWords({ submission, report, edits, stillBad }: Mended): string {
  if (stillBad > 0) return `${counted(stillBad, 'changed row')} would still be refused; see the values in red.`;
  const mended = changedRows(report, edits).filter(({ issues }) =>
    issues.some(({ severity }) => severity === 'error'),
  ).length;
  const left = rowsToMend(submission) - mended;
  if (left > 0) return `${counted(left, 'row')} not mended yet ${left === 1 ? 'stays' : 'stay'} here for later.`;
  return mended > 0 ? 'Every row is mended.' : '';
}

const changedRows = (report: IssueReport, edits: Edits) => report.rows.filter(({ line }) => edits.has(line));
