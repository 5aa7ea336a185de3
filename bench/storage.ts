/** What a store and its search index take on the disk, and how soon all of it is found, beside `sqlite3 .import` of the same file. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, mebibytes, median, seconds, times } from './figures.js';
import { timedUpload } from './ingest.js';
import { sqliteImport } from './peers.js';
import { Service } from './service.js';
import { DONORS, writeSheet } from './sheet.js';

interface Round {
  /** Of `.import`, milliseconds. */
  floor: number;
  /** From COMPLETED until nothing waits for the index, milliseconds. */
  found: number;
  /** Bytes, with what the write-ahead log holds. */
  store: number;
  index: number;
}

export async function storageFigures(rows: number, rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-storage-'));
  const file = join(folder, 'plain.tsv');
  try {
    await writeSheet(file, { rows });
    const done: Round[] = [];
    for (let round = 0; round < rounds; round++) done.push(await oneRound(file, rows));
    return figuresOf(rows, statSync(file).size, done);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function oneRound(file: string, rows: number): Promise<Round> {
  const floor = sqliteImport(file);
  const service = await Service.start();
  try {
    await timedUpload(service, file);
    const completed = performance.now();
    await service.indexed();
    const found = performance.now() - completed;
    await requireFound(service, rows);
    const onDisk = (name: string): number =>
      ['', '-wal'].reduce((sum, end) => sum + sizeOf(join(service.folder, name + end)), 0);
    const round = { floor, found, store: onDisk('registry.db'), index: onDisk('registry.db-search') };
    console.log(
      `floor ${seconds(floor)}, found after ${seconds(found)}, ${mebibytes(round.store)} and ${mebibytes(round.index)}`,
    );
    return round;
  } finally {
    await service.stop();
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** @throws Error unless the last row is found by its name, and all rows of a donor by that value */
async function requireFound(service: Service, rows: number): Promise<void> {
  const wanted = { [`name:sample_${rows - 1}`]: 1, 'attr:donor:donor_7': Math.ceil((rows - 7) / DONORS) };
  for (const [filter, count] of Object.entries(wanted)) {
    const page = await service.get<{ page: { totalElements: number }; notIndexed?: number }>(
      `/samples?page=0&filter=${filter}`,
    );
    if (page.page.totalElements !== count || page.notIndexed !== undefined)
      throw new Error(`${filter} finds ${JSON.stringify(page.page)}, not ${count} samples`);
  }
}

function figuresOf(rows: number, uploaded: number, rounds: Round[]): Figure[] {
  const size = (what: string, limit: number, pick: (round: Round) => number): Figure => {
    const bytes = median(rounds.map(pick));
    return {
      what,
      target: `≤ ${limit} × the bytes uploaded`,
      figure: mebibytes(bytes),
      ratio: times(bytes / uploaded),
      met: bytes <= limit * uploaded,
    };
  };
  const ratio = median(rounds.map(({ found, floor }) => found / floor));
  return [
    size(
      `the store's file after ${rows.toLocaleString('en')} rows, of the ${mebibytes(uploaded)} uploaded`,
      0.2,
      ({ store }) => store,
    ),
    size("the search index's file", 0.3, ({ index }) => index),
    {
      what: 'all of these samples found by name and by value, counted from COMPLETED',
      target: '≤ 3 × `.import`',
      figure: seconds(median(rounds.map(({ found }) => found))),
      ratio: times(ratio),
      met: ratio <= 3,
    },
  ];
}
