/**
 * `npm run bench` prints the table and writes docs/performance.md; `-- --short` is the one-minute form that CI runs.
 * `-- --only=ingest,latency,…` picks parts and writes nothing.
 */
import { checkFigures } from './checks.js';
import { exportFigures } from './exporting.js';
import { type Figure, table } from './figures.js';
import { growthFigures } from './growth.js';
import { indexingFigures } from './indexing.js';
import { ingestFigures } from './ingest.js';
import { keyFigures } from './keys.js';
import { latencyFigures } from './latency.js';
import { memoryFigures } from './memory.js';
import { postgresFigures } from './postgres.js';
import { profileFigures } from './profiles.js';
import { writeReport } from './report.js';
import { standingFigures } from './standing.js';
import { storageFigures } from './storage.js';

const short = process.argv.includes('--short');
const only = process.argv
  .find((argument) => argument.startsWith('--only='))
  ?.slice(7)
  .split(',');

const PARTS: Record<string, () => Promise<Figure[]>> = {
  ingest: () => (short ? ingestFigures(40_000, 1) : ingestFigures(1_000_000, 5)),
  // Of files too short for the engine to have reached its stride these say nothing.
  memory: async () => (short ? [] : memoryFigures(2_000_000, 3)),
  storage: async () => (short ? [] : storageFigures(1_000_000, 5)),
  exporting: async () => (short ? [] : exportFigures(1_000_000, 5)),
  // Pairs in turns: one alone says nothing.
  indexing: async () => (short ? [] : indexingFigures(1_000_000, 5)),
  checks: async () => (short ? [] : [...(await checkFigures(200_000, 5)), ...(await checkFigures(1_000_000, 5))]),
  keys: async () => (short ? [] : keyFigures(1_000_000, 5)),
  profiles: async () => (short ? [] : profileFigures(1_000_000, 5)),
  standing: async () => (short ? [] : standingFigures(1_000_000, 5)),
  latency: () => latencyFigures(short),
  growth: async () => (short ? [] : growthFigures(20_000_000)),
  postgres: () => postgresFigures(short ? 30_000 : 1_000_000, short ? 1 : 5),
};

const figures: Figure[] = [];
for (const [name, part] of Object.entries(PARTS)) {
  if (only && !only.includes(name)) continue;
  console.log(`# ${name}`);
  const found = await part();
  figures.push(...found);
  console.log(table(found));
}
console.log(`\n${table(figures)}`);
if (!short && !only) writeReport(figures);
