/**
 * A workbook that was uploaded is read once into the text of one of its sheets, which is kept beside it; from then on
 * the text is what is read, printed and resumed from. It can be made again from the workbook, which stays as it came.
 */
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { RegistryError } from '../../registry/errors.js';
import { shorten } from '../../registry/row-issue.js';
import type { BesideCells } from '../../tsv/beside-cells.js';
import type { Blobs } from '../blobs.js';
import { openSource, originalOf, type StoredFile, tableKey } from '../reading/stored-source.js';
import type { Submission, UploadOptions } from '../submission.js';
import type { ReadAs } from './read-as.js';
import { HEAD_BYTES } from './upload-head.js';

/** PORT: reads workbooks, in a place where they can do no harm. */
export interface Workbooks {
  /** From a file's first bytes: a workbook, an archive, or one of the kinds that are refused with what to do instead. */
  isWorkbook(head: Buffer): boolean;
  /**
   * The sheet as UTF-8 tab-separated text, one line per row; a file of an archive as it is. `path` is a local copy, when there is one;
   * accounts are read for in turns.
   * @throws RegistryError file.wrong-kind, file.not-understood, file.too-large
   */
  open(
    file: { path?: string | undefined; bytes: () => AsyncIterable<Buffer>; account?: string | undefined },
    wanted: { sheet?: string },
  ): Promise<WorkbookSheet>;
}

export interface WorkbookSheet {
  sheetName: string;
  /** The sheets of a workbook that name samples, when others than this do and none was asked for. */
  tables?: string[];
  /** It is a file of an archive: its bytes are given as they are. */
  archived?: true;
  /** It is an ISA-JSON document: the text has a sample of it as JSON on each line. */
  isa?: true;
  /** Milliseconds since 1970: a date that the archive names for these samples. */
  release?: number;
  /** Title of the study that they are of. */
  title?: string;
  tsv: AsyncIterable<Buffer>;
  /** Once `tsv` has been read to its end. */
  notes?(): { beside?: BesideCells } | undefined;
  close(): void;
}

/**
 * The compressed text is about as large as the workbook, which is compressed itself. Only texts that are long, random
 * and used over and over make it much larger; beyond this, the file is refused.
 */
const packedLimit = (workbookBytes: number): number => 8 * MiB + 8 * workbookBytes;
const MiB = 1024 * 1024;

export interface StoredTable {
  readAs: ReadAs;
  release?: number;
  /** The first bytes of the text. */
  head: Buffer;
}

type WorkbookUpload = Pick<Submission, 'blobKey' | 'fileSize' | 'account'>;

/** Reads an uploaded workbook and keeps its text, compressed; durable when it resolves. @throws RegistryError file.* */
export async function storeTable(
  { blobs, workbooks }: { blobs: Blobs; workbooks: Workbooks },
  { blobKey, fileSize, account }: WorkbookUpload,
  options: Pick<UploadOptions, 'sheet'>,
  form: 'packed' | 'plain' = 'packed',
): Promise<StoredTable> {
  const file = { path: blobs.localPath?.(blobKey), bytes: () => blobs.open(blobKey, { size: fileSize }), account };
  const sheet = await workbooks.open(file, options.sheet === undefined ? {} : { sheet: options.sheet });
  try {
    const kept: Buffer[] = [];
    let size = 0;
    let refused: unknown;
    async function* pass(): AsyncGenerator<Buffer> {
      try {
        for await (const piece of sheet.tsv) {
          if (size < HEAD_BYTES) kept.push(piece.subarray(0, HEAD_BYTES - size));
          size += piece.length;
          yield piece;
        }
      } catch (error) {
        refused = error;
        throw error;
      }
    }
    const stored = await blobs
      .put(tableKey(blobKey), form === 'packed' ? packed(pass()) : pass(), {
        maxBytes: form === 'packed' ? packedLimit(fileSize) : Number.MAX_SAFE_INTEGER,
      })
      .catch((error: unknown) => {
        throw error !== refused && error instanceof RegistryError && error.code === 'file.too-large'
          ? tooLong(size, error)
          : error;
      });
    return {
      readAs: {
        sheet: sheet.sheetName,
        bytes: size,
        ...(form === 'packed' ? { packed: stored.size } : {}),
        ...(sheet.archived ? { archived: true } : {}),
        ...(sheet.isa ? { isa: true } : {}),
        ...notRead(sheet),
        ...besideCells(sheet),
        ...(sheet.title === undefined ? {} : { title: sheet.title }),
      },
      ...(sheet.release === undefined ? {} : { release: sheet.release }),
      head: Buffer.concat(kept),
    };
  } finally {
    sheet.close();
  }
}

/** The sheets that name samples beside the one that is read. */
function notRead({ sheetName, tables = [] }: WorkbookSheet): Pick<ReadAs, 'notRead'> {
  const others = tables.filter((name) => name !== sheetName);
  return others.length === 0 ? {} : { notRead: others.map((name) => shorten(name)) };
}

function besideCells(sheet: WorkbookSheet): Pick<ReadAs, 'beside'> {
  const beside = sheet.notes?.()?.beside;
  return beside === undefined ? {} : { beside };
}

/** At its fastest: half the time of the default, and a tenth larger. */
async function* packed(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gzip = createGzip({ level: 1, chunkSize: 64 * 1024 });
  let failed: unknown;
  const source = Readable.from(text, { objectMode: false }).once('error', (error) => {
    failed = error;
    gzip.destroy(error);
  });
  source.pipe(gzip);
  try {
    yield* gzip;
  } catch (error) {
    throw failed ?? error;
  } finally {
    source.destroy();
    gzip.destroy();
  }
}

const tooLong = (bytes: number, cause: unknown): RegistryError =>
  new RegistryError(
    'file.too-large',
    `The text of the sheet (more than ${Math.floor(bytes / MiB)} MiB) is far larger than the file that holds it. Save the sheet as tab-separated text (.tsv) and upload that, or split it.`,
    { cause },
  );

/** Makes the text of a submission's workbook again when it is not there, e.g. after a restore from a backup. */
export async function ensureTable(
  { blobs, workbooks }: { blobs: Blobs; workbooks?: Workbooks | undefined },
  submission: StoredFile & Pick<Submission, 'options' | 'account'>,
): Promise<void> {
  const { readAs } = submission.options;
  if (!readAs || !workbooks || (await isWhole(blobs, submission.blobKey, readAs))) return;
  for await (const _ of openSource(blobs, originalOf(submission)));
  const form = readAs.packed === undefined ? 'plain' : 'packed';
  const made = await storeTable({ blobs, workbooks }, submission, { sheet: readAs.sheet }, form);
  if (made.readAs.bytes === readAs.bytes) return;
  throw new RegistryError(
    'storage.damaged',
    `The text of the workbook came out as ${made.readAs.bytes} bytes and had ${readAs.bytes}: tell the operators.`,
  );
}

async function isWhole(blobs: Blobs, blobKey: string, { bytes, packed }: ReadAs): Promise<boolean> {
  try {
    for await (const _ of blobs.open(tableKey(blobKey), { end: 1, size: packed ?? bytes })) break;
    return true;
  } catch (error) {
    if (error instanceof RegistryError && (error.code === 'not-found' || error.code === 'storage.damaged'))
      return false;
    throw error;
  }
}
