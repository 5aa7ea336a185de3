/** Turns of accounts in the search index: each change once, in its account's order, and nobody behind a whole backlog. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inTurns, type Turned, takenOf, takeStep, type Waiting } from '../../src/store/index-turns.js';
import '../support/seeds.js';

const waiting = fc
  .array(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }), { maxLength: 6 })
  .map((accounts): Waiting[] => {
    let first = 1;
    return accounts.map((counts, account) => ({
      account,
      rows: counts.map((count, at) => {
        first += count;
        return { seq: account * 100 + at, first: first - count, count };
      }),
    }));
  });

const all = (from: readonly Waiting[], bytesOf: (id: number) => number): Turned[] => {
  const turns = inTurns(from);
  const taken: Turned[] = [];
  for (let next = turns.next(); !next.done; next = turns.next(bytesOf(next.value.id))) taken.push(next.value);
  return taken;
};

describe('turns in the index', () => {
  it('take each change once, in the order of its account', () => {
    fc.assert(
      fc.property(waiting, fc.integer({ min: 0, max: 80_000 }), (from, bytes) => {
        const taken = all(from, () => bytes);
        for (const { account, rows } of from) {
          const ids = rows.flatMap(({ first, count }) => Array.from({ length: count }, (_, at) => first + at));
          expect(taken.filter((one) => one.account === account).map(({ id }) => id)).toEqual(ids);
        }
        expect(takenOf(taken)).toEqual(
          new Map(from.flatMap(({ rows }) => rows.map(({ seq, count }) => [seq, count] as const))),
        );
      }),
    );
  });

  it('let nobody wait for more than one turn of each other account, in samples and in bytes', () => {
    const small = { account: 2, rows: [{ seq: 9, first: 100_000, count: 60 }] };
    for (const bytes of [10, 30_000, 900_000]) {
      const large = [1, 3, 4].map((account) => ({
        account,
        rows: [{ seq: account, first: account * 1000, count: 900 }],
      }));
      const taken = all([...large, small], (id) => (id < 100_000 ? bytes : 10));
      const before = taken
        .slice(
          0,
          taken.findIndex(({ id }) => id === 100_059),
        )
        .filter(({ id }) => id < 100_000);
      expect(before.length).toBe(3 * 3 * Math.min(20, Math.ceil(50_000 / bytes)));
    }
  });

  it('end a step at its bounds, after one sample at least, and take a sample that changed twice once', () => {
    const rows = [
      { seq: 1, first: 1, count: 3 },
      { seq: 2, first: 2, count: 3 },
    ];
    const step = (limit: number, bytes: number, isOver = false) => {
      const ids: number[] = [];
      const bounds = { limit, bytesOf: () => bytes, take: (id: number) => ids.push(id), isOver: () => isOver };
      return { done: takeStep(inTurns([{ account: 1, rows }]), bounds).length, ids };
    };
    expect(step(10, 1)).toEqual({ done: 6, ids: [1, 2, 3, 4] });
    expect(step(3, 1)).toEqual({ done: 5, ids: [1, 2, 3] });
    expect(step(10, 400_000)).toEqual({ done: 2, ids: [1, 2] });
    expect(step(10, 5_000_000)).toEqual({ done: 1, ids: [1] });
    expect(step(10, 1, true)).toEqual({ done: 1, ids: [1] });
  });
});
