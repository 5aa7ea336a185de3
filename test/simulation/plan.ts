/** What is to happen in a run, made from its seed: data, so that a failing run can be made smaller. */
import { Random } from '../support/random.js';
import { PLOTS, type Plot } from './plots.js';
import { ABOUT_DATA, STEPS, type StepKind } from './steps.js';

/** One request of a client. `pick` chooses among what the client knows by then. */
export interface Step {
  kind: StepKind;
  pick: number;
  /** Milliseconds that the client waits before. */
  pause: number;
}

export const FAULTS = [
  'kill',
  'kill',
  'kill',
  'freeze',
  'freeze',
  'storeIsAway',
  'storeLosesAnswer',
  'storeIsFull',
  'diskFails',
  'diskLosesAnswer',
  'diskIsFull',
  'slow',
  'slow',
  'clock',
  'clockOfOne',
  'ringsLost',
  'ringsTwice',
  'powerCut',
] as const;
export type FaultKind = (typeof FAULTS)[number];

export interface Fault {
  kind: FaultKind;
  /** Before the event of this number. */
  before: number;
  /** Which process. */
  pick: number;
  /** How long or how many, from 0 to 1. */
  size: number;
}

export interface Plan {
  seed: number;
  clients: Step[][];
  faults: Fault[];
}

/** Faults strike while there is something to be hit: most of a run's events are over by then. */
const FAULTS_UNTIL = 350;

/** Share of the plans that follow a plot. */
const PLOTTED = 0.4;

/** Among the processes of a site. */
const SECOND_SERVER_AT = 5;

/** Of those whose clients ask to be called, and attach structured data, besides. */
const SUBSCRIBED = 0.15;
const WITH_DATA = 0.15;

/** A few kinds only: what is rare among all of them meets itself there. */
function someOf<T>(random: Random, all: readonly T[], most: number): T[] {
  return Array.from({ length: 1 + random.below(most) }, () => random.pick(all));
}

export function planOf(seed: number): Plan {
  const random = new Random(seed ^ 0x2545f491);
  const plot = random.chance(PLOTTED) ? random.pick(PLOTS) : undefined;
  const clients = plot ? clientsOf(plot, random) : anyClients(random);
  const faults = anyFaults(plot, random);
  if (plot) faults.push(...faultsOf(plot, random));
  if (random.chance(SUBSCRIBED)) faults.push(...subscribe(clients, random));
  if (random.chance(WITH_DATA)) attachData(clients, random);
  return { seed, clients, faults: faults.sort((a, b) => a.before - b.before) };
}

/** Half of the plots go on undisturbed by these. */
function anyFaults(plot: Plot | undefined, random: Random): Fault[] {
  const struck = someOf(random, FAULTS, 3);
  return Array.from({ length: plot && random.chance(0.5) ? 0 : random.below(7) }, () => ({
    kind: random.pick(struck),
    before: random.below(FAULTS_UNTIL),
    pick: random.below(1000),
    size: random.next(),
  }));
}

/** Those that belong to the plot. */
function faultsOf({ slow = [], losing = [] }: Plot, random: Random): Fault[] {
  return [
    ...slow.map((pick): Fault => ({ kind: 'slow', before: random.below(60), pick, size: 0 })),
    // When the workers have started, and mostly before they read the first file.
    ...losing.map(
      (pick): Fault => ({ kind: 'diskLosesAnswer', before: 45 + random.below(60), pick, size: random.next() }),
    ),
  ];
}

/** Some clients ask to be called, and some to be called again; what is answered may strike the server that calls them. */
function subscribe(clients: readonly Step[][], random: Random): Fault[] {
  for (const steps of clients.slice(0, 1 + random.below(2))) addTo(steps, 'subscribe', 0, random);
  for (const steps of clients) if (random.chance(0.4)) addTo(steps, 'redeliver', steps.length, random);
  if (!random.chance(0.4)) return [];
  // For longer than a message is left to it, with one on its way.
  const before = 60 + random.below(240);
  return [{ kind: 'freeze', before, pick: SECOND_SERVER_AT, size: 0.6 + random.next() * 0.4 }];
}

function attachData(clients: readonly Step[][], random: Random): void {
  for (let times = 2 + random.below(6); times > 0; times--) {
    const steps = random.pick(clients);
    addTo(steps, random.pick(ABOUT_DATA), 1 + random.below(steps.length), random);
  }
}

const addTo = (steps: Step[], kind: StepKind, at: number, random: Random): void =>
  void steps.splice(at, 0, { kind, pick: random.below(1000), pause: random.below(60) });

function anyClients(random: Random): Step[][] {
  const kinds = someOf(random, STEPS, 6);
  if (kinds.includes('commit')) kinds.push('dryRun');
  return Array.from({ length: 2 + random.below(2) }, () => [
    { kind: 'upload' as const, pick: random.below(1000), pause: random.below(30) },
    ...Array.from({ length: 2 + random.below(3) }, () => ({
      kind: random.pick(kinds),
      pick: random.below(1000),
      pause: random.chance(0.8) ? random.below(20) : random.below(4000),
    })),
  ]);
}

/** All at once, or one client some way behind the others. */
function clientsOf({ clients, pauses = 8 }: Plot, random: Random): Step[][] {
  const first = random.below(2);
  return clients.map((steps) => {
    const behind = random.chance(0.5) ? 0 : random.below(400);
    return steps.map(([kind, pick = first], at) => ({
      kind,
      pick,
      pause: (at === 1 ? behind : 0) + random.below(pauses),
    }));
  });
}
