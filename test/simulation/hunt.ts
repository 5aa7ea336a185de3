/** A program: runs seeds until one goes wrong, and prints what was found as JSON. `node --import tsx hunt.ts FROM COUNT` */
import { Ground } from './ground.js';
import { planOf } from './plan.js';
import { run } from './run.js';

const [from = 1, count = 1] = process.argv.slice(2).map(Number);
const ground = await Ground.make();
let found: { seed: number; runs: number; violations: string[] } | undefined;
for (let seed = from; seed < from + count && !found; seed++) {
  const { violations } = await run(ground, planOf(seed));
  if (violations.length > 0) found = { seed, runs: seed - from + 1, violations: violations.slice(0, 3) };
}
ground.close();
console.log(JSON.stringify(found ?? { runs: count }));
