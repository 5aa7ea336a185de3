import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addToRuns, clipChunks, countChunk, emptyChunk } from '../../src/store/ledger-runs.js';
import type { LedgerRun } from '../../src/submissions/submission-store.js';
import '../support/seeds.js';

const expand = (runs: readonly LedgerRun[]): [number, number][] =>
  runs.flatMap(([line, id, count]) =>
    Array.from({ length: count }, (_, at): [number, number] => [line + at, id === 0 ? 0 : id + at]),
  );

/** Lines going up, numbers in any order, 0 among them. */
const rows = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 6 }))).map((steps) => {
  let line = 1;
  return steps.map(([step, id]): [number, number] => {
    line += step;
    return [line, id];
  });
});

describe('runs of the ledger', () => {
  it('say of each line its number, in as few runs as there are breaks', () => {
    fc.assert(
      fc.property(rows, (pairs) => {
        const runs: LedgerRun[] = [];
        for (const [line, id] of pairs) addToRuns(runs, line, id);
        expect(expand(runs)).toEqual(pairs);
      }),
    );
    const runs: LedgerRun[] = [];
    for (const [line, id] of [
      [2, 10],
      [3, 11],
      [4, 12],
      [6, 13],
      [7, 14],
      [8, 0],
      [9, 0],
      [10, 1],
    ] as const) {
      addToRuns(runs, line, id);
    }
    expect(runs).toEqual([
      [2, 10, 3],
      [6, 13, 2],
      [8, 0, 2],
      [10, 1, 1],
    ]);
  });

  it('clipped to lines keep just these', () => {
    fc.assert(
      fc.property(rows, fc.nat(40), fc.nat(40), (pairs, a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const chunk = emptyChunk(0, 1000);
        for (const [line, id] of pairs) addToRuns(chunk.created, line, id);
        chunk.rejected = pairs.map(([line]) => ({ line, name: 'x', issues: [] }));
        const clipped = clipChunks([chunk], from, to);
        const within = pairs.filter(([line]) => line >= from && line <= to);
        expect(expand(clipped.created)).toEqual(within);
        expect(clipped.rejected.map(({ line }) => line)).toEqual(within.map(([line]) => line));
        expect(countChunk(clipped)).toMatchObject({ rows: within.length * 2, created: within.length });
      }),
    );
  });
});
