/** Long work in slices: how much of it is done before others have a turn. */
import { readFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { timeSlices } from '../../src/registry/time-slices.js';

const WORKS = 20;
const STEPS = 5;

/** Keeps the thread busy for so many milliseconds. */
function spend(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

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

  it('is one slice together for all that begins in one turn, however short each of it is', async () => {
    let done = 0;
    const work = async () => {
      const nextSlice = timeSlices(1);
      for (let step = 0; step < STEPS; step++) {
        await nextSlice();
        spend(1.5);
        done += 1;
      }
    };
    // Each as a request of its own, all of them in one turn.
    const all: Promise<void>[] = [];
    for (let at = 0; at < WORKS; at++) setImmediate(() => all.push(work()));
    const inTurns: number[] = [];
    while (done < WORKS * STEPS) {
      const before = done;
      await turn();
      inTurns.push(done - before);
    }
    await Promise.all(all);
    expect(Math.max(...inTurns)).toBe(1);
  });

  it('has a slice for what arrives while others wait', async () => {
    let isOver = false;
    const work = async () => {
      const nextSlice = timeSlices();
      while (!isOver) {
        await nextSlice();
        spend(30);
      }
    };
    const all: Promise<void>[] = [];
    for (let at = 0; at < 2; at++) setImmediate(() => all.push(work()));
    await turn();
    await turn();
    // As a request does, between two turns.
    await readFile(import.meta.filename);
    expect(timeSlices()()).toBeUndefined();
    isOver = true;
    await Promise.all(all);
  });

  it('waits for nobody before its slice is used up', () => {
    const nextSlice = timeSlices(60_000);
    expect(Array.from({ length: 1_000 }, () => nextSlice()).every((waited) => waited === undefined)).toBe(true);
  });
});
