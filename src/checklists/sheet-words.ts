/** A checklist's problem as an issue of a sheet: column header and letter instead of a pointer. */
import type { CheckedSheet, ChecklistProblem } from '../registry/checklist.js';
import { type IssueProto, issueProto } from '../registry/row-issue.js';
import type { SheetPlace } from '../registry/row-places.js';
import type { CharacteristicCells } from '../registry/samples/packed-sample.js';
import { fold } from './nearest.js';
import { listInWords } from './words.js';

export function toIssue(
  problem: ChecklistProblem,
  sheet: CheckedSheet,
  cells: readonly string[],
  checklist: string,
): IssueProto {
  const { characteristic: name } = problem;
  if (name === undefined) return issueAt(sheet.name, problem, problem.message);
  const plans = sheet.layout.characteristics.filter((plan) => plan.name === name);
  const plan = planOf(problem, plans, cells);
  if (!plan) return missingColumn(name, problem, sheet, checklist);
  const place = placeOf(problem, plan, sheet);
  return issueAt(place, problem, messageFor(problem, place, plan, checklist));
}

/** The problem's entry counts filled cells only; a missing value stands in the first column of the name. */
function planOf(
  problem: ChecklistProblem,
  plans: CharacteristicCells[],
  cells: readonly string[],
): CharacteristicCells | undefined {
  const filled = plans.filter((plan) => cells[plan.text]);
  return (problem.entry === undefined ? undefined : filled[problem.entry]) ?? plans[0];
}

function placeOf(problem: ChecklistProblem, plan: CharacteristicCells, sheet: CheckedSheet): SheetPlace {
  const cell = problem.part === 'unit' ? plan.unit : problem.part === 'term' ? plan.terms?.[0]?.accession : plan.text;
  return sheet.cells[cell ?? plan.text] ?? sheet.name;
}

function messageFor(
  problem: ChecklistProblem,
  place: SheetPlace,
  plan: CharacteristicCells,
  checklist: string,
): string {
  const allowed = problem.allowedValues ? ` Allowed: ${listInWords(problem.allowedValues)}.` : '';
  if (problem.code === 'checklist.missing')
    return `${place.column} is empty; the checklist ${checklist} requires it.${allowed}`;
  if (problem.code === 'checklist.unit' && plan.unit === undefined) {
    return `${place.column} needs a unit; add a column Unit right after it.${allowed}`;
  }
  if (problem.code === 'checklist.term' && plan.terms?.[0]?.accession === undefined) {
    return `${place.column} needs an ontology term; add a column Term Accession Number right after it.`;
  }
  return problem.message;
}

function missingColumn(name: string, problem: ChecklistProblem, sheet: CheckedSheet, checklist: string): IssueProto {
  const header = `Characteristics[${name}]`;
  const wanted = fold(name);
  const near = (sheet.headers ?? sheet.cells).find(
    ({ column }) => fold(column.replace(/^.*?\[(.*)\]\s*$/s, '$1')) === wanted,
  );
  const hint = near
    ? ` Column ${near.columnLetter} is called ${near.column}; name it ${header}.`
    : problem.allowedValues
      ? ` Allowed: ${listInWords(problem.allowedValues)}.`
      : '';
  const message = `There is no column ${header}, which the checklist ${checklist} requires.${hint}`;
  const columnLetter = near && { columnLetter: near.columnLetter };
  return issueProto(problem.code, { column: header, ...columnLetter }, { message });
}

const issueAt = (place: SheetPlace, { code, value, suggestion }: ChecklistProblem, message: string): IssueProto =>
  issueProto(code, place, { value, message, suggestion });
