/**
 * Rows of a submission's sheet as somebody has changed them, checked by the rules that will hold when they are sent: the
 * dialect, the checklist, what spreadsheets do to data, and names that the account has given before. Nothing is written. What
 * only the store or the rest of the file can say (whose a sample is, which names relationships mean) is left to the upload.
 */
import { RegistryError } from '../../registry/errors.js';
import { addTo } from '../../registry/lists.js';
import type { Issue, RejectedRow } from '../../registry/samples/sample-batch.js';
import type { SearchStore } from '../../registry/search/search-store.js';
import { timeSlices } from '../../registry/time-slices.js';
import { planColumns, type SheetPlan } from '../../tsv/header/columns.js';
import { profileNamed } from '../../tsv/header/profile-choice.js';
import { printRow } from '../../tsv/print/print-row.js';
import { readBatches } from '../../tsv/rows/read.js';
import { LedgerReader } from '../results/ledger-reader.js';
import { type OutcomeDependencies, planOfSubmission } from '../results/outcomes.js';
import type { Submission } from '../submission.js';
import { knownNames, type NewRow, namedRows } from './known-names.js';
import { sheetOptions } from './read-submission.js';
import { qualityChecks, type RowChecks, rowCheckOf } from './row-checks.js';
import { openSource, sourceOf } from './stored-source.js';

export interface ChangedRow {
  line: number;
  /** One text per column of the sheet. */
  cells: readonly string[];
}

export interface CheckedRow {
  line: number;
  issues: Issue[];
}

/** Rows in one request. */
export const MAX_CHECKED_ROWS = 500;

/** Cells that are checked before others have their turn: each may have an issue, with a suggestion to look for. */
const CELLS_AT_ONCE = 200;

/** Rows of the sheet from which the nature of its columns is learnt. */
const LEARNT_ROWS = 2_000;

export interface CheckDependencies extends OutcomeDependencies {
  rowChecks?: RowChecks;
  names?: Pick<SearchStore, 'findNamed'>;
}

/**
 * Every row in the order given, those without issues too. A row that was fixed and sent before is known by its name alone,
 * as its submission knows nothing of it.
 */
export async function checkRows(
  deps: CheckDependencies,
  submission: Submission,
  rows: readonly ChangedRow[],
): Promise<CheckedRow[]> {
  const whole = await planOfSubmission(deps, submission);
  if (whole.json) {
    throw new RegistryError(
      'request.invalid',
      `Submission ${submission.id} is a JSON file: correct its items and upload them, with dryRun=true to have them checked.`,
    );
  }
  const plan = planOfRows(whole, submission, deps.prefix);
  const check = deps.rowChecks && rowCheckOf(plan, submission.options.checklist, deps.rowChecks);
  const { releaseDate } = submission.options;
  const reading = { prefix: deps.prefix, ...(releaseDate === undefined ? {} : { releaseDate }) };
  const warn = qualityChecks(plan);
  // The warnings of these rows are said already; their values teach what the columns are like.
  const bytes = openSource(deps.blobs, sourceOf(submission));
  for await (const batch of readBatches(
    bytes,
    { ...whole, relationshipColumns: [] },
    { ...reading, batchRows: LEARNT_ROWS },
  )) {
    warn(batch);
    break;
  }
  const issues = new Map<number, Issue[]>();
  const text = [plan.header, ...rows.map(({ cells }) => cells)].map(printRow).join('');
  const batchRows = Math.max(1, Math.floor(CELLS_AT_ONCE / plan.header.length));
  const options = { ...reading, batchRows, ...(check ? { check } : {}) };
  const nextSlice = timeSlices();
  const newRows: NewRow[] = [];
  const note = (rejected: readonly RejectedRow[]): void => {
    for (const { line, issues: found } of rejected) for (const issue of found) addTo(issues, line, issue);
  };
  for await (const batch of readBatches(once(Buffer.from(text)), plan, options)) {
    await nextSlice();
    warn(batch);
    newRows.push(...namedRows(batch));
    note([...batch.rejected, ...(batch.warnings ?? [])]);
  }
  note(await usedNames(deps, submission, newRows));
  const named = rows.filter((_, at) => issues.get(at + 2)?.some(isUsedName));
  const registered = await registeredOf(deps, submission, named);
  return rows.map(({ line }, at) => ({
    line,
    issues: (issues.get(at + 2) ?? [])
      .filter((issue) => !(registered.has(line) && isUsedName(issue)))
      .map((issue) => ({ ...issue, line })),
  }));
}

const isUsedName = ({ code }: Issue): boolean => code === 'name.used-before';

/** Where keys identify the rows a name says nothing. Without the index there is no hint, as with an upload. */
async function usedNames(
  { names, prefix }: CheckDependencies,
  { account, options }: Submission,
  rows: readonly NewRow[],
): Promise<RejectedRow[]> {
  if (!names || options.key !== undefined) return [];
  return knownNames(names, rows, { account, prefix }).catch(() => []);
}

/** Lines of those rows that are samples by now, which a change of them updates. */
async function registeredOf(
  { store }: CheckDependencies,
  { id, options }: Submission,
  rows: readonly ChangedRow[],
): Promise<ReadonlySet<number>> {
  const registered = new Set<number>();
  const [first, ...further] = rows.map(({ line }) => line).sort((a, b) => a - b);
  if (first === undefined || options.dryRun) return registered;
  const ledger = new LedgerReader(store.ledger(id, first));
  for (const line of [first, ...further]) {
    if ((await ledger.advance(line)).idAt(line) !== undefined) registered.add(line);
  }
  await ledger.close();
  return registered;
}

/** The columns of the sheet, its rows spelt as the page sends them. Names of other rows are not known here, so none is missed. */
function planOfRows(
  { header, errorColumns, profile, below, namedBy }: SheetPlan,
  submission: Submission,
  prefix: string,
): SheetPlan {
  const options = sheetOptions(submission.options, prefix);
  const known = profile && profileNamed(profile.name, options.profiles);
  const errors = new Set(errorColumns);
  const plan = planColumns(
    header.filter((_, column) => !errors.has(column)),
    {
      encoding: 'utf-8',
      delimiter: '\t',
      headerLine: 1,
      headerEnd: 1,
      ...(known && profile && { profile: { known, named: profile.named } }),
      ...(below && { below }),
      ...(namedBy !== undefined && { nameColumn: namedBy }),
    },
    options,
  );
  return { ...plan, rowsAreLines: true, relationshipColumns: [] };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
