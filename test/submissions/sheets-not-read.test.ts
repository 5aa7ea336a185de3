/** The warning about sheets that were not read, where a worker goes on behind another. */
import { describe, expect, it } from 'vitest';
import type { LaidOutBatch } from '../../src/registry/sample-batch.js';
import { warnOfOtherSheets } from '../../src/submissions/sheets-not-read.js';

const readAs = { sheet: 'Plate 1', bytes: 1, notRead: ['Plate 2'] };

describe('the warning about sheets that were not read', () => {
  it.each([
    ['is given with the first batch of the file', 0, [1, 0]],
    ['is not given again by who goes on behind its rows', 7, [0, 0]],
  ])('%s', async (_, cursor, warnings) => {
    async function* batches(): AsyncGenerator<LaidOutBatch> {
      yield {} as LaidOutBatch;
      yield {} as LaidOutBatch;
    }
    const seen: number[] = [];
    for await (const batch of warnOfOtherSheets(batches(), { headerLine: 1 }, { readAs }, cursor))
      seen.push(batch.warnings?.length ?? 0);
    expect(seen).toEqual(warnings);
  });
});
