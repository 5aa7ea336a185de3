/**
 * A workbook that was uploaded is read once into the text of one of its sheets, which is kept beside it; from then on
 * the text is what is read, printed and resumed from. It can be made again from the workbook, which stays as it came.
 */
import { RegistryError } from '../registry/errors.js';
import type { Blobs } from './blobs.js';
import type { ReadAs } from './read-as.js';
import type { Submission, UploadOptions } from './submission.js';
import { HEAD_BYTES } from './upload-head.js';

/** PORT: reads workbooks, in a place where they can do no harm. */
export interface Workbooks {
  /** From a file's first bytes: a workbook, or one of the kinds that are refused with what to do instead. */
  isWorkbook(head: Buffer): boolean;
  /**
   * The sheet as UTF-8 tab-separated text, one line per row. `path` is a local copy, when there is one.
   * @throws RegistryError file.wrong-kind, file.not-understood, file.too-large
   */
  open(file: { path?: string | undefined; bytes: () => AsyncIterable<Buffer> }, sheet?: string): Promise<WorkbookSheet>;
}

export interface WorkbookSheet {
  sheetName: string;
  tsv: AsyncIterable<Buffer>;
  close(): void;
}

/** The text is larger than the workbook, at most by what the reader of workbooks allows. */
const MAX_TABLE_BYTES = Number.MAX_SAFE_INTEGER;

export const tableKey = (blobKey: string): string => `${blobKey}.table`;

/** What is read of a submission: its upload, or the text of its workbook. */
export function sourceOf({ blobKey, fileSize, options }: Pick<Submission, 'blobKey' | 'fileSize' | 'options'>): {
  key: string;
  size: number;
} {
  return options.readAs ? { key: tableKey(blobKey), size: options.readAs.bytes } : { key: blobKey, size: fileSize };
}

export interface StoredTable {
  readAs: ReadAs;
  /** The first bytes of the text. */
  head: Buffer;
}

/** Reads an uploaded workbook and keeps its text; durable when it resolves. @throws RegistryError file.* */
export async function storeTable(
  { blobs, workbooks }: { blobs: Blobs; workbooks: Workbooks },
  blobKey: string,
  options: Pick<UploadOptions, 'sheet'>,
): Promise<StoredTable> {
  const file = { path: blobs.localPath?.(blobKey), bytes: () => blobs.open(blobKey) };
  const sheet = await workbooks.open(file, options.sheet);
  try {
    const kept: Buffer[] = [];
    let size = 0;
    async function* pass(): AsyncGenerator<Buffer> {
      for await (const piece of sheet.tsv) {
        if (size < HEAD_BYTES) kept.push(piece.subarray(0, HEAD_BYTES - size));
        size += piece.length;
        yield piece;
      }
    }
    const stored = await blobs.put(tableKey(blobKey), pass(), { maxBytes: MAX_TABLE_BYTES });
    return { readAs: { sheet: sheet.sheetName, bytes: stored.size }, head: Buffer.concat(kept) };
  } finally {
    sheet.close();
  }
}

/** Makes the text of a submission's workbook again when it is not there, e.g. after a restore from a backup. */
export async function ensureTable(
  { blobs, workbooks }: { blobs: Blobs; workbooks?: Workbooks | undefined },
  submission: Pick<Submission, 'blobKey' | 'fileSize' | 'options'>,
): Promise<void> {
  const { readAs } = submission.options;
  if (!readAs || !workbooks || (await isThere(blobs, tableKey(submission.blobKey)))) return;
  await storeTable({ blobs, workbooks }, submission.blobKey, { sheet: readAs.sheet });
}

async function isThere(blobs: Blobs, key: string): Promise<boolean> {
  try {
    for await (const _ of blobs.open(key, { end: 1 })) break;
    return true;
  } catch (error) {
    if (error instanceof RegistryError && error.code === 'not-found') return false;
    throw error;
  }
}
