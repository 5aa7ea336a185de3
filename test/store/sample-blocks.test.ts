/** Which samples of a batch stand together. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CELL, cellOf, inBlocks, LEAST } from '../../src/store/sample-blocks.js';
import { runs } from '../support/seeds.js';

interface Row {
  id: number;
  name: string;
  doc: string;
  kind: number;
}

const MOST = 128 * 1024;
const lengthOf = ({ name, doc }: Row): number => name.length + doc.length;
const rowsArb = fc
  .uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 300 })
  .chain((ids) =>
    fc.record({
      ids: fc.constant(ids),
      kinds: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: ids.length, maxLength: ids.length }),
      lengths: fc.array(fc.constantFrom(0, 10, 10, 10, 3_000, 16_384, 16_385, 40_000), {
        minLength: ids.length,
        maxLength: ids.length,
      }),
    }),
  )
  .map(({ ids, kinds, lengths }) =>
    ids.map((id, at): Row => ({ id, name: '', doc: 'x'.repeat(lengths[at] as number), kind: kinds[at] === 0 ? 1 : 0 })),
  );

describe('samples of a batch', () => {
  it('are each in one block or among the others; blocks keep to cell, bounds and kind', () => {
    fc.assert(
      fc.property(rowsArb, (rows) => {
        const { blocks, others } = inBlocks(rows, (one, other) => one.kind === other.kind);
        const all = [...blocks.flat(), ...others].map(({ id }) => id);
        expect(all.sort((a, b) => a - b)).toEqual(rows.map(({ id }) => id).sort((a, b) => a - b));
        const order = others.map(({ id }) => id);
        expect(order).toEqual([...order].sort((a, b) => a - b));
        for (const block of blocks) {
          const [first] = block as [Row];
          expect(block.map(({ id }) => id)).toEqual(block.map((_, at) => first.id + at));
          expect(new Set(block.map(({ id }) => cellOf(id))).size).toBe(1);
          expect(new Set(block.map(({ kind }) => kind)).size).toBe(1);
          expect(block.length).toBeGreaterThanOrEqual(LEAST);
          expect(block.reduce((sum, row) => sum + lengthOf(row), 0)).toBeLessThanOrEqual(MOST);
          for (const row of block) expect(lengthOf(row)).toBeLessThanOrEqual(MOST / LEAST);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('stand together as far as they may: a sheet of a thousand makes a block for each cell', () => {
    const rows = Array.from({ length: 1000 }, (_, at): Row => ({ id: at + 1, name: 'n', doc: 'd', kind: 0 }));
    const { blocks, others } = inBlocks([...rows].reverse(), () => true);
    expect(others).toEqual([]);
    expect(blocks.map((block) => block.length)).toEqual([CELL - 1, ...Array(14).fill(CELL), 1001 - 15 * CELL]);
  });
});
