import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { SubmissionStatus } from '../../api/contract.js';
import type { IssueReport } from '../../api/issues.js';
import { isBlankRow, type SheetRow } from '../../sheet/read-rows.js';
import { readOriginal } from '../original.js';
import { isSentWhole } from './sent-whole.js';

/** Larger sheets are fixed by their bad rows alone. */
const MAX_BYTES = 8_000_000;

export interface EditableSheet {
  columns: readonly string[];
  /** The header's own row, where it can be changed too: it is sent with the rows. */
  header?: SheetRow;
  rows: readonly SheetRow[];
}

/**
 * The rows that can be fixed: where nothing is registered yet the whole sheet as it was sent, of a workbook the one that
 * was read; else the rows with something to say about them. Undefined until it is here.
 */
export function useEditableSheet(
  submission: SubmissionStatus,
  report: IssueReport,
  wanted: boolean,
): EditableSheet | undefined {
  const whole = isSentWhole(submission) && submission.fileSize <= MAX_BYTES;
  const original = useQuery({
    queryKey: ['whole sheet', submission.submissionId],
    queryFn: async ({ signal }) => {
      const sheet = await readOriginal(submission, signal, MAX_BYTES);
      if (!sheet) return null;
      const { headerLine, headerEnd } = sheet.header;
      const { rows } = sheet;
      const header = rows.find(({ line }) => line === headerLine);
      const columns = sheet.header.cells;
      return { columns, header, rows: rows.filter((row) => row.line > headerEnd && !isBlankRow(row)) };
    },
    enabled: wanted && whole,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  return useMemo(() => {
    if (whole && original.isPending) return undefined;
    const { columns, header, rows } = original.data ?? {};
    if (!rows) return { columns: report.columns, rows: report.rows.filter(({ cells }) => cells.length > 0) };
    return { columns: columns ?? report.columns, rows, ...(header ? { header } : {}) };
  }, [whole, original.isPending, original.data, report]);
}
