/**
 * What the checks keep of a sheet of thousands of columns, each value another.
 *
 * @module-tag bounds
 */
import { expect, it } from 'vitest';
import { checkedSheet } from '../../src/tsv/header/cell-place.js';
import { Sense } from '../../src/tsv/quality/sense/sense.js';
import { Warnings } from '../../src/tsv/quality/warnings.js';
import { usedHeap } from '../support/used-heap.js';
import { readSheet } from '../tsv/read-sheet.js';

const MIB = 1024 * 1024;
const COLUMNS = 8_000;
const ROWS = 30;

it('of all columns together', async () => {
  const row = (name: string, text: (column: number) => string): string =>
    `${name}\t${Array.from({ length: COLUMNS }, (_, column) => text(column)).join('\t')}\n`;
  const rows = Array.from({ length: ROWS }, (_, at) => row(`s${at}`, (column) => `v ${column} ${at}`));
  const { plan, batches } = await readSheet([row('Sample Name', (column) => `h${column}`), ...rows].join(''), {
    header: { unknownColumns: 'characteristics', releaseDate: 0 },
    read: { batchRows: 1_000 },
  });
  const { cells, name } = checkedSheet(plan);
  const checks = [new Warnings(cells, name), new Sense(checkedSheet(plan))];
  const before = usedHeap();
  for (const batch of batches) for (const check of checks) check.inspect(batch);
  expect((usedHeap() - before) / MIB, 'MiB').toBeLessThan(80);
  // They are alive until here.
  expect(checks).toHaveLength(2);
});
