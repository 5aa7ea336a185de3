/** Issues of a submission, grouped as they come in: `organism missing on 212 rows: 2, 3, 4 …`. */
import type { Issue, RejectedRow } from '../registry/sample-batch.js';
import type { IssueGroup } from '../submissions/submission.js';

const MAX_GROUPS = 100;
const MAX_LINES = 10;
const EXAMPLE = 'For example in line ';

/** `groups` with the issues of these rows; the first 100 kinds are kept, the first 10 lines of each; a row counts once in each. */
export function groupIssues(groups: readonly IssueGroup[], rows: readonly RejectedRow[]): IssueGroup[] {
  if (rows.length === 0) return [...groups];
  const byKind = new Map<string, IssueGroup>();
  for (const group of groups) byKind.set(kindOf(group), { ...group, lines: [...group.lines] });
  for (const { issues } of rows) {
    // Columns of one title (Unit) are one group: a row with several of them is one row of it.
    const counted = new Set<string>();
    for (const issue of issues) addIssue(byKind, issue, counted);
  }
  return [...byKind.values()];
}

const kindOf = ({ code, column, severity }: IssueGroup | Issue): string => `${code}\t${severity}\t${column ?? ''}`;

function addIssue(byKind: Map<string, IssueGroup>, issue: Issue, counted: Set<string>): void {
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
  if (byKind.size >= MAX_GROUPS) return;
  byKind.set(kind, {
    code: issue.code,
    ...(issue.column === undefined ? {} : { column: issue.column }),
    count: 1,
    lines: [issue.line],
    message: issue.message,
    severity: issue.severity,
  });
}
