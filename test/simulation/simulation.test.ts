/** The site as a whole, simulated (docs/simulation.md): thousands of runs, each of which its seed makes again. */
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROOF } from '../support/proof.js';
import { Ground } from './ground.js';
import type { Hunted } from './hunt.js';
import { KEPT } from './kept.js';
import { runMany } from './many-runs.js';
import { planOf } from './plan.js';
import { type Outcome, run } from './run.js';
import { shrink, sizeOf } from './shrink.js';

/** The same ones on every machine; with the other tests of this folder they take 10 s of its processor. */
const NEAR_RUNS = 15;
/** More than those, in processes of their own. */
const RUNS = Number(process.env.SIMULATED_RUNS ?? (PROOF ? 100_000 : 0));
const FIRST_SEED = 1;
const LONGEST_MS = 6 * 3_600_000;

let ground: Ground;
beforeAll(async () => {
  ground = await Ground.make();
});
afterAll(() => ground.close());

/** Says what happened in the smallest run that still goes wrong. */
async function expectWell(outcome: Outcome): Promise<void> {
  if (outcome.violations.length === 0) return;
  const smallest = await shrink(outcome.plan, async (plan) => (await run(ground, plan)).violations.length > 0);
  const { violations, lines } = await run(ground, smallest);
  const report = [
    `Seed ${outcome.plan.seed}: ${outcome.violations.join('\n')}`,
    `Made smaller, from ${sizeOf(outcome.plan)} steps and faults to ${sizeOf(smallest)}: ${JSON.stringify(smallest)}`,
    ...lines,
    ...violations,
  ];
  expect.fail(report.join('\n'));
}

type Counted = Pick<Hunted, 'runs' | 'events' | 'fewest' | 'samples'>;

async function nearRuns(): Promise<Counted> {
  const counted = { runs: 0, events: 0, fewest: Number.POSITIVE_INFINITY, samples: 0 };
  for (let seed = FIRST_SEED; counted.runs < NEAR_RUNS; seed++) {
    const outcome = await run(ground, planOf(seed));
    await expectWell(outcome);
    counted.runs++;
    counted.events += outcome.events;
    counted.samples += outcome.samples;
    counted.fewest = Math.min(counted.fewest, outcome.events);
  }
  return counted;
}

async function farRuns(): Promise<Counted> {
  const hunted = await runMany(FIRST_SEED, RUNS);
  if (hunted.seed === undefined) return hunted;
  await expectWell(await run(ground, planOf(hunted.seed)));
  return expect.fail(`Seed ${hunted.seed} goes wrong in a process of its own only: ${hunted.violations?.join('\n')}`);
}

async function timeline(seed: number): Promise<string> {
  const { lines, events } = await run(ground, planOf(seed));
  // Another process has another one.
  expect(lines.filter((line) => line.includes(`_${process.pid}_`))).toEqual([]);
  return createHash('sha256')
    .update(`${events}\n${lines.join('\n')}`)
    .digest('hex');
}

describe('a simulated site', () => {
  it('does what a seed says, to the letter', async () => {
    for (const seed of [1, 2, 21]) expect(await timeline(seed), `seed ${seed}`).toBe(await timeline(seed));
    expect(await timeline(1)).not.toBe(await timeline(2));
  });

  it('does so whatever else its process is busy with', async () => {
    const alone = await timeline(1);
    let rounds = 0;
    const busy = setInterval(() => {
      rounds++;
      setTimeout(() => undefined, 1);
      setImmediate(() => randomBytes(1));
    }, 1);
    const beside = await timeline(1);
    clearInterval(busy);
    expect(rounds).toBeGreaterThan(10);
    expect(beside).toBe(alone);
  });

  it.each(KEPT)('goes well where it once went wrong: $what', async ({ plan, seed }) => {
    await expectWell(await run(ground, plan ?? planOf(seed)));
  });

  it(
    'never does what may never happen',
    async () => {
      const begun = performance.now();
      const { runs, events, fewest, samples } = await (RUNS > 0 ? farRuns() : nearRuns());
      const seconds = (performance.now() - begun) / 1000;
      console.log(
        `${runs} runs in ${seconds.toFixed(0)} s, ${Math.round(events / runs)} events each, at least ${fewest}`,
      );
      expect(fewest).toBeGreaterThanOrEqual(200);
      // Where every upload fails, nothing goes wrong either.
      expect(samples).toBeGreaterThan(runs);
      expect(runs).toBeGreaterThanOrEqual(RUNS);
    },
    LONGEST_MS,
  );
});
