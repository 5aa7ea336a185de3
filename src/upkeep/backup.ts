/**
 * A backup is a folder: the database as of one moment, the uploaded files that it names, and a manifest. The database
 * is copied first; a file that it names was stored before it was named, so it is there to be copied.
 */
import type { Blobs } from '../submissions/blobs.js';
import type { SubmissionStore } from '../submissions/submission-store.js';
import type { UpkeepStore } from './upkeep-store.js';
import { allSubmissions } from './verify.js';

export interface BackupManifest {
  format: 1;
  /** ISO 8601, UTC. */
  created: string;
  accessionPrefix: string;
  store: 'sqlite' | 'postgres';
  submissions: number;
  originals: number;
}

/** Copies every original that the store names and `to` does not have yet; resolves to how many there are. */
export async function copyOriginals(
  store: Pick<SubmissionStore, 'list'> & Pick<UpkeepStore, 'originalGone'>,
  from: Blobs,
  to: Blobs,
): Promise<{ submissions: number; originals: number }> {
  let submissions = 0;
  const copied = new Set<string>();
  for await (const { id, blobKey, fileSize, sha256 } of allSubmissions(store)) {
    submissions++;
    if (copied.has(blobKey) || (await store.originalGone(id))) continue;
    const stored = await to.put(blobKey, from.open(blobKey, { size: fileSize }), { maxBytes: fileSize });
    if (stored.sha256 !== sha256)
      throw new Error(`The original of submission ${id} is not the file that was uploaded.`);
    copied.add(blobKey);
  }
  return { submissions, originals: copied.size };
}
