/** Sets of slots while they are worked on: runs, masks, and what is taken out of one by another. */
import { describe, expect, it } from 'vitest';
import {
  addMask,
  addRun,
  addSlots,
  hasSlot,
  MASK_WORDS,
  packRuns,
  runsOf,
  SPAN,
  samplesIn,
  spanOf,
  within,
  without,
  wordsOf,
} from '../../../src/store/postings/slots.js';

const maskOf = (...runs: number[]): Uint32Array => {
  const mask = new Uint32Array(MASK_WORDS);
  for (let at = 0; at < runs.length; at += 2) addRun(mask, runs[at] as number, runs[at + 1] as number);
  return mask;
};
const LAST = SPAN - 1;

describe('the runs of a mask', () => {
  it.each([
    [[]],
    [[0, 0]],
    [[0, 31]],
    [[31, 31]],
    [[32, 32]],
    [[31, 32]],
    [[0, 63]],
    [[0, 95, 97, 97]],
    [[5, 5, 7, 9, 64, 128]],
    [[LAST, LAST]],
    [[0, LAST]],
    [[1, LAST - 1]],
    [[0, 0, LAST - 31, LAST]],
  ])('are those that were added, none empty and none in two: %j', (runs) => {
    const mask = maskOf(...runs);
    expect(runsOf(mask)).toEqual(runs);
    expect(runsOf(mask, wordsOf(mask))).toEqual(runs);
    let count = 0;
    for (let slot = 0; slot < SPAN; slot++) if (hasSlot(mask, slot)) count++;
    expect(samplesIn(runs)).toBe(count);
  });

  it('are those of some of its words alone', () => {
    const mask = maskOf(0, 40, 64, 200);
    expect(runsOf(mask, { from: 1, to: 3 })).toEqual([32, 40, 64, 95]);
    expect(runsOf(mask, { from: 2, to: 2 })).toEqual([]);
    expect(runsOf(maskOf(64, 64), { from: 0, to: 2 })).toEqual([]);
  });

  it('lie in the words from the first that has any to the last', () => {
    const boundsOf = (...runs: number[]) => Object.values(wordsOf(maskOf(...runs)));
    expect(boundsOf(70, 70)).toEqual([2, 3]);
    expect(boundsOf(31, 32, 640, 640)).toEqual([0, 21]);
    expect(boundsOf(LAST, LAST)).toEqual([MASK_WORDS - 1, MASK_WORDS]);
    expect(boundsOf(0, LAST)).toEqual([0, MASK_WORDS]);
    const { from, to } = wordsOf(maskOf());
    expect(from).toBe(to);
  });
});

describe('a mask', () => {
  it('loses what another has, keeps what another has, and says whether anything is left', () => {
    const left = maskOf(3, 70);
    expect(without(left, maskOf(10, 40))).toBe(true);
    expect(runsOf(left)).toEqual([3, 9, 41, 70]);
    expect(within(left, maskOf(0, 5, 60, LAST))).toBe(true);
    expect(runsOf(left)).toEqual([3, 5, 60, 70]);
    addMask(left, maskOf(LAST, LAST, 4, 6));
    expect(runsOf(left)).toEqual([3, 6, 60, 70, LAST, LAST]);
    const [one, other] = [maskOf(0, 40), maskOf(0, 40)];
    expect(without(one, maskOf(0, LAST))).toBe(false);
    expect(within(other, maskOf(41, LAST))).toBe(false);
    for (const mask of [one, other]) expect(runsOf(mask)).toEqual([]);
    for (const slot of [0, LAST]) {
      expect(without(maskOf(slot, slot), maskOf(1, 1))).toBe(true);
      expect(within(maskOf(slot, slot), maskOf(slot, slot))).toBe(true);
    }
  });

  it('is of one span', () => {
    expect([0, LAST, SPAN, 3 * SPAN + 7].map(spanOf)).toEqual([0, 0, 1, 3]);
  });
});

describe('a packed set', () => {
  const read = (packed: Uint8Array, from?: number, to?: number): number[] => {
    const mask = new Uint32Array(MASK_WORDS);
    addSlots(mask, packed, from, to);
    return runsOf(mask);
  };

  it.each([
    ['slots', [7, 7], 3],
    ['runs', [0, LAST], 5],
    ['by how much they rise', Array.from({ length: 1000 }, (_, at) => [at * 60, at * 60]).flat(), 1200],
    ['bits', Array.from({ length: SPAN / 2 }, (_, at) => [at * 2, at * 2]).flat(), 1 + SPAN / 8],
  ])('takes the shortest spelling, and is read where it stands among others: %s', (_, runs, most) => {
    const packed = packRuns(runs);
    expect(packed.length).toBeLessThanOrEqual(most);
    // As text: one comparison for each of thousands takes long.
    expect(String(read(packed))).toBe(String(runs));
    const among = new Uint8Array([9, 9, 9, ...packed, 255, 255, 255, 255]);
    expect(String(read(among, 3, 3 + packed.length))).toBe(String(runs));
  });

  it('has a slot once, however often its runs do', () => {
    const runs = Array.from({ length: 800 }, (_, at) => [at * 70, at * 70 + 1, at * 70 + 1, at * 70 + 2]).flat();
    expect(read(packRuns(runs))).toEqual(Array.from({ length: 800 }, (_, at) => [at * 70, at * 70 + 2]).flat());
  });
});
