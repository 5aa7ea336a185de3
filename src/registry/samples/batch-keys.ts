/** Keys of the rows of a batch, apart from the batch: the page reads that with an older standard library. */
import { batchText, type SampleBatch } from './sample-batch.js';

/** The key of a row, as stores spell it. */
export const batchKey = (batch: SampleBatch, row: number): string =>
  batchText(batch, row)
    .substring(batch.keys?.[row * 2] ?? 0, batch.keys?.[row * 2 + 1] ?? 0)
    .toWellFormed();

/** Of an upload with keys, the key of a row that is refused. */
export const refusedKey = (batch: SampleBatch, row: number): { key?: string } =>
  batch.keys === undefined ? {} : { key: batchKey(batch, row) };
