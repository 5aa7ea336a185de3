/** Rows of a batch as new samples. Pure. */
import { batchCells, batchName, type LaidOutBatch, newRelease } from '../registry/samples/sample-batch.js';
import { type SampleRow, VIA_FILE } from './rows/sample-row.js';
import { checksumWith, type SharedValues, sharedSum } from './sample-checksum.js';

/**
 * What a new row of a batch has of its own. Databases keep half a surrogate pair each in its own way, so texts are well-formed
 * before they are summed up.
 */
export type NewValues = Pick<SampleRow, 'id' | 'name' | 'release' | 'layout' | 'doc'> & { line: number };
export type NewRow = NewValues & { crc: number };

/** Rows of the batch as new samples of numbers: by position in the batch. `layout`: the number of the batch's. */
export function newValuesOf(batch: LaidOutBatch, layout: number): (at: number, id: number) => NewValues {
  const hasDocuments = batch.documents.size > 0;
  return (at, id) => {
    const document = hasDocuments ? batch.documents.get(at) : undefined;
    return {
      id,
      name: batchName(batch, at).toWellFormed(),
      release: newRelease(batch, at),
      layout: document === undefined ? layout : null,
      doc: (document ?? batchCells(batch, at)).toWellFormed(),
      line: batch.lines[at] as number,
    };
  };
}

/** What new samples of a batch have in common. */
export const sharedByNew = (account: number, submission: number, now: number): SharedValues => ({
  account,
  author: account,
  via: VIA_FILE,
  submission,
  version: 1,
  created: now,
  updated: now,
  submitted: now,
  admin_status: null,
});

/** The same with their checksums. What they share is summed once. */
export function withChecksums(shared: SharedValues): (row: NewValues) => NewRow {
  const sum = sharedSum(shared);
  // Written out: there are millions.
  return ({ id, name, release, layout, doc, line }) => {
    const crc = checksumWith(sum, id, release, layout, line, name, doc);
    return { id, name, release, layout, doc, line, crc };
  };
}

/** Both in one. */
export function newRowsOf(
  batch: LaidOutBatch,
  { account, submission, now, layout }: { account: number; submission: number; now: number; layout: number },
): (at: number, id: number) => NewRow {
  const valuesOf = newValuesOf(batch, layout);
  const summed = withChecksums(sharedByNew(account, submission, now));
  return (at, id) => summed(valuesOf(at, id));
}
