/** The address that cells of a binary workbook link to ([MS-XLS] 2.4.140, [MS-OSHARED] 2.3.7.1). */
import { addressIn } from '../cell-notes.js';

const HAS_ADDRESS = 0x1;
const HAS_SHOWN = 0x10;
const HAS_FRAME = 0x80;
const AS_TEXT = 0x100;
/** Of a moniker that is an address, as its bytes stand. */
const ADDRESS = 'e0c9ea79f9bace118c8200aa004ba90b';
/** Behind the range of cells and the mark of the object: its version and flags. */
const FLAGS_AT = 28;

/** Of the first cell of the range, both from 1. @throws RangeError of a record that is shorter than it should be */
export function linkOf(data: Buffer): { row: number; column: number; address: string } | undefined {
  const flags = data.readUInt32LE(FLAGS_AT);
  let at = FLAGS_AT + 4;
  if ((flags & HAS_SHOWN) !== 0) at += sizeOfText(data, at);
  if ((flags & HAS_FRAME) !== 0) at += sizeOfText(data, at);
  if ((flags & HAS_ADDRESS) === 0) return undefined;
  const address = addressIn((flags & AS_TEXT) !== 0 ? textIn(data, at) : addressOfMoniker(data, at));
  if (address === undefined) return undefined;
  return { row: data.readUInt16LE(0) + 1, column: data.readUInt16LE(4) + 1, address };
}

/** A link to a file has another moniker, which names a place of somebody's disk. */
function addressOfMoniker(data: Buffer, at: number): string | undefined {
  if (data.toString('hex', at, at + 16) !== ADDRESS) return undefined;
  const bytes = data.readUInt32LE(at + 16);
  return upToEnd(data.toString('utf16le', at + 20, at + 20 + bytes));
}

const textIn = (data: Buffer, at: number): string =>
  upToEnd(data.toString('utf16le', at + 4, at + 4 + 2 * data.readUInt32LE(at)));

const sizeOfText = (data: Buffer, at: number): number => 4 + 2 * data.readUInt32LE(at);

const upToEnd = (text: string): string => text.split('\0')[0] ?? '';
