/** Runs by the thousand, in as many processes as there are cores. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { ROOT } from '../support/output.js';
import type { Hunted } from './hunt.js';

/** Of the part of the heap for new objects, MiB: with 1, as Node has it, a tenth more of the processor's time. */
const SEMI_SPACE = 16;

/** Seeds that one process takes; starting it costs as much as 50 runs. */
const SEEDS_AT_ONCE = 1000;

/** Seeds `from` on, until one goes wrong: what was found of it stands in the answer. */
export async function runMany(from: number, count: number): Promise<Hunted> {
  const all: Hunted = { runs: 0, events: 0, fewest: Number.POSITIVE_INFINITY, samples: 0 };
  let next = from;
  const take = async (): Promise<void> => {
    while (next < from + count && all.seed === undefined) {
      const first = next;
      next += Math.min(SEEDS_AT_ONCE, from + count - first);
      const { runs, events, fewest, samples, ...found } = await hunt(first, next - first);
      all.runs += runs;
      all.events += events;
      all.samples += samples;
      all.fewest = Math.min(all.fewest, fewest);
      Object.assign(all, found);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, take));
  return all;
}

async function hunt(from: number, count: number): Promise<Hunted> {
  const words = [
    `--max-semi-space-size=${SEMI_SPACE}`,
    '--import',
    'tsx',
    'test/simulation/hunt.ts',
    String(from),
    String(count),
  ];
  const program = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, complaints] = await Promise.all([text(program.stdout), text(program.stderr)]);
  return huntedIn(printed, complaints);
}

/** @throws what the program complained of, when it has not come to its end */
export function huntedIn(printed: string, complaints: string): Hunted {
  const line = printed.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(`The hunt has not come to its end: ${complaints.slice(-1500)}`);
  return JSON.parse(line) as Hunted;
}
