/** What a checklist finds wrong, turned from the validator's words into those of a sample. */
import type { ErrorObject } from 'ajv';
import { MAX_PLACES } from '../registry/body.js';
import type { ChecklistDocument, ChecklistField, ChecklistProblem } from '../registry/checklist.js';
import { isObject } from '../registry/json-form.js';
import type { Verdict } from './compile.js';
import type { JsonObject } from './load.js';
import { respell, type Spelling } from './spelling.js';
import { suggest } from './suggestions.js';
import { translate } from './translate.js';

/** A checklist ready to check. */
export interface RowChecklist {
  id: string;
  schema: JsonObject;
  spelling: Spelling;
  verdict: Verdict;
  fields: ReadonlyMap<string, ChecklistField>;
}

/** The last of a document that has more problems than one answer lists. */
export const MORE_PROBLEMS: ChecklistProblem = {
  dataPath: '',
  code: 'checklist.rule',
  message: `There are more problems than the ${MAX_PLACES} listed here; correct these first.`,
};

/**
 * Everything wrong with the document, without repeats, of very much the first; each of the first `suggested` with a suggestion
 * where one passes the checklist.
 */
export function findProblems(
  document: ChecklistDocument,
  checklist: RowChecklist,
  suggested = MAX_PLACES,
): ChecklistProblem[] {
  const errors = checklist.verdict(respell(document, checklist.spelling));
  if (errors.length === 0) return [];
  const found = new Map<string, ChecklistProblem>();
  for (const error of withoutBranches(errors, checklist.schema)) {
    if (found.size > MAX_PLACES) break;
    const problem = translate(error, checklist, document);
    const key = `${problem.dataPath}\n${problem.code}`;
    if (!found.has(key)) found.set(key, problem);
  }
  const problems = [...found.values()].slice(0, MAX_PLACES);
  suggest(problems.slice(0, suggested), document, checklist);
  return found.size > MAX_PLACES ? [...problems, MORE_PROBLEMS] : problems;
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
