/** Ceilings of an upload, as a number of rows or as a share of them; and the one of refused rows. Pure. */
import type { LaidOutBatch } from '../../registry/samples/sample-batch.js';
import type { Counts, Problem, Submission, UploadOptions } from '../submission.js';

const CEILING_FORM = /^(\d{1,9}|\d{1,3}(\.\d{1,3})?%)$/;
export const CEILING_WORDS = 'a number of rows such as 50, or a share such as 5%';
export type CeilingName = 'maxMissing' | 'maxChanges' | 'maxRejected';

/** `above all`: it is a share of more than all, and allows everything. */
export function ceilingFault(name: CeilingName, ceiling: string): 'no ceiling' | 'above all' | undefined {
  if (!CEILING_FORM.test(ceiling)) return 'no ceiling';
  // An export may create more rows than its key space has samples.
  if (name === 'maxChanges' || !ceiling.endsWith('%')) return undefined;
  return rowsOf(ceiling, 1_000_000) > 1_000_000 ? 'above all' : undefined;
}

/** Rows that a ceiling allows of so many. Shares are counted in thousandths of a percent, as they are written: 0.072 is no number of the machine. */
export function rowsOf(ceiling: string, rows: number): number {
  if (!ceiling.endsWith('%')) return Number(ceiling);
  return Math.floor((rows * Math.round(Number(ceiling.slice(0, -1)) * 1000)) / 100_000);
}

/**
 * Why a submission ends before this batch, when `maxRejected` allows fewer refused rows than it has with those of the
 * batch. Counted from the first row of the file on, whoever began it.
 */
export function aboveCeiling(
  { id, options, counts, cursor }: Pick<Submission, 'id' | 'options' | 'counts' | 'cursor'>,
  batch?: LaidOutBatch,
): Problem | undefined {
  const { maxRejected, undoOf } = options;
  if (maxRejected === undefined || undoOf !== undefined) return undefined;
  const rejected = counts.rejected + (batch?.rejected.length ?? 0);
  const rows = counts.rows + (batch ? batch.count + batch.rejected.length : 0);
  const allowed = rowsOf(maxRejected, rows);
  if (rejected <= allowed) return undefined;
  return {
    code: 'file.too-many-rejected',
    message: `${rejected} of the ${rows} rows so far are refused, and maxRejected=${maxRejected} allows ${allowed}. ${registered(options, counts)} Fix the rows that the errors of submission ${id} list, or give another maxRejected, and upload the file again.`,
    retryable: false,
    line: batch?.toLine ?? cursor,
  };
}

function registered({ dryRun }: UploadOptions, { created, updated }: Counts): string {
  if (dryRun) return 'The rest was not looked at.';
  const before = created + updated;
  return before === 0
    ? 'No row was registered, and the rest was not looked at.'
    : `${before === 1 ? 'One row before them is' : `${before} rows before them are`} registered; the rest was not looked at.`;
}
