import { findHeader, type HeaderRow } from '../../../src/tsv/header/find-header.js';
import type { SubmissionStatus } from '../api/contract.js';
import { address, inSession, problemOf, ServerAway } from '../api/request.js';
import { submissionPath } from '../api/submissions.js';
import { decodeSheet } from '../sheet/decode.js';
import { recentUpload } from '../upload/recent-uploads.js';

export interface OriginalSheet {
  text: string;
  header: HeaderRow;
}

/** The uploaded sheet as text: from this tab's memory, else from the service. Undefined for workbooks. */
export async function readOriginal(
  submission: SubmissionStatus,
  signal?: AbortSignal,
): Promise<OriginalSheet | undefined> {
  const bytes = new Uint8Array(await originalBytes(submission, signal));
  const { encoding, nameColumn } = submission.options ?? {};
  const sheet = decodeSheet(bytes, typeof encoding === 'string' ? { encoding } : {});
  if (sheet.kind !== 'text') return undefined;
  const header = findHeader(sheet.text, true, typeof nameColumn === 'string' ? { nameColumn } : {});
  return header && { text: sheet.text, header };
}

/** The file as it was uploaded. */
export const originalFile = async (submission: SubmissionStatus): Promise<File> =>
  new File([await originalBytes(submission)], submission.fileName);

const originalBytes = (submission: SubmissionStatus, signal?: AbortSignal): Promise<ArrayBuffer> =>
  inSession(() => readBytes(submission, signal), signal);

async function readBytes({ submissionId }: SubmissionStatus, signal?: AbortSignal): Promise<ArrayBuffer> {
  const recent = recentUpload(submissionId);
  if (recent) return recent.file.arrayBuffer();
  const init: RequestInit = { credentials: 'same-origin' };
  if (signal) init.signal = signal;
  const response = await fetch(address(`${submissionPath(submissionId)}/original`), init).catch(() => {
    throw new ServerAway();
  });
  if (!response.ok) throw problemOf(response.status, await response.text());
  return response.arrayBuffer();
}
