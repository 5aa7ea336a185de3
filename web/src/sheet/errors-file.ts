/** The errors file (docs/tsv-dialect.md) read back into rows and issues: the user's columns, then ours. */
import { fold } from '../../../src/tsv/dialect.js';
import type { CellIssue } from '../api/contract.js';
import type { IssueReport } from '../api/issues.js';
import { isBlankRow, readRows } from './read-rows.js';

const PARTS = ['line', 'column', 'code', 'value', 'message', 'suggestion'] as const;
type Part = (typeof PARTS)[number];

/** Between the issues of one row. */
const BETWEEN = ' | ';

/** Our own cells are led by an apostrophe where a spreadsheet would calculate them. */
const SAFE_FORMULA = /^'(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/;

export function errorsFileReport(text: string): IssueReport {
  const rows = readRows(text, '\t');
  const header = rows.next();
  if (header.done) return { columns: [], rows: [] };
  const { cells: headers } = header.value;
  const places = new Map<Part, number>();
  for (const part of PARTS) {
    const at = headers.findIndex((text) => fold(text) === `error${part}`);
    if (at >= 0) places.set(part, at);
  }
  const ours = new Set(places.values());
  const report: IssueReport = { columns: headers.filter((_, at) => !ours.has(at)), rows: [] };
  for (const row of rows) {
    if (isBlankRow(row)) continue;
    const line = Number(row.cells[places.get('line') ?? -1]);
    const cells = row.cells.filter((_, at) => !ours.has(at));
    report.rows.push({ line, cells, issues: issuesIn(row.cells, places, line) });
  }
  return report;
}

function issuesIn(cells: readonly string[], places: ReadonlyMap<Part, number>, line: number): CellIssue[] {
  const whole = (part: Part): string => cells[places.get(part) ?? -1]?.replace(SAFE_FORMULA, '') ?? '';
  const codes = whole('code').split(BETWEEN);
  const split = (part: Part): string[] => {
    const parts = codes.length === 1 ? [whole(part)] : whole(part).split(BETWEEN);
    return parts.length === codes.length ? parts : [];
  };
  const [columns, values, messages, suggestions] = [
    split('column'),
    split('value'),
    split('message'),
    split('suggestion'),
  ];
  return codes.map((code, at) => {
    const issue: CellIssue = { line, code, message: messages[at] ?? whole('message'), severity: 'error' };
    const named = /^(.*) \(([A-Z]{1,3})\)$/s.exec(columns[at] ?? '');
    if (named?.[1] !== undefined && named[2] !== undefined) {
      issue.column = named[1];
      issue.columnLetter = named[2];
    } else if (columns[at]) issue.column = columns[at];
    if (values[at]) issue.value = values[at];
    if (suggestions[at]) issue.suggestion = suggestions[at];
    return issue;
  });
}
