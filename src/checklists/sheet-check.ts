/** A checklist compiled for one sheet: rows in, issues out, verdicts kept per distinct value where the checklist allows. */
import type { CheckedSheet, ChecklistDocument, ChecklistProblem } from '../registry/checklist.js';
import type { IssueProto } from '../registry/row-issue.js';
import { CELL_SEPARATOR, type SampleLayout, unpackSample } from '../registry/samples/packed-sample.js';
import { findProblems, type RowChecklist } from './problems.js';
import { type Separable, separate } from './separable.js';
import { toIssue } from './sheet-words.js';

/** Issues of one row but for the line. The cells are the packed ones, split. */
export type RowChecker = (name: string, release: number, cells: readonly string[]) => readonly IssueProto[];

/** Distinct values kept per column; a column with more is checked anew from time to time. */
const MAX_CACHED = 5000;
/** Values longer than this are not kept. */
const MAX_KEY = 300;
const CLEAN: readonly IssueProto[] = [];

export function checkFor(sheet: CheckedSheet, checklist: RowChecklist): RowChecker {
  const separable = separate(checklist.schema, checklist.spelling);
  return separable ? byColumn(sheet, checklist, separable) : byRow(sheet, checklist);
}

function byRow(sheet: CheckedSheet, checklist: RowChecklist): RowChecker {
  return (name, release, cells) => {
    const { domain: _, taxId: __, ...content } = unpackSample(sheet.layout, cells.join(CELL_SEPARATOR));
    const document: ChecklistDocument = { name, release: new Date(release).toISOString(), ...content };
    return findProblems(document, checklist).map((problem) => toIssue(problem, sheet, cells, checklist.id));
  };
}

function byColumn(sheet: CheckedSheet, checklist: RowChecklist, { presence, constrains }: Separable): RowChecker {
  const names = [...new Set(sheet.layout.characteristics.map((plan) => plan.name))];
  const groups = names.filter(constrains).map((name) => groupCheck(name, sheet, checklist));
  const presences = presence.map((alternatives) => presenceCheck(alternatives, sheet, checklist));
  return (_name, _release, cells) => {
    let issues = CLEAN;
    for (const check of presences) {
      const issue = check(cells);
      if (issue) issues = [...issues, issue];
    }
    for (const check of groups) {
      const found = check(cells);
      if (found.length > 0) issues = [...issues, ...found];
    }
    return issues;
  };
}

/** The verdict on one characteristic depends on its own cells only. */
function groupCheck(
  name: string,
  sheet: CheckedSheet,
  checklist: RowChecklist,
): (cells: readonly string[]) => readonly IssueProto[] {
  const layout = only(name, sheet.layout);
  const indices = cellsOf(layout);
  const [single] = indices.length === 1 ? indices : [];
  const verdicts = new Map<string, readonly IssueProto[]>();
  return (cells) => {
    const key = single === undefined ? indices.map((i) => cells[i] ?? '').join(CELL_SEPARATOR) : (cells[single] ?? '');
    const known = verdicts.get(key);
    if (known) return known;
    const { characteristics } = unpackSample(layout, cells.join(CELL_SEPARATOR));
    const problems = Object.keys(characteristics).length > 0 ? findProblems({ name, characteristics }, checklist) : [];
    const issues = problems
      .filter((problem) => problem.characteristic === name)
      .map((problem) => toIssue(problem, sheet, cells, checklist.id));
    if (verdicts.size >= MAX_CACHED) verdicts.clear();
    if (key.length <= MAX_KEY) verdicts.set(key, issues);
    return issues;
  };
}

function presenceCheck(
  alternatives: string[],
  sheet: CheckedSheet,
  checklist: RowChecklist,
): (cells: readonly string[]) => IssueProto | undefined {
  const plans = sheet.layout.characteristics.filter((plan) => alternatives.includes(plan.name));
  const name = plans[0]?.name ?? (alternatives[0] as string);
  const issue = toIssue(missing(name, checklist), sheet, [], checklist.id);
  return (cells) => (plans.some((plan) => cells[plan.text]) ? undefined : issue);
}

function missing(name: string, checklist: RowChecklist): ChecklistProblem {
  const problem: ChecklistProblem = {
    dataPath: `/characteristics/${name}`,
    code: 'checklist.missing',
    message: '',
    characteristic: name,
  };
  const allowed = checklist.fields.get(name)?.allowedValues;
  if (allowed) problem.allowedValues = allowed;
  return problem;
}

const only = (name: string, layout: SampleLayout): SampleLayout => ({
  cells: layout.cells,
  characteristics: layout.characteristics.filter((plan) => plan.name === name),
  relationships: [],
  externalReferences: [],
  contact: [],
  organization: [],
  publications: [],
});

function cellsOf(layout: SampleLayout): number[] {
  const indices = layout.characteristics.flatMap((plan) => [
    plan.text,
    plan.unit,
    ...[...(plan.terms ?? []), ...(plan.unitTerms ?? [])].flatMap((term) => [term.source, term.accession]),
  ]);
  return indices.filter((index) => index !== undefined);
}
