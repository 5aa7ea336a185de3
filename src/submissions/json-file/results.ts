/** The result and the rejected items of a JSON file as NDJSON, printed from the original and the ledger when asked for. */
import type { SheetPlan } from '../../tsv/header/columns.js';
import { editHead } from '../batch-edit/edit-file.js';
import { type OutcomeDependencies, readOutcomes, readRejected } from '../results/outcomes.js';
import type { Submission } from '../submission.js';
import { written } from '../written.js';
import { errorsItem, resultItem } from './print.js';

/** The items with their accessions, one on each line; the receipt is the last one. */
export async function* jsonResult(
  deps: OutcomeDependencies,
  submission: Submission,
  plan: SheetPlan,
): AsyncGenerator<string> {
  if (plan.changes) yield editHead(plan.changes);
  for await (const outcomes of readOutcomes(deps, submission, plan)) {
    yield outcomes
      .map((outcome) => `${resultItem(outcome.row, written(plan, outcome, submission.options))}\n`)
      .join('');
  }
  yield* receipt(deps, submission);
}

async function* receipt(deps: OutcomeDependencies, submission: Submission): AsyncGenerator<string> {
  const { id, state, fileName, counts, options, problem } = submission;
  const head = {
    submissionId: id,
    submissionStatus: state,
    fileName,
    counts,
    ...(options.dryRun ? { dryRun: true } : {}),
    ...(problem ? { problem } : {}),
  };
  yield `{"receipt":${JSON.stringify(head).slice(0, -1)},"issues":[`;
  let comma = '';
  for await (const { rejected, warnings = [] } of deps.store.ledger(id)) {
    const issues = [...rejected, ...warnings].flatMap((row) => row.issues.map((issue) => JSON.stringify(issue)));
    if (issues.length === 0) continue;
    yield comma + issues.join(',');
    comma = ',';
  }
  yield ']}}\n';
}

/** One rejected item on each line, with its problems in the member `errors`. */
export async function* jsonErrors(
  deps: OutcomeDependencies,
  submission: Submission,
  plan: SheetPlan,
): AsyncGenerator<string> {
  if (plan.changes) yield editHead(plan.changes);
  for await (const rows of readRejected(deps, submission, plan)) {
    yield rows.map(({ row, issues }) => `${errorsItem(row, issues)}\n`).join('');
  }
}
