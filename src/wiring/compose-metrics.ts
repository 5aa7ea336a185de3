/** WIRING of what Prometheus reads: whom the figures are asked of. */
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.js';
import type { DiskFigures, WorkerFigures } from '../observability/gauges.js';
import { Metrics, type WorkReport } from '../observability/metrics.js';
import type { Store } from '../store/store.js';
import type { Blobs } from '../submissions/blobs.js';
import type { Queue } from '../submissions/queue.js';

export interface Engines {
  store: Store;
  queue: Queue;
  blobs: Blobs;
}

export function serviceMetrics(config: Config, engines: Engines, workers: () => WorkerFigures[]): Metrics {
  const { store } = engines;
  return new Metrics({
    queue: () => store.stats(),
    webhooks: () => store.deliveryBacklog(),
    index: () => store.indexState(),
    lastBackup: () => store.lastBackup(),
    disks: () => disksOf(foldersOf(config)),
    workers,
    parts: partsOf(engines),
  });
}

/** Of a worker that runs by itself. */
export function workerMetrics(engines: Engines, work: () => WorkReport | undefined): Metrics {
  return new Metrics({ work, parts: partsOf(engines) });
}

export const partsOf = ({ store, queue, blobs }: Engines) => ({
  store: () => store.check(),
  queue: () => queue.check(),
  blobs: () => blobs.check(),
});

/** What each folder that this process writes to is for; those of one disk are all named, because it may be parted later. */
export function foldersOf({ DATA_DIR, STORE_URL, BLOB_URL, AUDIT_DIR }: Config): Record<string, string> {
  const folders: Record<string, string> = { data: DATA_DIR, audit: AUDIT_DIR };
  if (STORE_URL.startsWith('sqlite:')) folders.store = dirname(resolve(STORE_URL.slice('sqlite:'.length)));
  if (BLOB_URL.startsWith('file:')) {
    folders.blobs = BLOB_URL.startsWith('file:///') ? fileURLToPath(BLOB_URL) : resolve(BLOB_URL.slice('file:'.length));
  }
  return folders;
}

export async function disksOf(folders: Record<string, string>): Promise<DiskFigures[]> {
  const asked = Object.entries(folders).map(async ([folder, path]) => {
    const { bavail, blocks, bsize } = await statfs(path);
    return { folder, free: bavail * bsize, size: blocks * bsize };
  });
  // A folder that is not there yet has no disk to speak of.
  const answers = await Promise.allSettled(asked);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}
