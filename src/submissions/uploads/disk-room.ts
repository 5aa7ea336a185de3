import { statfs } from 'node:fs/promises';
import { RegistryError } from '../../registry/errors.js';

/** Less than a small upload with its samples takes. */
export const LEAST_BYTES = 2 * 1024 * 1024;

/** @throws RegistryError storage.full when the file system of the folder has next to no room left */
export async function requireRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= LEAST_BYTES) return;
  throw new RegistryError('storage.full', `The disk of ${folder} has ${bavail * bsize} bytes left; make room there.`);
}
