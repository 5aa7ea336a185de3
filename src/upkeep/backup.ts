/**
 * A backup is a folder: the database as of one moment, the uploaded files that it names, and a manifest. The database
 * is copied first; a file that it names was stored before it was named, so it is there to be copied. One that is not is
 * named in the manifest: a lost file must not take all others with it.
 */
import type { Blobs } from '../submissions/blobs.js';
import { faultOfSource, openSource, originalOf } from '../submissions/reading/stored-source.js';
import type { SubmissionStore } from '../submissions/submission-store.js';
import type { UpkeepStore } from './upkeep-store.js';
import { allSubmissions } from './verify.js';

/** An uploaded file that could not be copied: it is gone, or is not what was uploaded. */
export interface LostOriginal {
  submissionId: string;
  fileName: string;
  fault: 'missing' | 'damaged';
}

export interface BackupManifest {
  format: 1;
  /** The moment of which the store is, ISO 8601, UTC. */
  created: string;
  accessionPrefix: string;
  store: 'sqlite' | 'postgres';
  submissions: number;
  /** Uploaded files in the backup. */
  originals: number;
  /** Those that are not; absent in backups of earlier versions. */
  lost?: LostOriginal[];
}

export interface CopiedOriginals {
  submissions: number;
  originals: number;
  lost: LostOriginal[];
}

/**
 * Copies every original that the store names and `to` does not have yet. What `from` has lost is left out and named;
 * `isGone` tells of one that is no longer kept since the store was copied.
 */
export async function copyOriginals(
  store: Pick<SubmissionStore, 'list'> & Pick<UpkeepStore, 'originalGone'>,
  from: Blobs,
  to: Blobs,
  isGone: (submissionId: string) => Promise<boolean> = (id) => store.originalGone(id),
): Promise<CopiedOriginals> {
  const lost: LostOriginal[] = [];
  let submissions = 0;
  let originals = 0;
  const seen = new Set<string>();
  for await (const submission of allSubmissions(store)) {
    const { id, blobKey, fileName, fileSize } = submission;
    submissions++;
    if (seen.has(blobKey) || (await store.originalGone(id))) continue;
    seen.add(blobKey);
    const source = originalOf(submission);
    try {
      await to.put(blobKey, openSource(from, source), { maxBytes: fileSize });
      originals++;
    } catch (error) {
      const fault = await faultOfSource(from, source, true);
      if (fault === undefined) throw error;
      if (!(await isGone(id))) lost.push({ submissionId: id, fileName, fault });
    }
  }
  return { submissions, originals, lost };
}
