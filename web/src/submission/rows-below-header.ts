import { useQuery } from '@tanstack/react-query';
import type { SubmissionStatus } from '../api/contract.js';
import { rowsBelow } from '../sheet/read-rows.js';
import { readOriginal } from './original.js';

/** Larger originals are not fetched for a count. */
const MAX_BYTES = 2_000_000;

/**
 * How many rows of the sheet stand below its header, blank ones and remarks among them included. Undefined while it is not
 * known, and for good of a large sheet or of what is none.
 */
export function useRowsBelowHeader(submission: SubmissionStatus, wanted: boolean): number | undefined {
  const { submissionId, fileSize } = submission;
  const counted = useQuery({
    queryKey: ['rows below the header', submissionId],
    queryFn: async ({ signal }) => {
      const sheet = await readOriginal(submission, signal, MAX_BYTES);
      return sheet ? rowsBelow(sheet.rows, sheet.header.headerEnd) : null;
    },
    enabled: wanted && fileSize <= MAX_BYTES,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return counted.data ?? undefined;
}
