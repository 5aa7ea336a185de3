/** PostgreSQL and BullMQ beside `\copy`, when addresses of both are given (npm run bench starts throwaway ones). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, median, seconds, times } from './figures.js';
import { PSQL_COPY, psqlCopy } from './peers.js';
import { Service } from './service.js';
import { writeSheet } from './sheet.js';

export async function postgresFigures(rows: number, rounds: number): Promise<Figure[]> {
  const store = process.env.TEST_POSTGRES_URL;
  const queue = process.env.TEST_REDIS_URL;
  if (!store || !queue) {
    console.log('no PostgreSQL or Redis to measure with: set TEST_POSTGRES_URL and TEST_REDIS_URL');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  const file = join(folder, 'plain.tsv');
  await writeSheet(file, { rows });
  const service = await Service.start({ STORE_URL: store, QUEUE_URL: queue });
  const floors: number[] = [];
  const ours: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      floors.push(psqlCopy(store, file, 15));
      const { id } = await service.upload(file, '?duplicate=allow');
      const begun = performance.now();
      await service.completed(id);
      ours.push(performance.now() - begun);
    }
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const ratio = median(ours.map((ms, round) => ms / (floors[round] as number)));
  const floor = seconds(median(floors));
  return [
    {
      what: `PostgreSQL + BullMQ, ${rows.toLocaleString('en')} rows from 202 to COMPLETED, beside \`${PSQL_COPY}\` (${floor})`,
      target: '≤ 4 × `\\copy`',
      figure: seconds(median(ours)),
      ratio: times(ratio),
      met: ratio <= 4,
    },
  ];
}
