/** One run: a site, its clients and what strikes it, from a plan; then everything that may never happen is looked for. */

import type { Store } from '../../src/store/store.js';
import type { UploadOptions } from '../../src/submissions/submission.js';
import { checkCurations } from './checks/check-curations.js';
import { checkData } from './checks/check-data.js';
import { checkEdits } from './checks/check-edits.js';
import { checkEnd } from './checks/check-end.js';
import { checkFeed } from './checks/check-feed.js';
import { checkHistory, writtenIn } from './checks/check-history.js';
import { checkKeys } from './checks/check-keys.js';
import { checkOpen } from './checks/check-open.js';
import { checkWebhooks } from './checks/check-webhooks.js';
import { Client } from './clients/clients.js';
import { Disk } from './disk.js';
import { Faults } from './faults.js';
import type { Ground } from './ground.js';
import { History } from './history.js';
import { runOn } from './machine.js';
import type { FaultKind, Plan } from './plan.js';
import { type Planted, PREFIX, Site } from './processes.js';
import { allSubmissions, Watcher } from './watcher.js';
import { World } from './world.js';

const WORKERS = 3;
const LEAST_EVENTS = 200;
/** More than any run of a site that works has needed, by ten times. */
const MOST_EVENTS = 60_000;

/** After which a worker may lose its claim to another. */
const TAKES_CLAIMS: FaultKind[] = [
  'kill',
  'freeze',
  'storeIsAway',
  'storeLosesAnswer',
  'storeIsFull',
  'clock',
  'clockOfOne',
  'powerCut',
];

export interface Outcome {
  plan: Plan;
  /** What was found wrong; empty when all is well. */
  violations: string[];
  events: number;
  /** That there are at the end. */
  samples: number;
  /** The timeline: a line for each event that says something. */
  lines: string[];
}

export async function run(ground: Ground, plan: Plan, planted: Planted = {}): Promise<Outcome> {
  const world = new World(plan.seed);
  const store = ground.newStore();
  const openStore = (now: () => number): Promise<Store> => ground.open(store, now);
  const disk = new Disk(world, '/blobs');
  const withWebhooks = plan.clients.some((steps) => steps.some(({ kind }) => kind === 'subscribe'));
  const site = new Site(world, { openStore, blobs: '/blobs' }, planted, { workers: WORKERS, withWebhooks });
  const history = new History();
  const restore = runOn(world, disk);
  const violations: string[] = [];
  let samples = 0;
  try {
    for (const name of site.names) site.start(name);
    const clients = plan.clients.map((steps, at) => new Client(world, site, history, at + 1, steps, plan.seed));
    for (const client of clients) client.start();
    const faults = new Faults(world, site, disk, plan.faults);
    if (!(await world.run(() => world.happened >= LEAST_EVENTS && clients.every(({ ended }) => ended), MOST_EVENTS))) {
      violations.push('The clients have not come to their end.');
    }
    faults.calm();
    world.note('*', 'nothing strikes any more');
    const watcher = new Watcher(world, openStore, withWebhooks);
    const end = await watcher.atRest(MOST_EVENTS);
    for (const life of site.lives.values()) world.end(life);
    violations.push(...site.claims.faults);
    if ('waiting' in end) violations.push(...end.waiting);
    else {
      violations.push(...(await watcher.ask((parts) => checkEnd(parts, history))));
      if (!plan.faults.some(({ kind }) => TAKES_CLAIMS.includes(kind))) {
        violations.push(...site.claims.takenOver.map((what) => `Nothing was wrong with any worker, and ${what}.`));
      }
      const written = await watcher.ask(({ store }) => writtenIn(store, PREFIX));
      samples = written.length;
      const submissions = await watcher.ask(({ store }) => allSubmissions(store));
      const following = (of: (options: UploadOptions) => string | undefined): Map<string, string> =>
        new Map(
          submissions.flatMap(({ id, options }) => (of(options) === undefined ? [] : [[id, of(options) as string]])),
        );
      const undone = following(({ undoOf }) => undoOf);
      const committed = following(({ commitOf }) => commitOf?.submissionId);
      violations.push(...checkHistory(history, written, { undone, committed }));
      violations.push(...(await watcher.ask((parts) => checkCurations(parts, history))));
      violations.push(...(await watcher.ask((parts) => checkFeed(parts, history))));
      violations.push(...(await watcher.ask((parts) => checkData(parts, history))));
      const { taken } = site.receivers;
      violations.push(...(await watcher.ask((parts) => checkWebhooks(parts, submissions, history, taken))));
      violations.push(...checkEdits(submissions, history, written));
      violations.push(...(await watcher.ask((parts) => checkKeys(parts, submissions, history, written))));
      violations.push(...(await watcher.ask(({ store }) => checkOpen(store, submissions, history, written))));
    }
    watcher.close();
  } catch (error) {
    violations.push(`The run broke off: ${(error as Error).stack}`);
  } finally {
    for (const life of site.lives.values()) world.end(life);
    restore();
  }
  return { plan, violations, events: world.happened, samples, lines: world.lines };
}
