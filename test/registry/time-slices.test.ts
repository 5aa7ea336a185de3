/** Long work in slices: how much of it is done before others have a turn. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { timeSlices } from '../../src/registry/time-slices.js';

const WORKS = 20;
const STEPS = 5;

describe('long work in slices', () => {
  it('is one slice in each turn of the event loop, however much of it goes on, and each has as many turns', async () => {
    const done: number[] = [];
    const work = async (which: number) => {
      const nextSlice = timeSlices(0);
      for (let step = 0; step < STEPS; step++) {
        await nextSlice();
        done.push(which);
      }
    };
    const all = Promise.all(Array.from({ length: WORKS }, (_, at) => work(at)));
    const inTurns: number[] = [];
    while (done.length < WORKS * STEPS) {
      const before = done.length;
      await turn();
      inTurns.push(done.length - before);
    }
    await all;
    expect(Math.max(...inTurns)).toBe(1);
    const inOrder = Array.from({ length: WORKS }, (_, at) => at);
    expect(done).toEqual(Array.from({ length: STEPS }, () => inOrder).flat());
  });

  it('waits for nobody before its slice is used up', () => {
    const nextSlice = timeSlices(60_000);
    expect(Array.from({ length: 1_000 }, () => nextSlice()).every((waited) => waited === undefined)).toBe(true);
  });
});
