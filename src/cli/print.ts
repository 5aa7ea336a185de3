import type { HeaderList, SubmissionDocument } from '../client/documents.js';
import { counted } from './counted.js';
import { asFlags } from './flags.js';

/** One JSON value a line, so that several can be read as they come. */
export const printJson = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

export const printLine = (text: string): void => {
  process.stdout.write(`${forTerminal(text)}\n`);
};

/** Text of others without the control characters that could steer a terminal. */
export const forTerminal = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes.
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '�');

/** What became of a submission, for people. */
export function describeSubmission(
  submission: SubmissionDocument,
  label = submission.fileName ?? 'submission',
): string {
  const { counts } = submission;
  const dryRun = submission.options?.dryRun === true;
  const numbers = dryRun
    ? `dry run: ${counts.created} would be created, ${counts.updated} would be updated, ${counts.unchanged} unchanged, ${counts.rejected} rejected; nothing was written`
    : `${counts.created} created, ${counts.updated} updated, ${counts.unchanged} unchanged, ${counts.rejected} rejected`;
  const lines = [`${label}: ${submission.submissionStatus} (${numbers})`, `  submission ${submission.submissionId}`];
  if (submission.submissionStatus === 'ACTIVE') {
    const waiting = submission.queuePosition === undefined ? '' : `, ${submission.queuePosition} before it`;
    lines.push(`  ${submission.phase ?? 'QUEUED'}, ${percentRead(submission)} % read${waiting}`);
  }
  if (submission.setbacks) lines.push(`  ${submission.setbacks.message}`);
  if (submission.problem) lines.push(`  ${describeProblem(submission.problem)}`);
  lines.push(...describeStanding(submission), ...describeColumns(submission), ...describeEdit(submission));
  if (submission.becomePublic) {
    const verb = submission.options?.dryRun ? 'would become' : 'became';
    const were = submission.becomePublic === 1 ? 'was' : 'were';
    lines.push(`  ${counted(submission.becomePublic, 'sample')} that ${were} not public ${verb} public`);
  }
  for (const issue of submission.issues ?? []) if (issue.severity !== 'note') lines.push(`  ${describeIssue(issue)}`);
  return lines.join('\n');
}

/** Issues of which one line has room. */
const SHOWN_ISSUES = 5;

/** A plan of a standing sheet of which nothing becomes anything by itself. */
export const isLeftToPeople = (submission: SubmissionDocument): boolean =>
  submission.standing?.decision === 'STOPPED' || waitsForCommit(submission);

/** It would change something, and nobody has carried it out. */
const waitsForCommit = ({ standing, counts }: SubmissionDocument): boolean =>
  standing?.decision === 'WAITING' && counts.created + counts.updated + (standing.missing ?? 0) > 0;

function describeWaiting({ submissionId, counts, standing }: SubmissionDocument): string {
  const { created, updated } = counts;
  const missing = `${missingOf(standing?.missing ?? 0, standing?.samples)} missing`;
  return `Nothing was registered: the plan waits (${created} would be created, ${updated} updated, ${missing}). Carry it out with: sample-registry commit ${submissionId}`;
}

/** In one line what is wrong with a submission, or to be looked at; undefined of one that is as it should be. */
export function describeTrouble(submission: SubmissionDocument): string | undefined {
  const { problem, standing, issues = [] } = submission;
  const worth = issues.filter(({ severity }) => severity !== 'note');
  const more = worth.length - SHOWN_ISSUES;
  const said = [
    ...(problem ? [describeProblem(problem)] : []),
    ...(standing?.decision === 'STOPPED' ? [asFlags(standing.message ?? '')] : []),
    ...(waitsForCommit(submission) ? [describeWaiting(submission)] : []),
    ...worth.slice(0, SHOWN_ISSUES).map(describeIssue),
    ...(more > 0 ? [`${more} more of other kinds or columns are in the receipt.`] : []),
  ];
  return said.length === 0 ? undefined : said.join(' | ');
}

/** `1 of 12 samples is`. */
const missingOf = (missing: number, samples = missing): string =>
  `${missing} of ${counted(samples, 'sample')} ${missing === 1 ? 'is' : 'are'}`;

function describeStanding({ standing }: SubmissionDocument): string[] {
  if (!standing) return [];
  const { decision, message, samples, missing, commit, withdrawn, left } = standing;
  return [
    ...(missing === undefined ? [] : [`  ${missingOf(missing, samples)} missing from this standing sheet`]),
    ...(decision === 'STOPPED' ? [`  STOPPED. ${asFlags(message ?? '')}`] : []),
    ...(commit === undefined ? [] : [`  below its ceilings: carried out as submission ${commit}`]),
    ...(withdrawn === undefined
      ? []
      : [`  ${counted(withdrawn, 'missing sample')} ${withdrawn === 1 ? 'was' : 'were'} withdrawn`]),
    ...(left ? [`  ${counted(left, 'missing sample')}, changed after the plan, left as before`] : []),
  ];
}

function describeColumns({ columns }: SubmissionDocument): string[] {
  const line = (words: string, { count, headers }: HeaderList): string[] =>
    count === 0
      ? []
      : [`  ${words}: ${headers.join(', ')}${count > headers.length ? ` and ${count - headers.length} more` : ''}`];
  if (!columns) return [];
  return [
    ...(columns.profile ? [`  read as ${columns.profile.title} (import profile ${columns.profile.name})`] : []),
    ...line('kept as characteristics because of a plain header', columns.fromPlainHeaders),
    ...line('not stored in the samples', columns.notStored),
  ];
}

/** How many samples each change concerns, and those that are somebody else's. */
function describeEdit({ edit, options }: SubmissionDocument): string[] {
  if (!edit) return [];
  const would = options?.dryRun ? 'would change' : 'changed';
  const lines = edit.changes.map((change) => {
    const { set, rename, to, clear, release, changed, already, lacking } = change;
    const what = [
      set === undefined ? '' : `set ${set}`,
      rename === undefined ? '' : `rename ${rename} to ${to}`,
      clear === undefined ? '' : `clear ${clear}`,
      release === undefined ? '' : `release ${release.slice(0, 10)}`,
    ].join('');
    return `  ${what}: ${counted(changed, 'sample')} ${would}, ${already} had it already, ${lacking} ${lacking === 1 ? 'lacks' : 'lack'} it`;
  });
  if (!edit.leftOut) return lines;
  const { count, examples } = edit.leftOut;
  const some = examples.length === 0 ? '' : `, such as ${examples.join(', ')}`;
  return [...lines, `  ${counted(count, 'more sample')} of other accounts found${some}, and left alone`];
}

const percentRead = ({ bytesRead, fileSize }: SubmissionDocument): number =>
  fileSize > 0 ? Math.min(100, Math.floor((bytesRead / fileSize) * 100)) : 100;

function describeProblem(problem: NonNullable<SubmissionDocument['problem']>): string {
  const place = [problem.line === undefined ? '' : `line ${problem.line}`, problem.column ?? ''].filter(Boolean);
  return `${place.length > 0 ? `${place.join(', ')}: ` : ''}${asFlags(problem.message)}`;
}

function describeIssue(issue: NonNullable<SubmissionDocument['issues']>[number]): string {
  const shown = issue.lines.join(', ') + (issue.count > issue.lines.length ? ' …' : '');
  const rows = issue.count === 1 ? `line ${shown}` : `${issue.count} rows (lines ${shown})`;
  const column = issue.column === undefined ? '' : `, ${issue.column}`;
  return `${issue.severity === 'warning' ? 'warning, ' : ''}${rows}${column}: ${asFlags(issue.message)}`;
}
