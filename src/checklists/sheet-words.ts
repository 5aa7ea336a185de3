/** A checklist's problems as issues of a sheet: column header and letter instead of a pointer. */
import type { CheckedSheet, ChecklistProblem } from '../registry/checklist.js';
import { addTo } from '../registry/lists.js';
import { type IssueProto, issueProto } from '../registry/row-issue.js';
import type { SheetPlace } from '../registry/row-places.js';
import type { CharacteristicCells } from '../registry/samples/packed-sample.js';
import { fold } from './nearest.js';
import { listInWords } from './words.js';

/** For one sheet. Its columns are looked up by name: a row may have as many problems as it has columns. */
export class SheetWords {
  private readonly plans = new Map<string, CharacteristicCells[]>();
  /** The first header of each folded name, when one was asked for. */
  private headers: ReadonlyMap<string, SheetPlace> | undefined;

  constructor(
    private readonly sheet: CheckedSheet,
    private readonly checklist: string,
  ) {
    for (const plan of sheet.layout.characteristics) addTo(this.plans, plan.name, plan);
  }

  /** Names of characteristics, in the order of their first columns. */
  get names(): string[] {
    return [...this.plans.keys()];
  }

  /** The columns of this name, in order. */
  plansOf(name: string): readonly CharacteristicCells[] {
    return this.plans.get(name) ?? [];
  }

  /** Of one row. */
  issues(problems: readonly ChecklistProblem[], cells: readonly string[]): IssueProto[] {
    const filled = new Map<string, CharacteristicCells[]>();
    return problems.map((problem) => {
      const { characteristic: name } = problem;
      if (name === undefined) return issueAt(this.sheet.name, problem, problem.message);
      const plans = this.plansOf(name);
      const entries = filled.get(name) ?? plans.filter((plan) => cells[plan.text]);
      filled.set(name, entries);
      // Its entry counts filled cells only; a missing value stands in the first column of the name.
      const plan = (problem.entry === undefined ? undefined : entries[problem.entry]) ?? plans[0];
      if (!plan) return this.missingColumn(name, problem);
      const place = placeOf(problem, plan, this.sheet);
      return issueAt(place, problem, messageFor(problem, place, plan, this.checklist));
    });
  }

  private missingColumn(name: string, problem: ChecklistProblem): IssueProto {
    const header = `Characteristics[${name}]`;
    const near = this.headerLike(name);
    const hint = near
      ? ` Column ${near.columnLetter} is called ${near.column}; name it ${header}.`
      : problem.allowedValues
        ? ` Allowed: ${listInWords(problem.allowedValues)}.`
        : '';
    const message = `There is no column ${header}, which the checklist ${this.checklist} requires.${hint}`;
    const columnLetter = near && { columnLetter: near.columnLetter };
    return issueProto(problem.code, { column: header, ...columnLetter }, { message });
  }

  private headerLike(name: string): SheetPlace | undefined {
    if (this.headers === undefined) {
      const headers = new Map<string, SheetPlace>();
      for (const place of this.sheet.headers ?? this.sheet.cells) {
        const folded = fold(place.column.replace(/^.*?\[(.*)\]\s*$/s, '$1'));
        if (!headers.has(folded)) headers.set(folded, place);
      }
      this.headers = headers;
    }
    return this.headers.get(fold(name));
  }
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

const issueAt = (place: SheetPlace, { code, value, suggestion }: ChecklistProblem, message: string): IssueProto =>
  issueProto(code, place, { value, message, suggestion });
