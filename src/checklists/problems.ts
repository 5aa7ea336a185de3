/** What a checklist finds wrong, turned from the validator's words into those of a sample. */
import type { ErrorObject } from 'ajv';
import type { ChecklistDocument, ChecklistField, ChecklistProblem } from '../registry/checklist.js';
import { isObject } from '../registry/json-form.js';
import type { Verdict } from './compile.js';
import { rewritings } from './fixes.js';
import type { JsonObject } from './load.js';
import { nearest } from './nearest.js';
import { respell, type Spelling } from './spelling.js';
import { translate } from './translate.js';

/** A checklist ready to check. */
export interface RowChecklist {
  id: string;
  schema: JsonObject;
  spelling: Spelling;
  verdict: Verdict;
  fields: ReadonlyMap<string, ChecklistField>;
}

/** Everything wrong with the document, without repeats, each with a suggestion where one passes the checklist. */
export function findProblems(document: ChecklistDocument, checklist: RowChecklist): ChecklistProblem[] {
  const errors = checklist.verdict(respell(document, checklist.spelling));
  if (errors.length === 0) return [];
  const found = new Map<string, ChecklistProblem>();
  for (const error of withoutBranches(errors, checklist.schema)) {
    const problem = translate(error, checklist, document);
    const key = `${problem.dataPath}\n${problem.code}`;
    if (!found.has(key)) found.set(key, problem);
  }
  const problems = [...found.values()];
  for (const problem of problems) suggest(problem, document, checklist);
  return problems;
}

/** An `anyOf` that failed is reported once, not once more per branch; likewise `if`, whose branch says it better. */
function withoutBranches(errors: ErrorObject[], root: JsonObject): ErrorObject[] {
  const branches = new Set<unknown>();
  for (const error of errors) {
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') collectSchemas(error.schema, root, branches);
  }
  const kept = errors.filter(
    (error) =>
      error.keyword !== 'if' &&
      !(branches.has(error.parentSchema) && error.keyword !== 'anyOf' && error.keyword !== 'oneOf'),
  );
  return kept.length > 0 ? kept : errors;
}

function collectSchemas(node: unknown, root: JsonObject, into: Set<unknown>): void {
  if (typeof node !== 'object' || node === null || into.has(node)) return;
  into.add(node);
  for (const part of Object.values(node)) collectSchemas(part, root, into);
  if (isObject(node) && typeof node.$ref === 'string' && node.$ref.startsWith('#/')) {
    collectSchemas(followPointer(node.$ref, root), root, into);
  }
}

function followPointer(reference: string, root: JsonObject): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, part) => (isObject(node) ? node[decodeURIComponent(part)] : undefined), root);
}

function suggest(problem: ChecklistProblem, document: ChecklistDocument, checklist: RowChecklist): void {
  if (problem.value === undefined) {
    const unit = problem.part === 'unit' ? missingUnit(problem, document) : undefined;
    if (unit !== undefined) problem.suggestion = unit;
    return;
  }
  const allowed = problem.allowedValues;
  if (allowed) {
    const near = nearest(problem.value, allowed);
    if (near !== undefined) problem.suggestion = near;
    if (near !== undefined || problem.code !== 'checklist.form') return;
  }
  if (problem.code !== 'checklist.form' && problem.code !== 'checklist.rule') return;
  const passing = rewritings(problem.value).find((candidate) => passes(candidate, problem, document, checklist));
  if (passing !== undefined) problem.suggestion = passing;
}

/** The unit that stands behind the number in the cell of the value (`12 years`), or the only one that is allowed. */
function missingUnit(problem: ChecklistProblem, document: ChecklistDocument): string | undefined {
  const { characteristic = '', entry = 0, allowedValues = [] } = problem;
  const text = document.characteristics?.[characteristic]?.[entry]?.text ?? '';
  const behind = /\d\s*(\D{1,40})$/.exec(text.slice(-60))?.[1];
  const written = behind === undefined ? undefined : nearest(behind, allowedValues);
  return written ?? (allowedValues.length === 1 ? allowedValues[0] : undefined);
}

/** Whether the checklist would accept this value at the problem's place. */
function passes(
  candidate: string,
  problem: ChecklistProblem,
  document: ChecklistDocument,
  checklist: RowChecklist,
): boolean {
  const { characteristic, entry, part } = problem;
  if (characteristic === undefined || entry === undefined || part === 'term') return false;
  const entries = document.characteristics?.[characteristic] ?? [];
  const fixed = entries.map((each, i) => (i === entry ? { ...each, [part ?? 'text']: candidate } : each));
  const trial = { ...document, characteristics: { ...document.characteristics, [characteristic]: fixed } };
  return checklist
    .verdict(respell(trial, checklist.spelling))
    .every((error) => translate(error, checklist, trial).dataPath !== problem.dataPath);
}
