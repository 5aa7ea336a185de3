/**
 * Copies what tsc leaves behind, i.e. every file of the source folders that is no TypeScript, to the same place under
 * dist/. What an earlier build copied goes first: a migration under its former name would run twice.
 */

import { existsSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

for (const folder of ['src', 'workers', 'bench']) {
  if (!existsSync(join(root, folder))) continue;
  const built = join(root, 'dist', folder);
  for (const entry of existsSync(built) ? await readdir(built, { recursive: true, withFileTypes: true }) : []) {
    if (entry.isFile() && !/\.(js|map|d\.ts)$/.test(entry.name)) await rm(join(entry.parentPath, entry.name));
  }
  for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(ts|tsx|md)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    await cp(path, path.replace(join(root, folder), join(root, 'dist', folder)));
  }
}
