import { expect, it } from 'vitest';
import { batchCells, batchName, newRelease } from '../../../src/registry/samples/sample-batch.js';
import { batchOf } from '../../many-machines/store-samples.js';

const rows = [
  { name: 'one', cells: 'a\tb', release: 5 },
  { name: 'other', cells: 'c', release: Number.NaN },
];
const batch = { ...batchOf(2, rows), releaseDate: 7 };

it('a row of a batch has its own name and cells, and its own release before that of the upload', () => {
  expect([0, 1].map((row) => batchName(batch, row))).toEqual(['one', 'other']);
  expect([0, 1].map((row) => batchCells(batch, row))).toEqual(['a\tb', 'c']);
  expect([0, 1].map((row) => newRelease(batch, row))).toEqual([5, 7]);
});
