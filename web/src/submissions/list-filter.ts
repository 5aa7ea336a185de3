/** What the list of submissions is asked for, as it stands in the address of the view. */
import { useSearchParams } from 'wouter';
import type { SubmissionQuery } from '../api/submissions.js';
import { startOfDay } from '../show/day-bounds.js';
import { isSubmissionId } from './found-by-id.js';

export interface ListFilter {
  /** Submission ID, or a part of a file's name. */
  text: string;
  /** One state, several with commas between, or empty for all. */
  status: string;
  account: string;
  /** Days, `2026-11-21`, the last one included. */
  from: string;
  to: string;
  /** Empty: dry runs are shown. */
  checks: '' | 'hidden';
}

const NAMES = ['text', 'status', 'account', 'from', 'to', 'checks'] as const;

export const STATES = [
  { value: '', label: 'every status' },
  { value: 'FAILED,COMPLETED_WITH_ERRORS', label: 'Failed or with errors' },
  { value: 'ACTIVE', label: 'Waiting or running' },
  { value: 'COMPLETED', label: 'Completed' },
  { value: 'COMPLETED_WITH_ERRORS', label: 'Completed with errors' },
  { value: 'FAILED', label: 'Failed' },
  { value: 'CANCELLED', label: 'Cancelled' },
];

/** The filter in the address, and the way to change a part of it; Back leads to the view before, not through each letter. */
export function useListFilter(): [ListFilter, (part: Partial<ListFilter>) => void] {
  const [params, setParams] = useSearchParams();
  const filter = Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ''])) as unknown as ListFilter;
  const change = (part: Partial<ListFilter>) =>
    setParams(
      (present) => {
        const next = new URLSearchParams(present);
        for (const [name, value] of Object.entries(part)) {
          if (value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  return [{ ...filter, status: STATES.some(({ value }) => value === filter.status) ? filter.status : '' }, change];
}

export const isFiltered = (filter: ListFilter): boolean => NAMES.some((name) => filter[name] !== '');

/** As the service is asked; an ID is looked up by itself. */
export function queryOfFilter({ text, status, account, from, to, checks }: ListFilter): SubmissionQuery {
  const wanted = text.trim();
  return {
    fileName: isSubmissionId(wanted) ? '' : wanted,
    status,
    account: account.trim(),
    from: startOfDay(from, 0),
    to: startOfDay(to, 1),
    dryRuns: checks === 'hidden' ? 'false' : '',
  };
}
