/** Issues of a submission, grouped as they come in: `organism missing on 212 rows: 2, 3, 4 …`. */

import { MAX_CHANGES } from '../registry/changes/sample-change-list.js';
import type { Issue, RejectedRow } from '../registry/samples/sample-batch.js';
import type { IssueGroup } from '../submissions/submission.js';
import type { LedgerChunk } from '../submissions/submission-store.js';

const MAX_GROUPS = 100;
/** Beside the issues: two of each change that an edit may have. */
const MAX_NOTES = 2 * MAX_CHANGES;
const MAX_LINES = 10;
const EXAMPLE = 'For example in line ';

/** `groups` with the issues of these rows; the first 100 kinds are kept beside notes, the first 10 lines of each; a row counts once in each. */
export function groupIssues(groups: readonly IssueGroup[], rows: readonly RejectedRow[]): IssueGroup[] {
  if (rows.length === 0) return [...groups];
  const byKind = new Map<string, IssueGroup>();
  for (const group of groups) byKind.set(kindOf(group), { ...group, lines: [...group.lines] });
  const most = MAX_GROUPS + groups.filter(({ severity }) => severity === 'note').length;
  for (const { issues } of rows) {
    // Columns of one title (Unit) are one group: a row with several of them is one row of it.
    const counted = new Set<string>();
    for (const issue of issues) addIssue(byKind, issue, counted, most);
  }
  return [...byKind.values()];
}

/** The groups with what a batch notes of its rows; a row that was rejected is not noted. */
export function groupNotes(
  groups: readonly IssueGroup[],
  { notes = [], rejected }: Pick<LedgerChunk, 'notes' | 'rejected'>,
): IssueGroup[] {
  const refused = new Set(rejected.map(({ line }) => line));
  const all = [...groups];
  for (const { code, column, message, lines } of notes) {
    const noted = lines.flatMap(([first, count]) => Array.from({ length: count }, (_, at) => first + at));
    const kept = noted.filter((line) => !refused.has(line));
    if (kept.length === 0) continue;
    const at = all.findIndex((group) => group.severity === 'note' && group.code === code && group.column === column);
    const { count = 0, lines: known = [] } = all[at] ?? {};
    const group: IssueGroup = {
      code,
      column,
      count: count + kept.length,
      lines: [...known, ...kept].slice(0, MAX_LINES),
      message,
      severity: 'note',
    };
    if (at >= 0) all[at] = group;
    else if (all.length < MAX_GROUPS + MAX_NOTES) all.push(group);
  }
  return all;
}

const kindOf = ({ code, column, severity }: IssueGroup | Issue): string => `${code}\t${severity}\t${column ?? ''}`;

/** `most`: groups that there may be. */
function addIssue(byKind: Map<string, IssueGroup>, issue: Issue, counted: Set<string>, most: number): void {
  const kind = kindOf(issue);
  const again = counted.has(kind);
  counted.add(kind);
  const group = byKind.get(kind);
  if (group) {
    // The messages of a group differ by their values: the first one is shown as what it is, an example.
    if (group.message !== issue.message && !group.message.startsWith(EXAMPLE)) {
      group.message = `${EXAMPLE}${group.lines[0]}: ${group.message}`;
    }
    if (again) return;
    group.count++;
    if (group.lines.length < MAX_LINES && !group.lines.includes(issue.line)) group.lines.push(issue.line);
    return;
  }
  if (byKind.size >= most) return;
  byKind.set(kind, {
    code: issue.code,
    ...(issue.column === undefined ? {} : { column: issue.column }),
    count: 1,
    lines: [issue.line],
    message: issue.message,
    severity: issue.severity,
  });
}
