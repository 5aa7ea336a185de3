/** What a store and its search index take on the disk, and how soon all of it is found, beside `sqlite3 .import` of the same file. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/store/open.js';
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
  /** Bytes of the file, and of the write-ahead log that a running service keeps beside it. */
  store: number;
  log: number;
  index: number;
  /** Of the index when its parts are merged. */
  merged: number;
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
    const onDisk = (name: string): number => statSync(join(service.folder, name), { throwIfNoEntry: false })?.size ?? 0;
    const log = onDisk('registry.db-wal');
    await service.end();
    const [store, index] = [onDisk('registry.db'), onDisk('registry.db-search')];
    await mergeAll(join(service.folder, 'registry.db'));
    const round = { floor, found, log, store, index, merged: onDisk('registry.db-search') };
    console.log(
      `floor ${seconds(floor)}, found after ${seconds(found)}, store ${mebibytes(store)} (log ${mebibytes(log)}), index ${mebibytes(index)}, at rest ${mebibytes(round.merged)}`,
    );
    return round;
  } finally {
    await service.stop();
  }
}

/** What the indexer does when nothing waits for it. */
async function mergeAll(file: string): Promise<void> {
  const store = await openStore(`sqlite:${file}`, { prefix: 'SAMR' });
  while ((await store.indexNext(1)).more);
  await store.close();
}

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
      `the store's file after ${rows.toLocaleString('en')} rows, of the ${mebibytes(uploaded)} uploaded (while the service runs, a log of ${mebibytes(median(rounds.map(({ log }) => log)))} beside it)`,
      0.2,
      ({ store }) => store,
    ),
    size("the search index's file, as soon as all of them are found", 0.3, ({ index }) => index),
    size('the same at rest, its parts merged', 0.3, ({ merged }) => merged),
    {
      what: 'all of these samples found by name and by value, counted from COMPLETED',
      target: '≤ 3 × `.import`',
      figure: seconds(median(rounds.map(({ found }) => found))),
      ratio: times(ratio),
      met: ratio <= 3,
    },
  ];
}
