/** Two ways of doing the same, one after the other in turns, each with a service of its own: their time and their processors' time. */
import { median } from './figures.js';
import { childOf, cpuSeconds } from './processes.js';
import type { Service } from './service.js';
import { writeSheet } from './sheet.js';

/** Seconds from the 202 to COMPLETED; `cpu`: of all processes but the indexer's, from the first byte sent. */
export interface Cost {
  wall: number;
  cpu: number;
}

/** What one way costs beside the other: the medians of both, and of the ratios of the pairs. */
export interface Compared {
  first: Cost;
  second: Cost;
  ratio: Cost;
}

/** The first of a pair is the second of the next: what a machine's mood does falls on both. */
export async function inTurns(
  pairs: number,
  first: () => Promise<Cost>,
  second: () => Promise<Cost>,
): Promise<Compared> {
  const done: { first: Cost; second: Cost }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const early = pair % 2 === 0 ? await first() : await second();
    const late = pair % 2 === 0 ? await second() : await first();
    const both = pair % 2 === 0 ? { first: early, second: late } : { first: late, second: early };
    done.push(both);
    console.log(`${shown(both.first)}; ${shown(both.second)}`);
  }
  const of = (pick: (pair: (typeof done)[number], what: keyof Cost) => number): Cost => ({
    wall: median(done.map((pair) => pick(pair, 'wall'))),
    cpu: median(done.map((pair) => pick(pair, 'cpu'))),
  });
  return {
    first: of((pair, what) => pair.first[what]),
    second: of((pair, what) => pair.second[what]),
    ratio: of((pair, what) => pair.second[what] / pair.first[what]),
  };
}

const shown = ({ wall, cpu }: Cost): string => `${wall.toFixed(2)} s (${cpu.toFixed(2)} s of processor)`;

/** Of a file that goes in once, beside the indexer: its time on a processor is left out. */
export async function ingestCost(service: Service, file: string, query = ''): Promise<Cost> {
  // The worker is up, and its modules are loaded, once it has read a file as large ones are read.
  const tiny = `${service.folder}/tiny.tsv`;
  await writeSheet(tiny, { rows: 300, tag: 'tiny' });
  await service.completed((await service.upload(tiny)).id);
  await service.indexed();
  const indexer = childOf(service.pid, /workers[\\/]indexer/);
  const before = cpuSeconds(service.pid, [indexer]);
  const { id } = await service.upload(file, query);
  const begun = performance.now();
  await service.completed(id);
  const wall = (performance.now() - begun) / 1000;
  return { wall, cpu: cpuSeconds(service.pid, [indexer]) - before };
}
