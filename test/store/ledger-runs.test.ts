import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addToRuns,
  clipChunks,
  countChunk,
  emptyChunk,
  ledgerFrom,
  type StoredChunk,
} from '../../src/store/ledger-runs.js';
import type { LedgerChunk, LedgerRun, LineRun, VersionRun } from '../../src/submissions/submission-store.js';
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

  it('of several chunks, clipped to lines, keep all else that is said of these lines', () => {
    const of = (...lines: number[]) => lines.map((line) => ({ line, name: 'x', issues: [] }));
    const note = (message: string, ...lines: LineRun[]) => ({
      code: 'edit.already' as const,
      column: 'a',
      message,
      lines,
    });
    const first: LedgerChunk = {
      ...emptyChunk(2, 9),
      updated: [[2, 70, 8]],
      missing: [[3, 80, 2]],
      completed: [[4, 90, 1]],
      left: 2,
      seen: [
        [2, 5, 4],
        [6, 1, 4],
      ],
      becomePublic: [[2, 3]],
      notes: [note('early', [2, 2]), note('both', [3, 1], [8, 2])],
      warnings: of(3, 9),
    };
    const second: LedgerChunk = {
      ...emptyChunk(10, 19),
      updated: [[10, 500, 10]],
      missing: [[11, 200, 9]],
      completedOwn: [[12, 300, 1]],
      left: 3,
      seen: [[10, 2, 10]],
      becomePublic: [[10, 10]],
      createdPublic: [[19, 1]],
      notes: [note('late', [10, 10])],
      warnings: of(10, 19),
    };
    const versions = (runs: VersionRun[] = []) =>
      runs.flatMap(([line, version, count]) => Array.from({ length: count }, (_, at) => [line + at, version]));
    const lines = (runs: LineRun[] = []) =>
      runs.flatMap(([line, count]) => Array.from({ length: count }, (_, at) => line + at));
    const said = (clipped: LedgerChunk) => ({
      updated: expand(clipped.updated),
      missing: clipped.missing && expand(clipped.missing),
      completed: clipped.completed,
      completedOwn: clipped.completedOwn,
      left: clipped.left,
      seen: versions(clipped.seen),
      becomePublic: lines(clipped.becomePublic),
      createdPublic: clipped.createdPublic,
      notes: clipped.notes?.map(({ message, lines: kept }) => [message, ...lines(kept)]),
      warnings: clipped.warnings?.map(({ line }) => line),
    });
    const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
    expect(said(clipChunks([first, second], 4, 12))).toEqual({
      updated: [...upTo(4, 9).map((line) => [line, line + 68]), ...upTo(10, 12).map((line) => [line, line + 490])],
      missing: [
        [4, 81],
        [11, 200],
        [12, 201],
      ],
      completed: [[4, 90, 1]],
      completedOwn: [[12, 300, 1]],
      left: 5,
      seen: [
        ...upTo(4, 5).map((line) => [line, 5]),
        ...upTo(6, 9).map((line) => [line, 1]),
        ...upTo(10, 12).map((line) => [line, 2]),
      ],
      becomePublic: [4, ...upTo(10, 12)],
      createdPublic: undefined,
      notes: [
        ['both', 8, 9],
        ['late', 10, 11, 12],
      ],
      warnings: [9, 10],
    });
    const one = clipChunks([first], 2, 2);
    expect([one.seen, one.notes, one.warnings, one.becomePublic]).toEqual([
      [[2, 5, 1]],
      [note('early', [2, 1])],
      undefined,
      [[2, 1]],
    ]);
    const none = clipChunks([{ ...first, left: undefined as never, notes: [] }], 20, 30);
    expect(none).toEqual({ ...emptyChunk(20, 30), missing: [], completed: [], seen: [] });
  });
});

it('a ledger full of errors gives way to others while it is passed over, on a store that answers at once', async () => {
  const message = 'x'.repeat(400);
  const rejected = Array.from({ length: 2_500 }, (_, line) => ({
    line,
    name: `s${line}`,
    issues: [{ code: 'date.unreadable', severity: 'error', line, message }],
  }));
  const outcomes = JSON.stringify({ ...emptyChunk(0, 0), rejected });
  const chunks = Array.from({ length: 60 }, (_, at): StoredChunk => ({ from_line: at, to_line: at, outcomes }));
  const read = (from: number, limit: number) => chunks.slice(from, from + limit);
  let turns = 0;
  let ended = false;
  const others = (async () => {
    for (; !ended; turns++) await turn();
  })();
  let passed = 0;
  for await (const _ of ledgerFrom(0, read)) passed++;
  ended = true;
  await others;
  expect(passed).toBe(chunks.length);
  expect(turns).toBeGreaterThan(1);
});
