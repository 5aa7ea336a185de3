import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_WORDS, ID_BLOCK, IdSet } from '../../../src/registry/search/id-set.js';
import '../../support/seeds.js';

const ids = fc.array(fc.oneof(fc.nat(70), fc.nat(140_000), fc.nat(2 ** 40)), { maxLength: 40 });
const setOf = (numbers: readonly number[]): IdSet => {
  const set = new IdSet();
  for (const id of numbers) set.add(id);
  return set;
};
const ascending = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);

describe('a set of accession numbers', () => {
  it('holds what was added, once, whatever the numbers and their order', () => {
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 7 }), (numbers, count) => {
        const set = setOf(numbers);
        const wanted = ascending(numbers);
        expect(set.size).toBe(wanted.length);
        const runs = [...set.runs(count)];
        expect(runs.flat()).toEqual(wanted);
        expect(runs.slice(0, -1).every((run) => run.length === count)).toBe(true);
        expect(runs.every((run) => run.length > 0 && run.length <= count)).toBe(true);
        for (const id of wanted) {
          expect(set.has(id)).toBe(true);
          expect(set.has(id + 1)).toBe(wanted.includes(id + 1));
        }
      }),
    );
  });

  it('is the same after its blocks went to another', () => {
    const numbers = [0, 31, 32, 1023, 1024, 65_535, 65_536, 131_071];
    const set = setOf(numbers);
    const copy = new IdSet();
    for (const block of new Set(numbers.map((id) => Math.floor(id / ID_BLOCK)))) {
      const words = set.words(block) as Uint32Array;
      expect(words).toHaveLength(BLOCK_WORDS);
      copy.addWords(block, words);
    }
    expect([...copy.runs(100)]).toEqual([numbers]);
    expect(set.words(200)).toBeUndefined();
    expect([set.has(2 ** 40), new IdSet().has(0)]).toEqual([false, false]);
  });

  it('is written as bytes from number 0 on, the lowest bit of each first', () => {
    expect(new IdSet().bytes()).toHaveLength(0);
    const bytes = setOf([0, 9, 31, 65_536]).bytes();
    expect(bytes).toHaveLength(2 * 8192);
    expect([...bytes.subarray(0, 4)]).toEqual([1, 2, 0, 128]);
    expect(bytes[8192]).toBe(1);
    expect(bytes.reduce((sum, byte) => sum + byte)).toBe(1 + 2 + 128 + 1);
  });
});
