/** What was probably meant by values that a checklist refuses. */
import type { ChecklistDocument, ChecklistProblem } from '../registry/checklist.js';
import type { Characteristics } from '../registry/samples/sample.js';
import type { Verdict } from './compile.js';
import { rewritings } from './fixes.js';
import { nearest } from './nearest.js';
import { respell } from './spelling.js';
import { placeOfError, type Translating } from './translate.js';

type Suggesting = Translating & { verdict: Verdict };

/** A problem, and other ways to write its value, of which the checklist may accept one. */
interface Tried {
  problem: ChecklistProblem;
  candidates: readonly string[];
}

/** Adds a suggestion to each problem where one passes the checklist, in time that grows with the document. */
export function suggest(
  problems: readonly ChecklistProblem[],
  document: ChecklistDocument,
  checklist: Suggesting,
): void {
  const open: Tried[] = [];
  for (const problem of problems) {
    const near = nearOf(problem, document);
    if (near !== undefined) problem.suggestion = near;
    else if (isRewritten(problem)) open.push({ problem, candidates: rewritings(problem.value ?? '') });
  }
  rewrite(open, document, checklist);
}

/** Without asking the checklist. */
function nearOf(problem: ChecklistProblem, document: ChecklistDocument): string | undefined {
  if (problem.value === undefined) return problem.part === 'unit' ? missingUnit(problem, document) : undefined;
  return problem.allowedValues && nearest(problem.value, problem.allowedValues);
}

const isRewritten = ({ value, code, characteristic, entry, part, allowedValues }: ChecklistProblem): boolean =>
  value !== undefined &&
  (code === 'checklist.form' || (code === 'checklist.rule' && allowedValues === undefined)) &&
  characteristic !== undefined &&
  entry !== undefined &&
  part !== 'term';

/** The unit that stands behind the number in the cell of the value (`12 years`), or the only one that is allowed. */
function missingUnit(problem: ChecklistProblem, document: ChecklistDocument): string | undefined {
  const { characteristic = '', entry = 0, allowedValues = [] } = problem;
  const text = document.characteristics?.[characteristic]?.[entry]?.text ?? '';
  const behind = /\d\s*(\D{1,40})$/.exec(text.slice(-60))?.[1];
  const written = behind === undefined ? undefined : nearest(behind, allowedValues);
  return written ?? (allowedValues.length === 1 ? allowedValues[0] : undefined);
}

/**
 * The first candidates of all problems are tried together, then the second ones of those that are left, and so on: the
 * document is checked as often as a value has candidates, not as often as all values have.
 */
function rewrite(all: readonly Tried[], document: ChecklistDocument, checklist: Suggesting): void {
  let open = all;
  for (let round = 0; ; round++) {
    open = open.filter(({ problem, candidates }) => problem.suggestion === undefined && round < candidates.length);
    if (open.length === 0) return;
    const refused = refusedPlaces(withCandidates(open, round, document), checklist);
    for (const { problem, candidates } of open) {
      const candidate = candidates[round];
      if (candidate !== undefined && !refused.has(problem.dataPath)) problem.suggestion = candidate;
    }
  }
}

function refusedPlaces(trial: ChecklistDocument, { verdict, spelling }: Suggesting): ReadonlySet<string> {
  return new Set(verdict(respell(trial, spelling)).map((error) => placeOfError(error, spelling).dataPath));
}

/** Entries keep their places; what stands behind the last that is tried is left out. */
function withCandidates(open: readonly Tried[], round: number, document: ChecklistDocument): ChecklistDocument {
  const characteristics = Object.assign(Object.create(null), document.characteristics) as Characteristics;
  const last = new Map<string, number>();
  for (const { problem } of open) {
    const { characteristic = '', entry = 0 } = problem;
    last.set(characteristic, Math.max(entry, last.get(characteristic) ?? 0));
  }
  for (const [name, entry] of last) characteristics[name] = (characteristics[name] ?? []).slice(0, entry + 1);
  for (const { problem, candidates } of open) {
    const { characteristic = '', entry = 0, part = 'text' } = problem;
    const entries = characteristics[characteristic] ?? [];
    entries[entry] = { ...entries[entry], [part]: candidates[round] };
  }
  return { ...document, characteristics };
}
