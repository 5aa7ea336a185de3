/** What is settled about good rows before the store is asked, of sheets and of JSON files alike. */

import { rowIssue, rowWord } from '../../registry/row-issue.js';
import { placesOf } from '../../registry/row-places.js';
import { refusedKey } from '../../registry/samples/batch-keys.js';
import { batchName, type LaidOutBatch, type RejectedRow } from '../../registry/samples/sample-batch.js';
import type { LineIndex } from '../reading/line-index.js';
import type { ReadTask } from '../reading/read-task.js';

/** Why good rows are refused with bad ones. */
const HELD_BACK = {
  allOrNothing: (row: string) => `other ${row}s of the file need fixing and it was sent as all or nothing.`,
  tooMany: () => 'so many others are refused that the upload ended before it.',
};

/**
 * Whether an upload that is all or nothing registers nothing. Decided before its first row: what others have written since keeps
 * nobody who goes on behind registered rows from registering the rest.
 */
export async function isHeldBack(
  { options, registers }: Pick<ReadTask, 'options' | 'registers'>,
  refusesAny: () => boolean | Promise<boolean>,
): Promise<boolean> {
  return options.mode === 'atomic' && !registers && (await refusesAny());
}

/** Refuses the good rows of a batch with the bad ones of its file; `refused` says what is wrong with some of them. */
export function holdBack(batch: LaidOutBatch, why: keyof typeof HELD_BACK, refused: readonly RejectedRow[] = []): void {
  const known = new Map(refused.map((one) => [one.line, one]));
  const word = rowWord(placesOf(batch).form);
  const message = `Nothing wrong with this ${word}, but ${HELD_BACK[why](word)}`;
  for (let row = 0; row < batch.count; row++) {
    const line = batch.lines[row] as number;
    const issue = rowIssue('row.held-back', { line }, { message });
    const heldBack = { line, name: batchName(batch, row), ...refusedKey(batch, row), issues: [issue] };
    batch.rejected.push(known.get(line) ?? heldBack);
  }
  batch.rejected.sort((a, b) => a.line - b.line);
  batch.count = 0;
}

/** Rows without identifier mean the samples that the same lines of an earlier upload became, unless their keys say others. */
export function meanEarlierSamples(batch: LaidOutBatch, earlier: LineIndex): void {
  if (batch.keys) {
    batch.meant ??= Float64Array.from(batch.ids, (id, row) =>
      id === 0 ? (earlier.idAt(batch.lines[row] as number) ?? 0) : 0,
    );
    return;
  }
  for (let row = 0; row < batch.count; row++) {
    if (batch.ids[row] === 0) batch.ids[row] = earlier.idAt(batch.lines[row] as number) ?? 0;
  }
}
