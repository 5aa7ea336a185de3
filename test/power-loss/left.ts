/** What a power cut left, started again: whether it can be read, whether all that was answered is there, and whether it goes on. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openFilesystemBlobs } from '../../src/blobs/filesystem.js';
import type { KeptExport } from '../../src/registry/search/kept-export-store.js';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import type { Store } from '../../src/store/store.js';
import { isFinal } from '../../src/submissions/submission.js';
import { verifyStore } from '../../src/upkeep/verify.js';
import { startService } from '../http/service.js';
import { auditFaults } from './audited.js';
import { backupFaults } from './backed-up.js';
import { lackingIn, PREFIX, type Promised } from './promises.js';
import { endFaults, finishWatching, watchFaults } from './watched.js';

/** Who had work is gone with the power, and what was claimed is free when that has run out. */
const LATER_MS = 3_600_000;
const PATIENCE_MS = 10 * 60_000;

export interface Cut {
  /** Answered before it. */
  promised: readonly Promised[];
  /** Answered behind it. */
  later: readonly Promised[];
  /** A service, a worker, an indexer and a watch folder go on with it. */
  goOn: boolean;
}

export async function faultsOf(folder: string, { promised, later, goOn }: Cut): Promise<string[]> {
  const found: string[] = [];
  try {
    found.push(...(await storeFaults(folder, promised, later)));
    found.push(...(await auditFaults(join(folder, 'data', 'audit'), promised)));
    found.push(...(await backupFaults(join(folder, 'backup'))));
    found.push(...watchFaults(join(folder, 'watched'), promised));
    if (goOn && found.length === 0) found.push(...(await goOnWith(folder, promised, later)));
  } catch (error) {
    found.push(`unreadable: ${(error as Error).message}`);
  }
  return found;
}

async function storeFaults(folder: string, promised: readonly Promised[], later: readonly Promised[]) {
  const found: string[] = [];
  const store = await openSqliteStore(join(folder, 'data', 'registry.db'), {
    prefix: PREFIX,
    cacheKiB: 500,
    now: () => Date.now() + LATER_MS,
    onIndexDamage: (aside) => found.push(`the index was damaged: ${aside}`),
  });
  try {
    const blobs = await openFilesystemBlobs(join(folder, 'data', 'blobs'));
    const { faults } = await verifyStore(store, { blobs, originals: true });
    found.push(...faults.map(({ place, message }) => `${place}: ${message}`));
    found.push(...(await lackingIn({ folder, store, blobs }, promised, later)));
  } finally {
    await store.close();
  }
  return found;
}

async function goOnWith(folder: string, promised: readonly Promised[], later: readonly Promised[]): Promise<string[]> {
  // What waits for the index would look again seconds later.
  await index(folder);
  const service = await startService({ folder: join(folder, 'data'), clockAhead: () => LATER_MS });
  const watched = join(folder, 'watched');
  try {
    if (existsSync(join(watched, 'inbox'))) await finishWatching(watched, service.url);
    // Who orders one has those that wait looked at, which the service else does every two seconds.
    if ((await making(service.store)).length > 0) await service.send('POST', '/samples/exports?format=ndjson', {});
    await atRest(service.store);
    const created = await service.store.countSamplesFromFiles();
    if (existsSync(join(watched, 'inbox'))) {
      const faults = endFaults(watched, created);
      if (faults.length > 0) return faults;
    }
  } finally {
    await service.stop();
  }
  const found = [
    ...(await storeFaults(folder, promised, later)),
    ...(await auditFaults(join(folder, 'data', 'audit'), promised)),
  ];
  return found.map((fault) => `when it had gone on: ${fault}`);
}

async function index(folder: string): Promise<void> {
  const store = await openSqliteStore(join(folder, 'data', 'registry.db'), { prefix: PREFIX, cacheKiB: 500 });
  while ((await store.indexNext(500)).more);
  await store.close();
}

const making = async (store: Store): Promise<KeptExport[]> =>
  (await store.listExports(undefined, Date.now(), 100)).filter(({ state }) => state === 'ACTIVE');

/** Every submission and whole result has ended, and the index has everything. */
async function atRest(store: Store): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const active = (await store.list({ size: 100 })).filter(({ state }) => !isFinal(state));
    const { lag } = await store.indexState();
    if (active.length + (await making(store)).length + lag === 0) return;
    if (Date.now() > until) throw new Error(`${active.length} submissions do not go on, the index is ${lag} behind`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
