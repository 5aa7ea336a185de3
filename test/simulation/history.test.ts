/** The checker of histories bites: what a broken store answers is noticed by what clients saw, and by that alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SampleRecord } from '../../src/registry/samples/sample-store.js';
import { PROOF } from '../support/proof.js';
import { Ground } from './ground.js';
import type { Plan, Step } from './plan.js';
import type { Planted, Ports } from './processes.js';
import { run } from './run.js';
import type { StepKind } from './steps.js';

let ground: Ground;
beforeAll(async () => {
  ground = await Ground.make();
});
afterAll(() => ground.close());

/** Of a few runs the first ones find what is planted. */
const MOST = PROOF ? 20 : 8;

const steps = (...kinds: StepKind[]): Step[] => kinds.map((kind) => ({ kind, pick: 0, pause: 0 }));

/** What is found in the first of a few runs that finds something. */
async function findIn(clients: Step[][], planted: Planted): Promise<string[]> {
  for (let seed = 1; seed <= MOST; seed++) {
    const plan: Plan = { seed, clients, faults: [] };
    const { violations } = await run(ground, plan, planted);
    if (violations.length > 0) return violations;
  }
  return [];
}

const server = (change: (ports: Ports) => Partial<Ports['store']>): Planted => ({
  ports: (ports, life) => (life.name === 'server' ? { ...ports, store: { ...ports.store, ...change(ports) } } : ports),
});

/** Both register the same sheet and then write the same sample, each under the condition that it is as they saw it. */
const RACE = [
  steps('upload', 'read', 'replaceMatching', 'read', 'replaceMatching'),
  steps('upload', 'read', 'replaceMatching', 'read', 'replaceMatching'),
];

describe('the history of a site', () => {
  it('is explained where nothing is broken', async () => {
    expect(await findIn(RACE, {})).toEqual([]);
  });

  it('shows a lost update', async () => {
    const decidedBefore = server(({ store }) => ({
      updateSample: async (id, decide) => {
        const before = (await store.readSample(id)) as SampleRecord;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return store.updateSample(id, () => decide(before));
      },
    }));
    expect((await findIn(RACE, decidedBefore)).join('\n')).toMatch(
      /it overwrote version \d+ and demanded what version \d+ has/,
    );
  });

  it('shows a stale read after a write', async () => {
    const remembered = server(({ store }) => {
      const known = new Map<number, SampleRecord | undefined>();
      return {
        readSample: async (id) => {
          if (!known.has(id)) known.set(id, await store.readSample(id));
          return known.get(id);
        },
      };
    });
    const found = await findIn([steps('create', 'read', 'replace', 'read')], remembered);
    expect(found.join('\n')).toMatch(/version 2 had been answered before/);
  });

  it('shows a commit that was carried out twice', async () => {
    const forgotten = server(({ store }) => ({
      accept: (draft, rule) => {
        const { commitOf, ...options } = draft.options;
        const again = commitOf ? { ...options, duplicate: 'allow' as const } : draft.options;
        return store.accept({ ...draft, options: again }, rule);
      },
    }));
    const found = await findIn([steps('dryRun', 'commit', 'commit')], forgotten);
    expect(found.join('\n')).toMatch(/The commit of .* is 2 submissions/);
  });
});
