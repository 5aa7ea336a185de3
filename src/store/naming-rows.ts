/** What the rule of registry/decide.ts is informed of a batch and of its rows that name samples; the same in every store. */
import type { NamingRow, RowWriter, SampleForm } from '../registry/decide.js';
import type { LaidOutBatch } from '../registry/sample-batch.js';
import type { Submission } from '../submissions/submission.js';

/** Who applies the rows of a batch, and how. */
export const rowWriter = ({ account, admin, options }: Submission, batch: LaidOutBatch, now: number): RowWriter => ({
  account,
  admin,
  merge: options.update === 'merge',
  releaseDate: batch.releaseDate,
  now,
});

/** `writers`: submissions that may have written the sample last, where only they may. */
export const namingRow = (
  batch: LaidOutBatch,
  at: number,
  { form, accession }: { form: SampleForm; accession: string },
  writers: ReadonlySet<number> | undefined,
  current: { submission: number | null } | undefined,
): NamingRow => ({
  line: batch.lines[at] as number,
  accession,
  form,
  expected: batch.expected?.[at],
  withdraw: batch.withdraw?.[at] === 1,
  rewritten: writers !== undefined && !writers.has(current?.submission ?? 0),
});

/** Positions of the rows that name a sample. */
export function namingRows({ count, ids }: LaidOutBatch): number[] {
  const rows: number[] = [];
  for (let at = 0; at < count; at++) if (ids[at] !== 0) rows.push(at);
  return rows;
}
