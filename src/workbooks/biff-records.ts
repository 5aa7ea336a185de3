/** Records of a binary workbook ([MS-XLS] 2.1.4) as they stream by: a number that says what it is, a length, the bytes. */
import { broken } from './refusal.js';

/** What is read of them; all others pass by. */
export const RECORD = {
  formula: 0x06,
  eof: 0x0a,
  date1904: 0x22,
  password: 0x2f,
  continued: 0x3c,
  sheet: 0x85,
  numbers: 0xbd,
  richText: 0xd6,
  cellFormat: 0xe0,
  merged: 0xe5,
  texts: 0xfc,
  sharedText: 0xfd,
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
    while (at + 4 <= kept.length) {
      const type = kept.readUInt16LE(at);
      const end = at + 4 + kept.readUInt16LE(at + 2);
      if (end > kept.length) break;
      const data = kept.subarray(at + 4, end);
      at = end;
      if (type === RECORD.bof) {
        depth++;
        if (depth === 1 && (data.length < 4 || data.readUInt16LE(0) !== VERSION)) throw otherVersion();
      } else if (depth === 0) throw broken('A part of the workbook does not begin where it should.');
      if (depth === 1) yield { type, data };
      if (type === RECORD.eof && --depth === 0) return;
    }
    kept = kept.subarray(at);
    await after?.();
  }
  throw broken('The workbook is cut short.');
}

/** Excel 97 and since. */
const VERSION = 0x0600;

const otherVersion = () => broken('The workbook is of a version before Excel 97.');
