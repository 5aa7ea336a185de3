/** A program: runs seeds until one goes wrong, and prints what was found as JSON. `node --import tsx hunt.ts FROM COUNT` */
import { Ground } from './ground.js';
import { planOf } from './plan.js';
import { run } from './run.js';

/** What a hunt prints. */
export interface Hunted {
  /** How many runs it took, or how many found nothing. */
  runs: number;
  /** Events of all runs, and of the shortest. */
  events: number;
  fewest: number;
  /** Registered in all runs. */
  samples: number;
  seed?: number;
  violations?: string[];
}

const [from = 1, count = 1] = process.argv.slice(2).map(Number);
const ground = await Ground.make();
const hunted: Hunted = { runs: 0, events: 0, fewest: Number.POSITIVE_INFINITY, samples: 0 };
for (let seed = from; seed < from + count && hunted.seed === undefined; seed++) {
  const { violations, events, samples } = await run(ground, planOf(seed));
  hunted.runs++;
  hunted.events += events;
  hunted.samples += samples;
  hunted.fewest = Math.min(hunted.fewest, events);
  if (violations.length > 0) Object.assign(hunted, { seed, violations: violations.slice(0, 3) });
}
ground.close();
console.log(JSON.stringify(hunted));
