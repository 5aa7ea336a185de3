/** Whole results beside what SQLite's own shell takes to print the same cells from one bare table. */
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, mebibytes, median, seconds, times } from './figures.js';
import { SQLITE_SELECT, withSqliteTable } from './peers.js';
import { ownBytes, peakBytes } from './processes.js';
import { Service } from './service.js';
import { writeSheet } from './sheet.js';

const FORMATS = ['tsv', 'ndjson'] as const;
/** Of the service with the threads that make the file, bytes. */
const MEMORY = 250e6;

export async function exportFigures(rows: number, rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-exporting-'));
  const file = join(folder, 'plain.tsv');
  await writeSheet(file, { rows });
  const service = await Service.start();
  try {
    await service.completed((await service.upload(file)).id);
    await service.indexed();
    return await withSqliteTable(file, async (select) => {
      const floors: number[] = [];
      const taken = FORMATS.map((format) => ({ format, ms: [] as number[], ratios: [] as number[] }));
      let peak = 0;
      for (let round = 0; round < rounds; round++) {
        const floor = select();
        floors.push(floor);
        for (const { format, ms, ratios } of taken) {
          const begun = performance.now();
          const measured = await peakBytes(service.pid, () => take(service, format), ownBytes);
          const took = performance.now() - begun;
          ms.push(took);
          ratios.push(took / floor);
          peak = Math.max(peak, measured.peak);
        }
      }
      return figures({ rows, floor: median(floors), taken, peak });
    });
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads all of it; resolves to how many bytes there were. */
const take = (service: Service, format: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${service.token}` };
    const asked = request(`${service.url}/samples/export?format=${format}`, { headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
      });
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve(bytes) : reject(new Error(`${answer.statusCode}`)),
      );
      answer.once('error', reject);
    });
    asked.once('error', reject).end();
  });

function figures({
  rows,
  floor,
  taken,
  peak,
}: {
  rows: number;
  floor: number;
  taken: { format: string; ms: number[]; ratios: number[] }[];
  peak: number;
}): Figure[] {
  const count = rows.toLocaleString('en');
  return [
    {
      what: `\`${SQLITE_SELECT}\`, ${count} rows × 15 columns`,
      target: 'the floor',
      figure: seconds(floor),
      met: true,
    },
    ...taken.map(({ format, ms, ratios }) => ({
      what: `all ${count} samples as ${format}, from the request to the last byte`,
      target: '≤ 2 × `select`',
      figure: seconds(median(ms)),
      ratio: times(median(ratios)),
      met: median(ratios) <= 2,
    })),
    {
      what: 'peak memory of the service while it prints them',
      target: `≤ ${MEMORY / 1e6} MB`,
      figure: mebibytes(peak),
      met: peak <= MEMORY,
    },
  ];
}
