/** A checklist compiled for one sheet: rows in, issues out, verdicts kept per distinct value where the checklist allows. */

import { MAX_PLACES } from '../registry/body.js';
import type { CheckedSheet, ChecklistDocument, ChecklistProblem } from '../registry/checklist.js';
import { ownText } from '../registry/own-text.js';
import type { IssueProto } from '../registry/row-issue.js';
import {
  CELL_SEPARATOR,
  type CharacteristicCells,
  type SampleLayout,
  type TermCells,
  unpackSample,
} from '../registry/samples/packed-sample.js';
import { findProblems, MORE_PROBLEMS, type RowChecklist } from './problems.js';
import { type Separable, separate } from './separable.js';
import { SheetWords } from './sheet-words.js';

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
  const words = new SheetWords(sheet, checklist.id);
  return (name, release, cells) => {
    const { domain: _, taxId: __, ...content } = unpackSample(sheet.layout, cells.join(CELL_SEPARATOR));
    const document: ChecklistDocument = { name, release: new Date(release).toISOString(), ...content };
    return words.issues(findProblems(document, checklist), cells);
  };
}

function byColumn(sheet: CheckedSheet, checklist: RowChecklist, { presence, constrains }: Separable): RowChecker {
  const words = new SheetWords(sheet, checklist.id);
  const groups = words.names.filter(constrains).map((name) => groupCheck(name, words, checklist));
  const [more] = words.issues([MORE_PROBLEMS], []) as [IssueProto];
  const presences = presence.map((alternatives) => presenceCheck(alternatives, words, checklist));
  return (_name, _release, cells) => {
    const issues: IssueProto[] = [];
    for (const check of presences) {
      const issue = check(cells);
      if (issue) issues.push(issue);
    }
    for (const check of groups) {
      for (const issue of check(cells)) issues.push(issue);
      if (issues.length > MAX_PLACES) return [...issues.slice(0, MAX_PLACES), more];
    }
    return issues.length > 0 ? issues : CLEAN;
  };
}

/** The verdict on one characteristic depends on its own cells only, so these alone are looked at. */
function groupCheck(
  name: string,
  words: SheetWords,
  checklist: RowChecklist,
): (cells: readonly string[]) => readonly IssueProto[] {
  const { layout, indices } = only(words.plansOf(name));
  const [single] = indices.length === 1 ? indices : [];
  const verdicts = new Map<string, readonly IssueProto[]>();
  return (cells) => {
    const key = single === undefined ? indices.map((i) => cells[i] ?? '').join(CELL_SEPARATOR) : (cells[single] ?? '');
    const known = verdicts.get(key);
    if (known) return known;
    const { characteristics } = unpackSample(layout, key);
    const problems = Object.keys(characteristics).length > 0 ? findProblems({ name, characteristics }, checklist) : [];
    const own = problems.filter((problem) => problem.characteristic === name || problem === MORE_PROBLEMS);
    const issues = words.issues(own, cells);
    if (verdicts.size >= MAX_CACHED) verdicts.clear();
    if (key.length <= MAX_KEY) verdicts.set(ownText(key), issues);
    return issues;
  };
}

function presenceCheck(
  alternatives: string[],
  words: SheetWords,
  checklist: RowChecklist,
): (cells: readonly string[]) => IssueProto | undefined {
  const plans = [...new Set(alternatives)].flatMap((name) => words.plansOf(name)).sort((a, b) => a.text - b.text);
  const name = plans[0]?.name ?? (alternatives[0] as string);
  const [issue] = words.issues([missing(name, checklist)], []);
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

/** A layout of these columns alone, and which cells of a row are its cells. */
function only(plans: readonly CharacteristicCells[]): { layout: SampleLayout; indices: number[] } {
  const indices: number[] = [];
  const own = (cell: number): number => indices.push(cell) - 1;
  const term = ({ source, accession }: TermCells): TermCells => ({
    ...(source === undefined ? {} : { source: own(source) }),
    ...(accession === undefined ? {} : { accession: own(accession) }),
  });
  const characteristics = plans.map(({ unit, terms, unitTerms, ...plan }) => ({
    ...plan,
    text: own(plan.text),
    ...(unit === undefined ? {} : { unit: own(unit) }),
    ...(terms === undefined ? {} : { terms: terms.map(term) }),
    ...(unitTerms === undefined ? {} : { unitTerms: unitTerms.map(term) }),
  }));
  const rest = { relationships: [], externalReferences: [], contact: [], organization: [], publications: [] };
  return { layout: { cells: indices.length, characteristics, ...rest }, indices };
}
