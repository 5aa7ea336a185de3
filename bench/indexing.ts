/** What the search index costs the bulk route: the same file with the indexer beside it and without. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, median, times } from './figures.js';
import { childOf } from './processes.js';
import { Service } from './service.js';
import { writeSheet } from './sheet.js';

export async function indexingFigures(rows: number, pairs: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-indexing-'));
  const file = join(folder, 'plain.tsv');
  await writeSheet(file, { rows });
  const ratios: number[] = [];
  try {
    for (let pair = 0; pair < pairs; pair++) ratios.push((await withIndexer(file)) / (await withoutIndexer(file)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const ratio = median(ratios);
  return [
    {
      what: `${rows.toLocaleString('en')} rows with the search index on, of the time with it off`,
      target: '≤ 1.10 ×',
      figure: `${(100 * (ratio - 1)).toFixed(0)} % more time`,
      ratio: times(ratio),
      met: ratio <= 1.1,
    },
  ];
}

async function withIndexer(file: string): Promise<number> {
  const service = await Service.start();
  try {
    return await processing(service, file, () => {});
  } finally {
    await service.stop();
  }
}

/** The same service with its indexer held still, for less long than its supervisor waits for a sign of life. */
async function withoutIndexer(file: string): Promise<number> {
  const service = await Service.start();
  const indexer = childOf(service.pid, /workers[\\/]indexer/);
  try {
    return await processing(service, file, () => process.kill(indexer, 'SIGSTOP'));
  } finally {
    process.kill(indexer, 'SIGCONT');
    await service.stop();
  }
}

async function processing(service: Service, file: string, accepted: () => void): Promise<number> {
  // The worker is up once it has done something.
  await service.completed((await service.upload(await tiny(service))).id);
  const { id } = await service.upload(file);
  accepted();
  const begun = performance.now();
  await service.completed(id);
  return performance.now() - begun;
}

async function tiny(service: Service): Promise<string> {
  const path = join(service.folder, 'tiny.tsv');
  await writeSheet(path, { rows: 300, tag: 'tiny' });
  return path;
}
