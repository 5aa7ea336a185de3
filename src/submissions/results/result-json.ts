/** Results of a submission as JSON text, made piece by piece. */

import type { Submission } from '../submission.js';
import { ownHead, rowJson } from './marked-rows.js';
import { type OutcomeDependencies, planOfSubmission, readRejected, readWarned } from './outcomes.js';

/** The rejected rows, those with warnings, and all warnings. */
export async function* rowsJson(deps: OutcomeDependencies, submission: Submission): AsyncGenerator<string> {
  const plan = await planOfSubmission(deps, submission);
  const opening = { submissionId: submission.id, counts: submission.counts, head: ownHead(plan) };
  yield `${JSON.stringify(opening).slice(0, -1)},"rejected":[`;
  let comma = '';
  for await (const rows of readRejected(deps, submission, plan)) {
    yield `${comma}\n${rows.map(({ row, issues }) => rowJson(plan, row, issues)).join(',\n')}`;
    comma = ',';
  }
  yield '],"warned":[';
  comma = '';
  if (submission.issues.some(({ severity }) => severity === 'warning')) {
    for await (const rows of readWarned(deps, submission, plan)) {
      yield `${comma}\n${rows.map(({ row, accession, issues }) => rowJson(plan, row, issues, accession)).join(',\n')}`;
      comma = ',';
    }
  }
  yield '],"warnings":[';
  comma = '';
  for await (const { warnings = [] } of deps.store.ledger(submission.id)) {
    const issues = warnings.flatMap((row) => row.issues.map((issue) => JSON.stringify(issue)));
    if (issues.length === 0) continue;
    yield `${comma}\n${issues.join(',\n')}`;
    comma = ',';
  }
  yield ']}\n';
}

/** A JSON object with a list more, its first `most` items a line each; an error before the first item comes before any text. */
export async function* withList(
  head: object,
  name: string,
  items: AsyncIterable<object>,
  most: number,
): AsyncGenerator<string> {
  let before = `${JSON.stringify(head).slice(0, -1)},"${name}":[`;
  let left = most;
  for await (const item of items) {
    yield `${before}\n${JSON.stringify(item)}`;
    before = ',';
    if (--left <= 0) break;
  }
  yield before === ',' ? ']}\n' : `${before}]}\n`;
}
