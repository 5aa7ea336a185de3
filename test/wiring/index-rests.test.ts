/** The index leaves the processors to the registering of a large file, within bounds, and looks again soon. */
import { describe, expect, it } from 'vitest';
import { IndexRests, LONGEST_REST_MS } from '../../src/wiring/index-rests.js';

/** `ends`: after so many milliseconds of waiting no large file is at work any more. */
function restingUntil(ends: number) {
  const clock = { waited: 0, looks: 0, ends };
  const rests = new IndexRests({
    isRegistering: async () => {
      clock.looks++;
      return clock.waited < clock.ends;
    },
    wait: async (ms) => {
      clock.waited += ms;
    },
  });
  return { clock, rests };
}

describe('the index, after a step', () => {
  it('goes on at once where no large file is registered', async () => {
    const { clock, rests } = restingUntil(0);
    for (let step = 0; step < 10; step++) await rests.after(100);
    expect(clock).toMatchObject({ waited: 0, looks: 10 });
  });

  it('rests four times as long where one is, and no longer than that goes on', async () => {
    const { clock, rests } = restingUntil(1_000);
    for (const ms of [100, 7, 0]) await rests.after(ms);
    expect(clock.waited).toBe(4 * 107);
    for (let step = 0; step < 10; step++) await rests.after(100);
    expect(clock.waited).toBeGreaterThanOrEqual(1_000);
    expect(clock.waited).toBeLessThan(1_050);
  });

  it('is not held up for ever by one large file after the other, and rests again after all of them', async () => {
    const { clock, rests } = restingUntil(Number.POSITIVE_INFINITY);
    for (let step = 0; step < 1_000; step++) await rests.after(100);
    expect(clock.waited).toBe(LONGEST_REST_MS);
    clock.ends = 0;
    await rests.after(100);
    clock.ends = Number.POSITIVE_INFINITY;
    await rests.after(100);
    expect(clock.waited).toBe(LONGEST_REST_MS + 400);
  });
});
