/** The rows of a submission's file beside what became of them. Each reads the file and the ledger once, in step. */
import { formatAccession } from '../../registry/accession.js';
import { RegistryError } from '../../registry/errors.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import { endsReading, type SheetRow } from '../../tsv/print/rows.js';
import { nameOf } from '../../tsv/rows/read-cells.js';
import type { Blobs } from '../blobs.js';
import { fileRows } from '../json-file/print.js';
import { planOf } from '../reading/read-submission.js';
import { type Registered, RepeatedRows } from '../reading/repeated-rows.js';
import { openRepeatedly, openSource, sourceOf } from '../reading/stored-source.js';
import { isFinal, type Submission } from '../submission.js';
import type { SubmissionStore } from '../submission-store.js';
import { ensureTable, type Workbooks } from '../uploads/workbook-table.js';
import { LedgerReader } from './ledger-reader.js';

export interface OutcomeDependencies {
  store: Pick<SubmissionStore, 'ledger'>;
  blobs: Blobs;
  workbooks?: Workbooks | undefined;
  prefix: string;
}

export interface Outcome {
  row: SheetRow;
  accession: string | undefined;
  /** The row became, or would become, a sample that was there before. */
  existing: boolean;
  /** The row is no sample of its own: it repeats one above. */
  repeats?: true;
}

export type RejectedRows = { row: SheetRow; issues: Issue[] }[];

/** What is read of the submission; `known` where its caller has it. A short text that is opened again is not read again. */
export const openText = ({ blobs }: Pick<OutcomeDependencies, 'blobs'>, submission: Submission, known?: Buffer) =>
  openRepeatedly(blobs, sourceOf(submission), known);

export async function planOfSubmission(
  deps: OutcomeDependencies,
  submission: Submission,
  open = openText(deps, submission),
): Promise<SheetPlan> {
  await ensureTable(deps, submission);
  return planOf(open, sourceOf(submission).size, submission.options, deps.prefix);
}

/** The rows of its file; of one that cannot be read to its end those above that place, whose outcomes are known. */
async function* rowsOf(
  submission: Submission,
  plan: SheetPlan,
  open: () => AsyncIterable<Buffer>,
): AsyncGenerator<SheetRow[]> {
  try {
    yield* fileRows(open(), plan);
  } catch (error) {
    if (!isOwnFault(submission, error)) throw error;
  }
}

/** Whether it is what the submission failed for, or will. */
const isOwnFault = ({ state, problem }: Submission, error: unknown): boolean =>
  error instanceof RegistryError && endsReading(error.code) && (!isFinal(state) || error.code === problem?.code);

export async function* readOutcomes(
  deps: OutcomeDependencies,
  submission: Submission,
  plan: SheetPlan,
  open = openText(deps, submission),
): AsyncGenerator<Outcome[]> {
  const ledger = new LedgerReader(deps.store.ledger(submission.id));
  const repeated = plan.oneSamplePerName ? new RepeatedRows() : undefined;
  const outcomeOf = (row: SheetRow, registered: Registered | undefined): Outcome => {
    const accession = registered && formatAccession(deps.prefix, registered.id);
    return { row, accession, existing: registered?.existing ?? false };
  };
  try {
    for await (const rows of rowsOf(submission, plan, open)) {
      const outcomes: Outcome[] = [];
      for (const row of rows) {
        const step = ledger.advance(row.line);
        if (step instanceof Promise) await step;
        if (row.isBlankForm && !ledger.rejectedAt(row.line)) continue;
        const id = ledger.idAt(row.line);
        const own = id === undefined ? undefined : { id, existing: !ledger.isCreatedAt(row.line) };
        const first = repeated?.note(nameOf(plan, row.cells), row.line, own);
        if (own || !first || ledger.rejectedAt(row.line)) outcomes.push(outcomeOf(row, own));
        else outcomes.push({ ...outcomeOf(row, first), repeats: true });
      }
      yield outcomes;
    }
  } finally {
    await ledger.close();
  }
}

/** Characters of rejected rows that are held while the samples are looked up that they refer to. */
const WINDOW_CHARACTERS = 8_000_000;
/** What a row, a cell and what is wrong with one take beside their characters: a row may have one letter. */
const BESIDE = { row: 200, cell: 16, issue: 200 };

