/** A folder with a manifest is a whole backup, whenever the power was cut. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFilesystemBlobs } from '../../src/blobs/filesystem.js';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import { verifyStore } from '../../src/upkeep/verify.js';
import { PREFIX } from './promises.js';

export async function backupFaults(folder: string): Promise<string[]> {
  if (!existsSync(join(folder, 'manifest.json'))) return [];
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { submissions: number };
  const store = await openSqliteStore(join(folder, 'registry.db'), { prefix: PREFIX, cacheKiB: 500 });
  try {
    const blobs = await openFilesystemBlobs(join(folder, 'originals'));
    const { submissions, faults } = await verifyStore(store, { blobs, originals: true });
    return [
      ...faults.map(({ place, message }) => `the backup: ${place}: ${message}`),
      ...(submissions === manifest.submissions ? [] : [`the backup has ${submissions} submissions`]),
    ];
  } finally {
    await store.close();
  }
}
