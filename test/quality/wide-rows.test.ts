/**
 * What the checks keep of a sheet whose rows are long: its values, and neither the rows they stand in nor free text.
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
const ROWS = 40;
/** Held while they are read. */
const AT_ONCE = 10;
const HEADERS = [
  'Sample Name',
  'organism',
  'Tax Id',
  'tissue',
  'collection date',
  'geographic location',
  'latitude',
  'longitude',
];
const valuesOf = (at: number): string[] => [
  `the sample of number ${at}`,
  `Homo sapiens number ${at}`,
  `NCBITaxon:${9606 + at}`,
  `Tissue of kind ${at}`,
  `2020-01-01T00:00:00.${String(at).padStart(3, '0')}Z`,
  `France: department ${at}`,
  `48.${String(at).padStart(9, '0')}`,
  `2.${String(at).padStart(9, '0')}`,
];

/** Heap that checks of the sheet hold when they have seen it, with these cells beside the usual ones. */
async function heldWith(beside: (at: number) => string[]): Promise<number> {
  const extra = beside(0).map((_, at) => `note ${at}`);
  const header = { unknownColumns: 'characteristics', releaseDate: 0 } as const;
  const read = (rows: string[][]) =>
    readSheet(rows.map((row) => `${row.join('\t')}\n`).join(''), { header, read: { batchRows: 1_000 } });
  const { plan } = await read([
    [...HEADERS, ...extra],
    [...valuesOf(0), ...beside(0)],
  ]);
  const sheet = checkedSheet(plan);
  const checks = [new Warnings(sheet.cells, sheet.name), new Sense(sheet)];
  const before = usedHeap();
  for (let at = 0; at < ROWS; at += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, nth) => [...valuesOf(at + nth), ...beside(at + nth)]);
    const { batches } = await read([[...HEADERS, ...extra], ...some]);
    for (const batch of batches) for (const check of checks) check.inspect(batch);
  }
  const held = usedHeap() - before;
  // They are alive until here.
  expect(checks).toHaveLength(2);
  return held / MIB;
}

it('neither the rows nor their free text, each row another', async () => {
  const long = (at: number) =>
    Array.from({ length: 10 }, (_, nth) => `${nth} ${at} ${'words of a note '.repeat(4_000)}`);
  expect(await heldWith(long), 'MiB').toBeLessThan(14);
});

it('no more rows where a checklist makes errors of what they say together', async () => {
  const text = `${['Sample Name', 'note'].join('\t')}\nname\tnote\n`;
  const { plan } = await readSheet(text, { header: { unknownColumns: 'characteristics', releaseDate: 0 } });
  const sense = new Sense(checkedSheet(plan));
  const before = usedHeap();
  for (let at = 0; at < 500; at++) {
    sense.inspectRow({ line: at + 2, name: `s${at}`, release: 0, packed: `note ${at} ${'y'.repeat(100_000)}` });
  }
  const held = usedHeap() - before;
  expect(sense.inspectRow({ line: 502, name: 's', release: 0, packed: 'note' })).toEqual([]);
  expect(held / MIB, 'MiB').toBeLessThan(20);
});
