/** Records of a binary workbook ([MS-XLS] 2.1.4) as they stream by: a number that says what it is, a length, the bytes. */
import { broken } from '../refusal.js';

/** What is read of them; all others pass by. */
export const RECORD = {
  formula: 0x06,
  eof: 0x0a,
  note: 0x1c,
  date1904: 0x22,
  password: 0x2f,
  font: 0x31,
  continued: 0x3c,
  object: 0x5d,
  sheet: 0x85,
  numbers: 0xbd,
  richText: 0xd6,
  cellFormat: 0xe0,
  merged: 0xe5,
  texts: 0xfc,
  sharedText: 0xfd,
  objectText: 0x1b6,
  link: 0x1b8,
  calculated: 0x1c1,
  number: 0x203,
  text: 0x204,
  booleanOrError: 0x205,
  formulaText: 0x207,
  row: 0x208,
  shortNumber: 0x27e,
  numberFormat: 0x41e,
  bof: 0x809,
} as const;

export interface BiffRecord {
  type: number;
  data: Buffer;
}

/** Up to the end of its part, the one that it begins with: charts within a sheet are parts in it. @throws RegistryError file.not-understood */
export async function* recordsOf(
  bytes: AsyncIterable<Buffer>,
  after?: () => Promise<void>,
): AsyncGenerator<BiffRecord> {
  let kept: Buffer = Buffer.alloc(0);
  let depth = 0;
  for await (const piece of bytes) {
    kept = kept.length === 0 ? piece : Buffer.concat([kept, piece]);
    let at = 0;
    for (let record = recordAt(kept, at); record; record = recordAt(kept, at)) {
      at += HEAD_BYTES + record.data.length;
      if (depth === 0) requireBegin(record);
      if (record.type === RECORD.bof) depth++;
      if (depth === 1) yield record;
      if (record.type === RECORD.eof && --depth === 0) return;
    }
    kept = kept.subarray(at);
    await after?.();
  }
  throw broken('The workbook is cut short.');
}

/** Type and length. */
const HEAD_BYTES = 4;

/** The whole record that begins there, if there is one. */
function recordAt(bytes: Buffer, at: number): BiffRecord | undefined {
  const from = at + HEAD_BYTES;
  if (from > bytes.length) return undefined;
  const end = from + bytes.readUInt16LE(at + 2);
  return end > bytes.length ? undefined : { type: bytes.readUInt16LE(at), data: bytes.subarray(from, end) };
}

function requireBegin({ type, data }: BiffRecord): void {
  if (type !== RECORD.bof) throw broken('A part of the workbook does not begin where it should.');
  if (data.length < 4 || data.readUInt16LE(0) !== VERSION) throw otherVersion();
}

/** Excel 97 and since. */
const VERSION = 0x0600;

const otherVersion = () => broken('The workbook is of a version before Excel 97.');
