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
  const two = await twoFiles({ STORE_URL: store, QUEUE_URL: queue }, Math.round(rows / 4), Math.ceil(rounds / 2));
  const ratio = median(ours.map((ms, round) => ms / (floors[round] as number)));
  const floor = seconds(median(floors));
  return [
    {
      what: `PostgreSQL + BullMQ, ${rows.toLocaleString('en')} rows from 202 to COMPLETED, beside \`${PSQL_COPY}\` (${floor})`,
      target: '≤ 1.5 × `\\copy`',
      figure: seconds(median(ours)),
      ratio: times(ratio),
      met: ratio <= 1.5,
    },
    two,
  ];
}

/** Whether two workers on two files are done sooner than with one file after the other. */
async function twoFiles(env: Record<string, string>, rows: number, rounds: number): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-two-'));
  const files = ['one', 'two'].map((tag) => ({ tag, file: join(folder, `${tag}.tsv`) }));
  for (const { tag, file } of files) await writeSheet(file, { rows, tag });
  const service = await Service.start({ ...env, WORKERS: '2' });
  const register = async (file: string) => service.completed((await service.upload(file, '?duplicate=allow')).id);
  const ratios: number[] = [];
  const together: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now();
      for (const { file } of files) await register(file);
      const turned = performance.now();
      await Promise.all(files.map(({ file }) => register(file)));
      together.push(performance.now() - turned);
      ratios.push((performance.now() - turned) / (turned - begun));
    }
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const ratio = median(ratios);
  return {
    what: `two files of ${rows.toLocaleString('en')} rows on two workers over PostgreSQL, of the time for one after the other`,
    target: '≤ 1 ×',
    figure: seconds(median(together)),
    ratio: times(ratio),
    met: ratio <= 1,
  };
}
