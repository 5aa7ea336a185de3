import { describe, expect, it } from 'vitest';
import { IndexSteps } from '../../src/wiring/index-steps.js';

describe('steps of the indexer', () => {
  it('are half as large after each that failed, and come later and later, within bounds', () => {
    const steps = new IndexSteps();
    const seen = Array.from({ length: 8 }, () => {
      steps.failed();
      return [steps.samples, steps.waitMs];
    });
    expect(seen).toEqual([
      [1024, 800],
      [512, 1600],
      [256, 3200],
      [128, 6400],
      [64, 6400],
      [32, 6400],
      [32, 6400],
      [32, 6400],
    ]);
  });

  it('are found again where only small ones end: most of them do', () => {
    const steps = new IndexSteps();
    let ended = 0;
    for (let n = 0; n < 1_000; n++) {
      if (steps.samples <= 300) {
        ended++;
        steps.worked();
      } else steps.failed();
    }
    expect(ended).toBeGreaterThan(600);
  });

  it('are whole again some time after they work, and soon looked for', () => {
    const steps = new IndexSteps();
    for (let n = 0; n < 20; n++) steps.failed();
    steps.worked();
    expect([steps.samples, steps.waitMs]).toEqual([96, 400]);
    for (let n = 0; n < 40; n++) steps.worked();
    expect(steps.samples).toBe(2048);
  });
});
