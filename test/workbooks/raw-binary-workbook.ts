/** Binary workbooks record by record, in a compound file made sector by sector, honest or not. */
import { writeFileSync } from 'node:fs';
import { scratch } from './raw-workbook.js';

const SECTOR = 512;
const END = 0xfffffffe;
const NOBODY = 0xffffffff;

/** A stream by its name, or a folder without anything in it. */
export type CompoundParts = Record<string, Buffer | 'folder'>;

/** `change` is given the bytes before they are written. */
export function compoundFile(parts: CompoundParts, change: (bytes: Buffer) => void = () => undefined): string {
  const names = Object.keys(parts);
  const streams = names.map((name) => parts[name] as Buffer | 'folder');
  const bytesOf = (part: Buffer | 'folder'): Buffer => (part === 'folder' ? Buffer.alloc(0) : part);
  const small = streams.map((part) => part !== 'folder' && part.length < 4096);
  const minis = streams.map((part, at) => padded(small[at] ? bytesOf(part) : Buffer.alloc(0), 64));
  const miniStream = padded(Buffer.concat(minis), SECTOR);
  const miniNext = padded(
    Buffer.concat(minis.map((mini, at) => chain(before(minis, at) / 64, mini.length / 64))),
    SECTOR,
    0xff,
  );
  const bodies = [
    Buffer.alloc(Math.ceil((names.length + 1) / 4) * SECTOR),
    miniNext,
    miniStream,
    ...streams.map((part, at) => (small[at] ? Buffer.alloc(0) : padded(bytesOf(part), SECTOR))),
  ];
  const dataSectors = bodies.reduce((sum, body) => sum + body.length / SECTOR, 0);
  const tables = Math.ceil((dataSectors + 2) / (SECTOR / 4 - 1));
  const startOf = (at: number): number => (bodies[at]?.length ? tables + before(bodies, at) / SECTOR : END);
  const next = padded(
    Buffer.concat([
      Buffer.alloc(tables * 4, Buffer.from('fdffffff', 'hex')),
      ...bodies.map((body, at) => chain(startOf(at), body.length / SECTOR)),
    ]),
    tables * SECTOR,
    0xff,
  );
  const directory = bodies[0] as Buffer;
  entry(directory, 0, 'Root Entry', {
    kind: 5,
    child: names.length > 0 ? 1 : NOBODY,
    start: startOf(2),
    size: miniStream.length,
  });
  for (const [at, name] of names.entries()) {
    entry(directory, at + 1, name, {
      kind: streams[at] === 'folder' ? 1 : 2,
      right: at + 2 <= names.length ? at + 2 : NOBODY,
      start: small[at] ? before(minis, at) / 64 : startOf(at + 3),
      size: bytesOf(streams[at] as Buffer | 'folder').length,
    });
  }
  const header = Buffer.alloc(SECTOR);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(tables, 44);
  header.writeUInt32LE(startOf(0), 48);
  header.writeUInt32LE(4096, 56);
  header.writeUInt32LE(startOf(1), 60);
  header.writeUInt32LE(END, 68);
  for (let at = 0; at < 109; at++) header.writeUInt32LE(at < tables ? at : NOBODY, 76 + at * 4);
  const bytes = Buffer.concat([header, next, ...bodies]);
  change(bytes);
  const path = scratch('book.xls');
  writeFileSync(path, bytes);
  return path;
}

const before = (parts: readonly Buffer[], at: number): number =>
  parts.slice(0, at).reduce((sum, part) => sum + part.length, 0);

function padded(bytes: Buffer, unit: number, fill = 0): Buffer {
  const rest = bytes.length % unit;
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(unit - rest, fill)]);
}

function chain(start: number, count: number): Buffer {
  const next = Buffer.alloc(count * 4);
  for (let at = 0; at < count; at++) next.writeUInt32LE(at + 1 < count ? start + at + 1 : END, at * 4);
  return next;
}

function entry(
  directory: Buffer,
  at: number,
  name: string,
  {
    kind,
    start,
    size,
    child = NOBODY,
    right = NOBODY,
  }: { kind: number; start: number; size: number; child?: number; right?: number },
): void {
  const to = at * 128;
  directory.write(name, to, 'utf16le');
  directory.writeUInt16LE((name.length + 1) * 2, to + 64);
  directory[to + 66] = kind;
  directory.writeUInt32LE(NOBODY, to + 68);
  directory.writeUInt32LE(right, to + 72);
  directory.writeUInt32LE(child, to + 76);
  directory.writeUInt32LE(start, to + 116);
  directory.writeUInt32LE(size, to + 120);
}

export function record(type: number, ...data: (number[] | Buffer)[]): Buffer {
  const bytes = Buffer.concat(data.map((part) => Buffer.from(part as Buffer)));
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(bytes.length, 2);
  return Buffer.concat([head, bytes]);
}

export const u16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value, at * 2);
  return bytes;
};
export const u32 = (value: number): Buffer => Buffer.concat([u16(value & 0xffff), u16(value >>> 16)]);
export const f64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};

/** As records hold it: letters of one byte where that is enough. */
export function letters(text: string): [flags: number, bytes: Buffer] {
  const wide = [...text].some((letter) => (letter.codePointAt(0) as number) > 255);
  return [wide ? 1 : 0, Buffer.from(text, wide ? 'utf16le' : 'latin1')];
}
export function longText(text: string): Buffer {
  const [flags, bytes] = letters(text);
  return Buffer.concat([u16(text.length), Buffer.from([flags]), bytes]);
}

export const BEGIN = record(0x809, u16(0x0600, 0x0010, 0, 0), u32(0), u32(0));
export const END_OF_PART = record(0x0a);

export interface RawBinarySheet {
  name?: string;
  /** 0 visible, 1 hidden, 2 very hidden. */
  state?: number;
  /** 0 cells, 2 a chart. */
  kind?: number;
  records: Buffer[];
}

/** The stream of a workbook: `globals` beside the list of sheets. */
export function workbookStream(sheets: RawBinarySheet[], globals: Buffer[] = []): Buffer {
  const parts = sheets.map(({ records }) => Buffer.concat([BEGIN, ...records, END_OF_PART]));
  const list = (starts: number[]): Buffer =>
    Buffer.concat(
      sheets.map(({ name = 'S', state = 0, kind = 0 }, at) => {
        const [flags, bytes] = letters(name);
        return record(0x85, u32(starts[at] ?? 0), [state, kind, name.length, flags], bytes);
      }),
    );
  const head = (starts: number[]): Buffer =>
    Buffer.concat([record(0x809, u16(0x0600, 0x0005, 0, 0)), ...globals, list(starts), END_OF_PART]);
  const first = head([]).length;
  return Buffer.concat([head(sheets.map((_, at) => first + before(parts, at))), ...parts]);
}

export const binaryWorkbook = (sheets: RawBinarySheet[], globals: Buffer[] = []): string =>
  compoundFile({ Workbook: workbookStream(sheets, globals) });

/** A cell with its text in it. */
export const label = (row: number, column: number, text: string): Buffer =>
  record(0x204, u16(row, column, 0), longText(text));
