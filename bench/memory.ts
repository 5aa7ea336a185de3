/** How much memory all processes of the service take together while a file is registered, small and ten times as large. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, mebibytes, median, times } from './figures.js';
import { timedUpload } from './ingest.js';
import { peakBytes } from './processes.js';
import { Service } from './service.js';
import { writeSheet } from './sheet.js';

export async function memoryFigures(rows: number, rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-memory-'));
  const [tenth, whole] = [join(folder, 'tenth.tsv'), join(folder, 'whole.tsv')];
  try {
    await writeSheet(tenth, { rows: Math.round(rows / 10) });
    await writeSheet(whole, { rows });
    const peaks: { tenth: number; whole: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const pair = { tenth: await peakOf(tenth), whole: await peakOf(whole) };
      console.log(`${mebibytes(pair.tenth)} and ${mebibytes(pair.whole)}`);
      peaks.push(pair);
    }
    const small = median(peaks.map((pair) => pair.tenth));
    const peak = median(peaks.map((pair) => pair.whole));
    const ratio = median(peaks.map((pair) => pair.whole / pair.tenth));
    return [
      {
        what: `summed peak memory of all processes at ${rows.toLocaleString('en')} rows (a tenth of the rows: ${mebibytes(small)})`,
        target: '≤ 300 MB, within 10 % of a tenth of the rows',
        figure: mebibytes(peak),
        ratio: times(ratio),
        met: peak <= 300e6 && ratio <= 1.1,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function peakOf(file: string): Promise<number> {
  const service = await Service.start();
  try {
    return (await peakBytes(service.pid, () => timedUpload(service, file))).peak;
  } finally {
    await service.stop();
  }
}
