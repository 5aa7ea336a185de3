/** The rows of a receipt: labels and values, then one row per issue. How they are spelled in a TSV is tsv/print/write.ts. */
import type { Issue } from '../../registry/samples/sample-batch.js';
import { showMarks } from '../../registry/search/shown-marks.js';
import { DELIMITER_WORDS } from '../../tsv/dialect.js';
import { saysOfColumns } from '../../tsv/header/column-notes.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import { isUnitsRow } from '../../tsv/header/units.js';
import { endsReading } from '../../tsv/print/rows.js';
import { isFinal, type Submission } from '../submission.js';
import type { CellChange } from './changes.js';

export function receiptHead(submission: Submission, plan: SheetPlan): string[][] {
  const { counts, issues, options } = submission;
  const rows = [...outcomeRows(submission), ...sourceRows(submission), ...readingRows(plan)];
  if (counts.rejected > 0 || issues.length > 0 || (options.dryRun && counts.updated > 0)) {
    rows.push(['Line', 'Column', 'Code', 'Value', 'Message', 'Suggestion']);
  }
  return rows.map((row) => row.map(showMarks));
}

/** What became of the submission. */
function outcomeRows(submission: Submission): string[][] {
  const { id, state, counts, problem, fileName } = submission;
  const rows = [
    ['Submission ID', id],
    ['File', fileName],
    ['Status', state],
    ['Created', String(counts.created)],
    ['Updated', String(counts.updated)],
    ['Unchanged', String(counts.unchanged)],
    ['Rejected', String(counts.rejected)],
  ];
  const { dryRun, undoOf, commitOf, rereadOf } = submission.options;
  if (submission.becomePublic > 0) {
    const verb = dryRun ? 'Would become public' : 'Became public';
    rows.push([verb, String(submission.becomePublic), 'samples that were there before and were not public']);
  }
  if (submission.createdPublic > 0) rows.push(['Created public', String(submission.createdPublic)]);
  if (dryRun)
    rows.push(['Dry run', `nothing was written; POST /submissions/${id}/commit carries it out as shown here`]);
  if (commitOf) rows.push(['Dry run carried out', commitOf.submissionId]);
  rows.push(...standingRows(submission));
  if (rereadOf !== undefined) rows.push(['Columns read anew', `the samples of submission ${rereadOf}, line by line`]);
  if (undoOf !== undefined) rows.push(['Submission undone', undoOf]);
  if (!isFinal(state))
    rows.push(['Processing', `up to line ${submission.cursor} so far; ask again later for the rest`]);
  if (problem) rows.push(['Problem', problem.code, problem.message]);
  if (problem?.line !== undefined && endsReading(problem.code))
    rows.push(['Rows not read', `from line ${problem.line} on; they do not stand above`]);
  return rows;
}

/** What its table was taken from, and a date that was said with it. */
function sourceRows({ options: { readAs, releaseDate, datedBy, readBy } }: Submission): string[][] {
  const rows: string[][] = [];
  if (readAs) rows.push(['Read from', readAs.archived ? 'file of the archive' : 'sheet of the workbook', readAs.sheet]);
  if (readAs?.notRead) rows.push(['Not read', 'sheets that name samples, too', ...readAs.notRead]);
  if (readAs?.title !== undefined) rows.push(['Study', readAs.title, 'from the investigation file']);
  if (readAs?.dated && releaseDate !== undefined)
    rows.push(['Release date', new Date(releaseDate).toISOString(), 'of the study, from the investigation file']);
  if (datedBy && releaseDate !== undefined)
    rows.push(['Release date', new Date(releaseDate).toISOString(), `as the import profile ${readBy?.name} says`]);
  return rows;
}

/** How the table was read. */
function readingRows(plan: SheetPlan): string[][] {
  const rows: string[][] = [];
  if (plan.profile) {
    const { title, name, rank, version } = plan.profile;
    const which = rank === 'shipped' ? name : `${name}, version ${version}${rank === 'shared' ? ', shared' : ''}`;
    rows.push(['Read as', title, `import profile ${which}`]);
  }
  if (plan.namedBy !== undefined) rows.push(['Samples named by the column', plan.namedBy]);
  if (plan.encoding !== 'utf-8') rows.push(['Read as', plan.encoding]);
  if (plan.delimiter !== '\t') rows.push(['Cells separated by', DELIMITER_WORDS[plan.delimiter]]);
  rows.push(...rowsOfHeader(plan));
  if (plan.meanings && plan.meanings.length > 0) rows.push(['Columns read as', ...plan.meanings]);
  if (plan.fromPlainHeaders.length > 0)
    rows.push(['Columns kept as characteristics because of a plain header', ...plan.fromPlainHeaders]);
  if (plan.notStored.length > 0) rows.push(['Columns not stored in the samples', ...plan.notStored]);
  return rows;
}

/** Rows around the header that are no samples. */
function rowsOfHeader({ groups, below = [], header, headerLine, headerEnd, nameColumn }: SheetPlan): string[][] {
  const rows: string[][] = [];
  // A column that a profile has made of others stands in no row.
  const title = header[nameColumn]?.trim();
  const comesAgain = (cells: readonly string[]) => title !== undefined && cells[nameColumn]?.trim() === title;
  if (groups) rows.push(['Header in two rows', `from line ${headerLine} on`]);
  else if (below.some(comesAgain)) rows.push(['Row of the header, no sample', `line ${headerEnd}`]);
  if (below.some(isUnitsRow)) rows.push(['Row of units, no sample', `line ${headerEnd}`]);
  if (below.some((cells) => saysOfColumns(cells, [cells[nameColumn] ?? ''])))
    rows.push(['Row about the columns, no sample', `up to line ${headerEnd}`]);
  return rows;
}

function standingRows({ id, options, standing }: Submission): string[][] {
  if (options.standing === undefined || standing === undefined) return [];
  const { decision, message, missing, samples, commit, withdrawn, left } = standing;
  const rows = [['Standing sheet', options.standing]];
  if (missing !== undefined)
    rows.push(['Missing', String(missing), `of ${samples} samples; GET /submissions/${id}/missing lists them`]);
  if (decision !== undefined)
    rows.push(['Plan', decision, message ?? (commit === undefined ? '' : `submission ${commit}`)]);
  if (withdrawn !== undefined) rows.push(['Withdrawn', String(withdrawn), 'missing samples']);
  if (left !== undefined && left > 0)
    rows.push(['Left', String(left), 'missing samples that were changed after the plan']);
  return rows;
}

/** What a dry run would change in one cell, in the columns of the issues. */
export const changeRow = ({ line, column, before = '', after = '' }: CellChange): string[] => [
  `line ${line}`,
  column,
  'change',
  before,
  `would become ${after === '' ? 'empty' : after}`,
  '',
];

/**
 * Of changes that a receipt does not list: those of samples of others, which its account may not read where its files go, and those
 * beyond the first.
 */
export const changesElsewhere = (
  id: string,
  { ofOthers, further }: Record<'ofOthers' | 'further', boolean>,
): string[][] => [
  ...(ofOthers
    ? [
        [
          'Changes of others',
          `samples of other accounts would change, too; GET /submissions/${id}/changes shows them to administrators`,
        ],
      ]
    : []),
  ...(further ? [['Changes not listed', `the first are here; GET /submissions/${id}/changes lists all of them`]] : []),
];

export const issueRow = ({ line, column, code, value, message, suggestion }: Issue): string[] => [
  `line ${line}`,
  column ?? '',
  code,
  value ?? '',
  message,
  suggestion ?? '',
];
