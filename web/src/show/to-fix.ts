import type { IssueGroup, SubmissionStatus } from '../api/contract.js';

/** A good row that an all-or-nothing upload left out because of others: nothing in it needs fixing. */
export const HELD_BACK = 'row.held-back' satisfies IssueGroup['code'];

export const rowsHeldBack = ({ issues = [] }: SubmissionStatus): number =>
  issues.filter(({ code }) => code === HELD_BACK).reduce((sum, group) => sum + group.count, 0);

/** Rejected rows that the reader can do something about. */
export const rowsToFix = (submission: SubmissionStatus): number =>
  submission.counts.rejected - rowsHeldBack(submission);

/** What somebody should look at; notes are only counted. */
export const issuesToShow = ({ issues = [] }: Pick<SubmissionStatus, 'issues'>): IssueGroup[] =>
  issues.filter(({ severity }) => severity !== 'note');
