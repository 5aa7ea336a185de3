import { fileURLToPath } from 'node:url';
import { RegistryError } from '../registry/errors.js';
import type { Blobs } from '../submissions/blobs.js';
import { openFilesystemBlobs } from './filesystem.js';

/**
 * The blobs at this address: `file:PATH` (a folder, also one shared between machines) or `s3://…` (s3-address.ts).
 * @throws RegistryError request.invalid
 */
export async function openBlobs(url: string): Promise<Blobs> {
  if (url.startsWith('file:///')) return openFilesystemBlobs(fileURLToPath(url));
  if (url.startsWith('file:') && url.length > 5) return openFilesystemBlobs(url.slice(5));
  if (url.startsWith('s3:')) {
    // Loaded when asked for: the client of S3 is 25 MB.
    const { S3Blobs } = await import('./s3.js');
    return new S3Blobs(url);
  }
  throw new RegistryError('request.invalid', 'An address of blobs begins with "file:" or "s3://".');
}
