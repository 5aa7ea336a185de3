/** Long work in slices: how much of it is done before others have a turn. */
import { readFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { connectionCame, goOnInTurn, othersGoFirst, timeSlices } from '../../src/registry/time-slices.js';

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

describe('requests in turns by the time that their callers use', () => {
  const realNow = performance.now;
  afterEach(async () => {
    await turn();
    await turn();
    performance.now = realNow;
  });

  /** A clock that goes on only where work says so. */
  function stoppedClock(): (ms: number) => void {
    let now = 1_000_000;
    performance.now = () => now;
    return (ms) => {
      now += ms;
    };
  }

  const here = () => false;

  it('lets a caller of cheap ones have as much time as one of dear ones, not as many turns', async () => {
    const work = stoppedClock();
    const done: string[] = [];
    const step = async (who: string, ms: number) => {
      await goOnInTurn(who, here);
      work(ms);
      done.push(who);
    };
    const dear = Array.from({ length: 5 }, () => step('dear', 50));
    const cheap = Array.from({ length: 100 }, () => step('cheap', 1));
    await Promise.all([...dear, ...cheap]);
    expect(done.slice(0, 53)).toEqual(['dear', ...Array(50).fill('cheap'), 'dear', 'cheap']);
  });

  it('gives no caller time for having come later', async () => {
    const work = stoppedClock();
    const done: string[] = [];
    let second: Promise<void> | undefined;
    const goOn = async (who: string, turns: number) => {
      for (let at = 0; at < turns; at++) {
        await goOnInTurn(who, here);
        work(30);
        done.push(who);
        if (who === 'first' && at === 9) second = goOn('second', 10);
      }
    };
    await Promise.all([goOn('first', 20), goOn('third', 20)]);
    await second;
    // Ten turns of each of the two before; then one for each of the three.
    expect(done.slice(21, 30).filter((who) => who === 'second')).toHaveLength(3);
  });

  it('ends the turn of the event loop once a slice is used, and lets those that arrive wait while others do', async () => {
    const work = stoppedClock();
    expect(othersGoFirst()).toBe(false);
    let done = 0;
    const steps = Array.from({ length: 9 }, async () => {
      await goOnInTurn('one', here);
      work(8);
      done++;
    });
    expect(othersGoFirst()).toBe(true);
    const inTurns: number[] = [];
    while (done < 9) {
      const before = done;
      await turn();
      inTurns.push(done - before);
    }
    await Promise.all(steps);
    expect(inTurns.filter((of) => of > 0)).toEqual([3, 3, 3]);
    await turn();
    expect(othersGoFirst()).toBe(false);
  });

  it('takes no turn for whoever has left, and no more than a thousand of one caller', async () => {
    const work = stoppedClock();
    let isGone = false;
    const took: number[] = [];
    const steps = Array.from({ length: 1_000 }, async (_, at) => {
      const began = await goOnInTurn('one', () => isGone);
      if (!isGone) work(30);
      took.push(at);
      return began;
    });
    expect(await goOnInTurn('one', here)).toBe(false);
    const other = goOnInTurn('other', here);
    await turn();
    isGone = true;
    expect(await other).toBe(true);
    await turn();
    expect(took).toHaveLength(1_000);
    expect(new Set(await Promise.all(steps))).toEqual(new Set([true]));
  });

  it('looks for who else has come before a turn, for no longer than the last one took', async () => {
    const work = stoppedClock();
    let done = 0;
    const steps = Array.from({ length: 3 }, async () => {
      await goOnInTurn('one', here);
      work(30);
      done++;
    });
    const turns = async (count: number, onTurn: () => void) => {
      for (let at = 0; at < count; at++) {
        onTurn();
        await turn();
      }
    };
    await turns(1, () => undefined);
    expect(done).toBe(1);
    // A connection in every turn, in each of which 1 ms goes by.
    await turns(20, () => {
      connectionCame();
      work(1);
    });
    expect(done).toBe(1);
    await turns(20, () => {
      connectionCame();
      work(1);
    });
    expect(done).toBe(2);
    await turns(2, () => undefined);
    await Promise.all(steps);
    expect(done).toBe(3);
  });
});
