/** What several checks say of one row, as its ledger keeps it. */
import type { RejectedRow } from '../../registry/samples/sample-batch.js';

/** One entry for each line, in order. */
export function joinedWarnings(rows: readonly RejectedRow[]): RejectedRow[] {
  const byLine = new Map<number, RejectedRow>();
  for (const row of rows) {
    const before = byLine.get(row.line);
    if (before) before.issues.push(...row.issues);
    else byLine.set(row.line, { ...row, issues: [...row.issues] });
  }
  return [...byLine.values()].sort((a, b) => a.line - b.line);
}
