/** Issues of a submission with the rows they stand in, as the page works with them. */
import type { Answered, CellIssue } from './contract.js';

export type ReportDocument = Answered<'/submissions/{id}/errors'>;

export interface BadRow {
  line: number;
  /** The row as it stands in the sheet, one text per column. */
  cells: string[];
  issues: CellIssue[];
  /** Of a good row with warnings that is registered. */
  accession?: string;
}

export interface IssueReport {
  /** Header texts of the sheet, in its order. */
  columns: string[];
  /** Rows that stand above and below the header in a sheet of another format, and without which it would be read otherwise. */
  above: string[][];
  below: string[][];
  rows: BadRow[];
}

export function reportOf({ head, rejected, warned }: ReportDocument): IssueReport {
  const columns = (rejected[0] ?? warned[0])?.cells.map(({ column }) => column) ?? [];
  const rows: BadRow[] = rejected.map(
    ({ line, cells, issues }): BadRow => ({ line, cells: cells.map(({ value }) => value), issues }),
  );
  for (const { line, accession, cells, issues } of warned) {
    rows.push({
      line,
      cells: cells.map(({ value }) => value),
      issues,
      ...(accession === undefined ? {} : { accession }),
    });
  }
  const header = head.findIndex((cells) => cells.join('\t') === columns.join('\t'));
  return {
    columns,
    above: head.slice(0, header),
    below: head.slice(header + 1),
    rows: rows.sort((one, other) => one.line - other.line),
  };
}
