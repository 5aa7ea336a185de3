/** Anybody may ask whether the service is ready, as often as they like; its parts are not asked as often. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type HealthChecks, Readiness } from '../../src/http/readiness.js';

let warned: object[] = [];
beforeEach(() => {
  warned = [];
});
const log = { warn: (fields: object, words?: string) => void warned.push({ ...fields, words }) };
const fine = async () => {};
const of = (checks: Partial<HealthChecks>) =>
  new Readiness({ store: fine, blobs: fine, queue: fine, index: fine, ...checks }, log);

describe('readiness', () => {
  it('asks each part once for all who ask at one time, and anew for who asks then', async () => {
    const asked: number[] = [];
    let isAway = false;
    const readiness = of({
      store: async () => {
        asked.push(performance.now());
        if (isAway) throw new Error('away');
      },
    });
    // What asks may stand still between its own look at the clock and the question: only from before the first the time is sure.
    const before = performance.now();
    const many = await Promise.all(Array.from({ length: 500 }, () => readiness.now()));
    expect(many.every(({ usable }) => usable)).toBe(true);
    expect(asked).toHaveLength(1);
    isAway = true;
    expect(await readiness.now()).toMatchObject({ usable: false, checks: { store: 'down', blobs: 'up' } });
    expect(warned).toEqual([{ part: 'store', reason: 'away', words: 'not ready' }]);
    isAway = false;
    expect((await readiness.now()).usable).toBe(true);
    expect(asked).toHaveLength(3);
    for (const at of [1, 2]) expect((asked[at] as number) - before).toBeGreaterThan(at * 249);
  });

  it('has one question of a part under way, however many ask while it lasts', async () => {
    let underWay = 0;
    let asked = 0;
    let answer = (): void => {};
    const readiness = of({
      blobs: async () => {
        asked++;
        expect(++underWay).toBe(1);
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        underWay--;
      },
    });
    const first = readiness.now();
    await expect.poll(() => asked).toBe(1);
    const others = Array.from({ length: 100 }, () => readiness.now());
    answer();
    expect((await first).usable).toBe(true);
    await expect.poll(() => asked).toBe(2);
    answer();
    expect((await Promise.all(others)).every(({ usable }) => usable)).toBe(true);
    expect(asked).toBe(2);
  });

  it('is not lost where only the queue or the index is away', async () => {
    const away = () => Promise.reject(new Error('away'));
    const { usable, checks } = await of({ queue: away, index: away }).now();
    expect({ usable, checks }).toEqual({
      usable: true,
      checks: { store: 'up', blobs: 'up', queue: 'down', index: 'down' },
    });
  });
});