const heldFor = ({ row, issues }: RejectedRows[number]): number =>
  row.cells.reduce((sum, cell) => sum + cell.length + BESIDE.cell, BESIDE.row) +
  issues.reduce((sum, { message }) => sum + message.length + BESIDE.issue, 0);

/**
 * Rejected rows as they can be sent again by themselves: where a row refers to another by its name and that one was
 * registered, it is named by its accession. Each window of rows costs a pass over the file.
 */
export async function* readRejected(
  deps: OutcomeDependencies,
  submission: Submission,
  plan: SheetPlan,
  windowCharacters = WINDOW_CHARACTERS,
): AsyncGenerator<RejectedRows> {
  const { created, updated, unchanged } = submission.counts;
  if (plan.relationshipColumns.length === 0 || created + updated + unchanged === 0)
    return yield* rejectedAsWritten(deps, submission, plan);
  let window: RejectedRows[] = [];
  let characters = 0;
  for await (const rows of rejectedAsWritten(deps, submission, plan)) {
    window.push(rows);
    for (const each of rows) characters += heldFor(each);
    if (characters < windowCharacters) continue;
    await nameByAccession(window.flat(), deps, submission, plan);
    yield* window;
    window = [];
    characters = 0;
  }
  await nameByAccession(window.flat(), deps, submission, plan);
  yield* window;
}

/** Puts into the rows the accessions of the registered samples that they refer to by name. */
async function nameByAccession(
  rows: RejectedRows,
  deps: OutcomeDependencies,
  submission: Submission,
  plan: SheetPlan,
): Promise<void> {
  const targets = new Map<string, string>();
  for (const { name } of targetCells(rows, plan)) targets.set(name, '');
  if (targets.size === 0) return;
  for await (const outcomes of readOutcomes(deps, submission, plan)) {
    for (const { row, accession } of outcomes) {
      const name = nameOf(plan, row.cells);
      if (accession !== undefined && targets.has(name)) targets.set(name, accession);
    }
  }
  for (const { cells, column, name } of targetCells(rows, plan)) {
    const accession = targets.get(name);
    if (accession) cells[column] = accession;
  }
}

/** Filled ones, one after the other: a sheet may have a row of one letter below thousands of such columns. */
function* targetCells(rows: RejectedRows, { relationshipColumns }: SheetPlan) {
  for (const { row } of rows) {
    const { cells } = row;
    for (const { column } of relationshipColumns) {
      if (column >= cells.length) break;
      const name = (cells[column] as string).trim();
      if (name !== '') yield { cells, column, name };
    }
  }
}

/** Good rows with warnings, as they were written, each with the accession that it has where it was registered. */
export async function* readWarned(
  deps: OutcomeDependencies,
  submission: Submission,
  plan: SheetPlan,
): AsyncGenerator<{ row: SheetRow; accession: string | undefined; issues: Issue[] }[]> {
  const registered = !submission.options.dryRun;
  const ledger = new LedgerReader(deps.store.ledger(submission.id));
  try {
    for await (const rows of rowsOf(submission, plan, () => openSource(deps.blobs, sourceOf(submission)))) {
      const warned: { row: SheetRow; accession: string | undefined; issues: Issue[] }[] = [];
      for (const row of rows) {
        const present = await ledger.advance(row.line);
        const issues = present.warningsAt(row.line);
        if (!issues) continue;
        const id = registered ? present.idAt(row.line) : undefined;
        warned.push({ row, accession: id === undefined ? undefined : formatAccession(deps.prefix, id), issues });
      }
      if (warned.length > 0) yield warned;
    }
  } finally {
    await ledger.close();
  }
}

async function* rejectedAsWritten(
  deps: OutcomeDependencies,
  submission: Submission,
  plan: SheetPlan,
): AsyncGenerator<RejectedRows> {
  const ledger = new LedgerReader(deps.store.ledger(submission.id));
  try {
    for await (const rows of rowsOf(submission, plan, () => openSource(deps.blobs, sourceOf(submission)))) {
      const rejected: RejectedRows = [];
      for (const row of rows) {
        const issues = (await ledger.advance(row.line)).rejectedAt(row.line);
        if (issues) rejected.push({ row, issues });
      }
      if (rejected.length > 0) yield rejected;
    }
  } finally {
    await ledger.close();
  }
}
