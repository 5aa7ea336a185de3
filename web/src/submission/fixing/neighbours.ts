import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { SubmissionStatus } from '../../api/contract.js';
import { submissionKey } from '../../api/submissions.js';
import { isBlankRow, type SheetRow } from '../../sheet/read-rows.js';
import { readOriginal } from '../original.js';

/** Larger originals are not fetched only to show two rows of them. */
const MAX_BYTES = 2_000_000;

export interface Neighbours {
  before?: SheetRow;
  after?: SheetRow;
}

/** The rows around a line, read from the original where it is small. */
export function useNeighbours(id: string, line: number): Neighbours {
  const client = useQueryClient();
  const submission = client.getQueryData<SubmissionStatus>(submissionKey(id));
  const original = useQuery({
    queryKey: ['original', id],
    queryFn: async ({ signal }) => {
      const sheet = submission && (await readOriginal(submission, signal, MAX_BYTES));
      if (!sheet) return [];
      return sheet.rows.filter((row) => row.line > sheet.header.headerEnd && !isBlankRow(row));
    },
    enabled: submission !== undefined && submission.fileSize <= MAX_BYTES,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return useMemo(() => around(original.data ?? [], line), [original.data, line]);
}

function around(rows: readonly SheetRow[], line: number): Neighbours {
  const at = rows.findIndex((row) => row.line >= line);
  const here = rows[at];
  if (!here || here.line !== line) return {};
  const before = rows[at - 1];
  const after = rows[at + 1];
  return { ...(before ? { before } : {}), ...(after ? { after } : {}) };
}
