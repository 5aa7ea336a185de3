import { Head } from '../../../src/tsv/bytes/head-rows.js';
import { findHeader } from '../../../src/tsv/header/find-header.js';
import type { HeaderRow } from '../../../src/tsv/header/header-search.js';
import type { SubmissionStatus } from '../api/contract.js';
import { address, inSession, problemOf, ServerAway } from '../api/request.js';
import { submissionPath } from '../api/submissions.js';
import { decodeSheet } from '../sheet/decode.js';
import { readRows, type SheetRow } from '../sheet/read-rows.js';
import { recentUpload } from '../upload/recent-uploads.js';

export interface OriginalSheet {
  header: HeaderRow;
  /** All rows, blank ones too; of a workbook with its own numbers. */
  rows: SheetRow[];
}

/** How a workbook or an archive was read; ISA-JSON has no sheet. */
type ReadAs = { bytes: number; archived?: true; isa?: true };

/** The uploaded sheet, from this tab's memory, else from the service. Undefined for what has none, or more text than `most`. */
export async function readOriginal(
  submission: SubmissionStatus,
  signal?: AbortSignal,
  most = Number.POSITIVE_INFINITY,
): Promise<OriginalSheet | undefined> {
  const { encoding, nameColumn, readAs } = submission.options as Record<string, unknown> & { readAs?: ReadAs };
  if (readAs?.isa || (readAs && readAs.bytes > most)) return undefined;
  const bytes = new Uint8Array(await (readAs ? textBytes(submission, signal) : originalBytes(submission, signal)));
  const ours = readAs !== undefined && !readAs.archived;
  const sheet = decodeSheet(bytes, typeof encoding === 'string' && !ours ? { encoding } : {});
  if (sheet.kind !== 'text') return undefined;
  const asWorkbook = ours ? { rowsAreLines: true as const } : {};
  const header = findHeader(new Head(sheet.text, true, asWorkbook.rowsAreLines), {
    ...(typeof nameColumn === 'string' ? { nameColumn } : {}),
  });
  return header && { header, rows: [...readRows(sheet.text, header.delimiter, true, asWorkbook.rowsAreLines)] };
}

/** The file as it was uploaded. */
export const originalFile = async (submission: SubmissionStatus): Promise<File> =>
  new File([await originalBytes(submission)], submission.fileName);

const originalBytes = (submission: SubmissionStatus, signal?: AbortSignal): Promise<ArrayBuffer> =>
  inSession(() => readBytes(submission, signal), signal);

async function readBytes({ submissionId }: SubmissionStatus, signal?: AbortSignal): Promise<ArrayBuffer> {
  const kept = await recentUpload(submissionId)?.file.arrayBuffer().catch(unreadable);
  return kept ?? fetched(`${submissionPath(submissionId)}/original`, signal);
}

/** Somebody works on the file on the disk meanwhile; the service has it as it was sent. */
const unreadable = (): undefined => undefined;

const textBytes = ({ submissionId }: SubmissionStatus, signal?: AbortSignal): Promise<ArrayBuffer> =>
  inSession(() => fetched(`${submissionPath(submissionId)}/original?text=true`, signal), signal);

async function fetched(path: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  const init: RequestInit = { credentials: 'same-origin' };
  if (signal) init.signal = signal;
  const response = await fetch(address(path), init).catch(() => {
    throw new ServerAway();
  });
  if (!response.ok) throw problemOf(response.status, await response.text());
  return response.arrayBuffer();
}
