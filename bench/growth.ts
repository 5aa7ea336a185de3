/** Whether a store that is already large takes rows as fast as an empty one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, median, times } from './figures.js';
import { Service } from './service.js';
import { writeSheet } from './sheet.js';

const PROBE_ROWS = 300_000;
const PROBES = 5;
const FILL_ROWS = 1_000_000;

export async function growthFigures(samples: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-growth-'));
  const file = (name: string) => join(folder, `${name}.tsv`);
  await writeSheet(file('probe'), { rows: PROBE_ROWS, tag: 'probe' });
  await writeSheet(file('fill'), { rows: FILL_ROWS, tag: 'fill' });
  const full = await Service.start();
  try {
    const query = '?duplicate=allow';
    for (let at = 0; at < samples / FILL_ROWS; at++) await full.completed((await full.upload(file('fill'), query)).id);
    const ratios: number[] = [];
    // Pairs in turn, so that the machine's mood meets both alike.
    for (let probe = 0; probe < PROBES; probe++) {
      const empty = await Service.start();
      const alone = await processing(empty, file('probe'), query);
      await empty.stop();
      ratios.push(alone / (await processing(full, file('probe'), query)));
    }
    const ratio = median(ratios);
    return [
      {
        what: `rows/s into a store of ${samples.toLocaleString('en')} samples, of rows/s into an empty one`,
        target: '≥ 85 %',
        figure: `${(100 * ratio).toFixed(0)} %`,
        ratio: times(ratio),
        met: ratio >= 0.85,
      },
    ];
  } finally {
    await full.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function processing(service: Service, file: string, query: string): Promise<number> {
  const { id } = await service.upload(file, query);
  const begun = performance.now();
  await service.completed(id);
  return performance.now() - begun;
}
