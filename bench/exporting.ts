/** Whole results beside what SQLite's own shell takes to print the same cells from one bare table, and counts of values. */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Figure, mebibytes, median, millis, seconds, times } from './figures.js';
import { SQLITE_SELECT, withSqliteTables } from './peers.js';
import { ownBytes, peakBytes } from './processes.js';
import { Service } from './service.js';
import { writeSheet } from './sheet.js';

const FORMATS = [
  { format: 'tsv', cells: 'sheet' },
  { format: 'ndjson', cells: 'document' },
] as const;
/** Of the service with the threads that make the file, bytes. */
const MEMORY = 250e6;
/** Requests for counts, of which the median counts, and what it may be, milliseconds. */
const COUNTS = 25;
const COUNT_MS = 150;

export async function exportFigures(rows: number, rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-exporting-'));
  const file = join(folder, 'plain.tsv');
  await writeSheet(file, { rows });
  const service = await Service.start();
  try {
    await service.completed((await service.upload(file)).id);
    await service.indexed();
    const exporting = await withSqliteTables(file, async (select) => {
      const taken = FORMATS.map((each) => ({ ...each, ms: [] as number[], floors: [] as number[], peak: 0 }));
      for (let round = 0; round < rounds; round++) {
        for (const each of taken) {
          each.floors.push(select(each.cells));
          const begun = performance.now();
          await take(service, each.format);
          each.ms.push(performance.now() - begun);
        }
      }
      // Asking how much memory a process has holds its threads up.
      for (const each of taken) {
        each.peak = (await peakBytes(service.pid, () => take(service, each.format), ownBytes)).peak;
      }
      return figures(rows, taken);
    });
    const counting = await countFigures(service, rows);
    return [...exporting, await sentBack(service, rows, join(folder, 'back.tsv')), ...counting];
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads all of it, into a file where one is named. */
const take = (service: Service, format: string, path?: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${service.token}` };
    const asked = request(`${service.url}/samples/export?format=${format}`, { headers }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`${answer.statusCode}`));
      if (path !== undefined) return void pipeline(answer, createWriteStream(path)).then(resolve, reject);
      answer.once('end', resolve).once('error', reject).resume();
    });
    asked.once('error', reject).end();
  });

/** @throws when the sheet does not come back as it went */
async function sentBack(service: Service, rows: number, path: string): Promise<Figure> {
  await take(service, 'tsv', path);
  const begun = performance.now();
  const { counts } = await service.completed((await service.upload(path)).id);
  if (counts.unchanged !== rows || counts.rows !== rows) throw new Error(`sent back: ${JSON.stringify(counts)}`);
  return {
    what: `the sheet of all ${rows.toLocaleString('en')} samples uploaded again: unchanged`,
    target: 'all',
    figure: `${counts.unchanged.toLocaleString('en')}, in ${seconds(performance.now() - begun)}`,
    met: true,
  };
}

async function countFigures(service: Service, rows: number): Promise<Figure[]> {
  const found: Figure[] = [];
  for (const [facets, what] of [
    ['*', 'the ten most frequent characteristics'],
    ['organism,tissue', 'two characteristics'],
    ['age', 'a number with its ranges'],
  ]) {
    const ms: number[] = [];
    for (let at = 0; at < COUNTS; at++) {
      const begun = performance.now();
      await service.get(`/samples?size=1&facets=${facets}`);
      ms.push(performance.now() - begun);
    }
    found.push({
      what: `values of ${what} counted over ${rows.toLocaleString('en')} samples: p50 of ${COUNTS} requests`,
      target: `≤ ${COUNT_MS} ms`,
      figure: millis(median(ms)),
      met: median(ms) <= COUNT_MS,
    });
  }
  return found;
}

function figures(rows: number, taken: { format: string; ms: number[]; floors: number[]; peak: number }[]): Figure[] {
  const count = rows.toLocaleString('en');
  const peak = Math.max(...taken.map((each) => each.peak));
  return [
    ...taken.map(({ format, ms, floors }) => {
      const ratio = median(ms.map((one, round) => one / (floors[round] as number)));
      return {
        what: `all ${count} samples as ${format}, from the request to the last byte, beside \`${SQLITE_SELECT}\` of the same cells (${seconds(median(floors))})`,
        target: '≤ 2 × `select`',
        figure: seconds(median(ms)),
        ratio: times(ratio),
        met: ratio <= 2,
      };
    }),
    {
      what: 'peak memory of the service while it prints them',
      target: `≤ ${MEMORY / 1e6} MB`,
      figure: mebibytes(peak),
      met: peak <= MEMORY,
    },
  ];
}
