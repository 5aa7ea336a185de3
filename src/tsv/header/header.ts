/** The head of a file → its plan: what the upload endpoint asks before it answers, and the worker before it reads. */
import { RegistryError } from '../../registry/errors.js';
import { afterLastLineEnd, decodeWhole } from '../bytes/decode.js';
import { decodingOf, encodingOf, markLength } from '../bytes/encoding.js';
import { Head, headRows } from '../bytes/head-rows.js';
import { RowReader } from '../bytes/row-reader.js';
import { unmarkedUtf16 } from '../bytes/unmarked-utf-16.js';
import { HEADER_LIMIT } from '../dialect.js';
import { refuseFailed } from '../forms/failed-sheet.js';
import { DataRows } from '../rows/data-rows.js';
import type { SheetOptions, SheetPlan } from './columns.js';
import { findHeader } from './find-header.js';
import { notText, planHeader, wrongKind } from './plan-header.js';
import { binaryKind } from './wrong-kind.js';

export type { SheetOptions } from './columns.js';

/**
 * Reads the header row from the first bytes of a file, at most 1 MiB; `complete` says that they are the whole file,
 * which is then also checked to hold a sample row. Blank rows and `#` rows may stand above the header.
 * @throws RegistryError file.header, file.wrong-kind, file.empty, file.encoding, file.quote-unclosed, file.receipt-unclosed, request.invalid
 */
export function readHeader(head: Buffer, options: SheetOptions, complete: boolean): SheetPlan {
  const { text, encoding } = textOfHead(head, options.encoding, complete);
  const rows = new Head(text, complete, options.rowsAreLines);
  const row = findHeader(rows, options);
  if (row === undefined) {
    refuseFailed(rows);
    throw noHeader(encoding.startsWith('utf-16') ? text.includes('\0') : head.includes(0), complete);
  }
  const plan = planHeader(row, rows, encoding, options);
  if (complete) refuseNoRows(text, plan);
  return plan;
}

/**
 * The text of the first bytes of a file, up to the last line end where they are not all of it.
 * @throws RegistryError file.wrong-kind, file.empty, file.encoding, request.invalid
 */
export function textOfHead(
  head: Buffer,
  label: string | undefined,
  complete: boolean,
): { text: string; encoding: string } {
  const binary = binaryKind(head);
  if (binary)
    throw wrongKind(
      `This is ${binary}, not a table of text. Save the sheet as tab-separated text (.tsv) and upload that.`,
    );
  const encoding = encodingOf(head, label);
  const text = headText(head, encoding, complete);
  if (complete && text.trim() === '')
    throw empty('The file is empty. Upload a table with a header row and a row for each sample.');
  return { text, encoding };
}

function headText(head: Buffer, encoding: string, complete: boolean): string {
  const decoding = decodingOf(encoding);
  const mark = markLength(encoding, head);
  const cut = complete ? head.length : afterLastLineEnd(head, decoding.unit, encoding);
  if (decoding.unit === 1 && unmarkedUtf16(head)) {
    throw new RegistryError(
      'file.encoding',
      'The file looks like UTF-16 without a byte order mark. Save it as UTF-8, or name it with the option encoding=utf-16le (or utf-16be).',
      { extra: { line: 1 } },
    );
  }
  return decodeWhole(head.subarray(mark, Math.max(mark, cut)), decoding, mark, 1);
}

export const NO_ROWS =
  'The file has a header row but no sample rows below it; add one row per sample and upload it again.';

function refuseNoRows(text: string, plan: SheetPlan): void {
  const reader = new RowReader(plan.delimiter, plan.rowsAreLines);
  const rows = new DataRows(reader, plan);
  for (const _ of headRows(text, true, reader, rows)) return;
  rows.requireClosedReceipts();
  throw empty(NO_ROWS);
}

const empty = (message: string): RegistryError => new RegistryError('file.empty', message, { extra: { line: 1 } });

function noHeader(binary: boolean, complete: boolean): RegistryError {
  if (binary) return notText(1);
  if (complete)
    return new RegistryError(
      'file.empty',
      'The file holds no header row. Put the names of the columns above the rows of the samples, Sample Name among them.',
      { extra: { line: 1 } },
    );
  return new RegistryError(
    'file.header',
    `No header row ends within the first ${HEADER_LIMIT / 1024 / 1024} MiB of the file. Check that it is a table with one header row and line ends.`,
    { extra: { line: 1 } },
  );
}
