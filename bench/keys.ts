/** What own keys cost the bulk route: the same new rows registered with keys and without. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cost, ingestCost, inTurns } from './alternating.js';
import { type Figure, seconds, times } from './figures.js';
import { Service } from './service.js';
import { writeSheet } from './sheet.js';

/** docs/own-keys.md: of the time that the rows take without keys. */
const LIMIT = 1.5;

export async function keyFigures(rows: number, pairs: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-keys-'));
  const file = join(folder, 'sheet.tsv');
  try {
    await writeSheet(file, { rows });
    const { first, second, ratio } = await inTurns(
      pairs,
      () => once(file, ''),
      () => once(file, '?key=Sample%20Name'),
    );
    return [
      {
        what: `${rows.toLocaleString('en')} new rows known by keys of their own, from 202 to COMPLETED, beside the same without (${seconds(first.wall * 1000)})`,
        target: `≤ ${LIMIT} ×`,
        figure: `${seconds(second.wall * 1000)}; processors' time ${seconds(second.cpu * 1000)}, beside ${seconds(first.cpu * 1000)}, ${times(ratio.cpu)}`,
        ratio: times(ratio.wall),
        met: ratio.wall <= LIMIT,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function once(file: string, query: string): Promise<Cost> {
  const service = await Service.start();
  try {
    return await ingestCost(service, file, query);
  } finally {
    await service.stop();
  }
}
