import type { UploadOptions } from '../api/upload.js';

/** What this tab has uploaded, by submission: the outcome can then say that a file came before, or fix the whole of it. */
export interface RecentUpload {
  file: File;
  options: UploadOptions;
  replayed: boolean;
}

const recent = new Map<string, RecentUpload>();
const KEPT = 50;

export function rememberUpload(submissionId: string, uploaded: RecentUpload): void {
  recent.delete(submissionId);
  recent.set(submissionId, uploaded);
  const oldest = recent.keys().next();
  if (recent.size > KEPT && !oldest.done) recent.delete(oldest.value);
}

export const recentUpload = (submissionId: string): RecentUpload | undefined => recent.get(submissionId);
