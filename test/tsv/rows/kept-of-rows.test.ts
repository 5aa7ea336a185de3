/**
 * What the reader of a sheet keeps of long rows while it goes on: of a row that is refused what is said of it, of a date its text.
 *
 * @module-tag bounds
 */
import { expect, it } from 'vitest';
import { readHeader } from '../../../src/tsv/header/header.js';
import { readBatches } from '../../../src/tsv/rows/read.js';
import { usedHeap } from '../../support/used-heap.js';

const MIB = 1024 * 1024;
const OPTIONS = { prefix: 'SAMR', unknownColumns: 'characteristics', isNew: true } as const;
const HEADERS = ['Sample Name', 'Release Date', ...Array.from({ length: 6 }, (_, at) => `Characteristics[c${at}]`)];
const line = (cells: readonly string[]): Buffer => Buffer.from(`${cells.join('\t')}\n`);

it.each([
  ['of rows that are refused for their dates', (at: number) => `no date, row number ${at}`, 30, 30, 8],
  ['of dates that are free text of their own', (at: number) => `${at} ${'in words '.repeat(10_000)}`, 30, 30, 8],
  // More than the rows of a batch, which are held.
  ['of good dates, each another', (at: number) => `2024-11-21T09:30:00.${String(at).padStart(3, '0')}Z`, 60, 0, 20],
])('%s', async (_, date, rows, refused, most) => {
  const plan = readHeader(Buffer.concat([line(HEADERS), line(['s', '2024-11-21'])]), OPTIONS, true);
  let held = 0;
  async function* sheet() {
    yield line(HEADERS);
    const before = usedHeap();
    for (let at = 0; at < rows; at++) {
      const notes = Array.from({ length: 6 }, (_, nth) => `${at} ${nth} ${'words of a note '.repeat(6_000)}`);
      yield line([`the sample of number ${at}`, date(at), ...notes]);
    }
    held = usedHeap() - before;
  }
  let rejected = 0;
  for await (const batch of readBatches(sheet(), plan, { ...OPTIONS, batchRows: 1_000 })) {
    rejected += batch.rejected.length;
  }
  expect(rejected).toBe(refused);
  expect(held / MIB, 'MiB').toBeLessThan(most);
});
