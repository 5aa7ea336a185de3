/** The names of what is in an office file, read from the few places of the file that say them, and whether one with these is read at all. */
import {
  SAVE_AS_TABLE,
  type Unread,
  unreadCompound,
  unreadOpenDocument,
  unreadPackage,
} from '../../../src/tsv/header/office-files.js';
import { OLE, startsWith, ZIP } from '../../../src/tsv/header/wrong-kind.js';

/** Why the service would not read the file; undefined where it may, or where only it can say. */
export async function whyUnread(file: Blob): Promise<string | undefined> {
  const head = await bytesOf(file, 0, HEAD_BYTES);
  const bytes = new Uint8Array(head.buffer);
  let unread: Unread | undefined;
  if (startsWith(bytes, ZIP)) unread = ofOpenDocument(bytes) ?? unreadPackage(await namesInZip(file));
  else if (startsWith(bytes, OLE)) unread = await ofCompoundFile(file, head);
  return unread && `${unread.what} ${unread.fix ?? SAVE_AS_TABLE}`;
}

const HEAD_BYTES = 512;

async function bytesOf(file: Blob, from: number, to: number): Promise<DataView> {
  return new DataView(await file.slice(Math.max(0, from), to).arrayBuffer());
}

/** It says what it is in its first part, which is not packed. */
function ofOpenDocument(head: Uint8Array): Unread | undefined {
  const text = new TextDecoder('latin1').decode(head);
  const kind = /^.{30}mimetype(application\/vnd\.oasis\.opendocument\.[a-z-]+)(?=PK)/s.exec(text)?.[1];
  return kind === undefined ? undefined : unreadOpenDocument(kind);
}

/** A zip archive ends with where its list of contents is, and a remark of up to 64 KB. */
const TAIL_BYTES = 22 + 65_535;
const END_MARK = 0x06054b50;
const ENTRY_MARK = 0x02014b50;
/** Longer lists are left to the service. */
const LIST_BYTES = 2_000_000;

async function namesInZip(file: Blob): Promise<string[]> {
  const tail = await bytesOf(file, file.size - TAIL_BYTES, file.size);
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END_MARK) end--;
  if (end < 0) return [];
  const [size, at] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  if (size > LIST_BYTES || at + size > file.size) return [];
  const list = await bytesOf(file, at, at + size);
  const names: string[] = [];
  for (let entry = 0; entry + 46 <= list.byteLength && list.getUint32(entry, true) === ENTRY_MARK; ) {
    const [name, extra, remark] = [28, 30, 32].map((part) => list.getUint16(entry + part, true)) as [
      number,
      number,
      number,
    ];
    names.push(
      new TextDecoder().decode(new Uint8Array(list.buffer, entry + 46, Math.min(name, list.byteLength - entry - 46))),
    );
    entry += 46 + name + extra + remark;
  }
  return names.map((name) => name.replaceAll('\\', '/').toLowerCase());
}

/** Sectors of the table of sectors that the header of a compound file names itself; of those with more the service looks. */
const IN_HEADER = 109;
const LAST_SECTOR = 0xfffffffa;
const ENTRY_BYTES = 128;
const MOST_SECTORS = 2_000;
const STREAM = 2;
const FOLDER = 1;

async function ofCompoundFile(file: Blob, head: DataView): Promise<Unread | undefined> {
  if (head.byteLength < HEAD_BYTES) return undefined;
  const sectorBytes = 2 ** head.getUint16(30, true);
  if (sectorBytes !== 512 && sectorBytes !== 4096) return undefined;
  const sector = (at: number) => bytesOf(file, (at + 1) * sectorBytes, (at + 2) * sectorBytes);
  const tables = new Map<number, DataView>();
  const next = async (at: number): Promise<number> => {
    const table = Math.floor((at * 4) / sectorBytes);
    if (table >= IN_HEADER) return LAST_SECTOR;
    const known = tables.get(table) ?? (await sector(head.getUint32(76 + table * 4, true)));
    tables.set(table, known);
    const place = (at * 4) % sectorBytes;
    return place + 4 <= known.byteLength ? known.getUint32(place, true) : LAST_SECTOR;
  };
  const entries: DataView[] = [];
  let at = head.getUint32(48, true);
  for (let read = 0; at < LAST_SECTOR && read < MOST_SECTORS; read++) {
    const part = await sector(at);
    for (let entry = 0; entry + ENTRY_BYTES <= part.byteLength; entry += ENTRY_BYTES)
      entries.push(new DataView(part.buffer, entry, ENTRY_BYTES));
    at = await next(at);
  }
  return namesOfRoot(entries);
}

function namesOfRoot(entries: readonly DataView[]): Unread | undefined {
  const names = new Map<number, Set<string>>([STREAM, FOLDER].map((kind) => [kind, new Set()]));
  const waiting = [entries[0]?.getUint32(76, true)];
  const seen = new Set<number>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entry = entries[at];
    if (entry === undefined || seen.has(at)) continue;
    seen.add(at);
    const length = Math.max(0, Math.min(64, entry.getUint16(64, true)) - 2);
    const name = new TextDecoder('utf-16le').decode(new Uint8Array(entry.buffer, entry.byteOffset, length));
    names.get(entry.getUint8(66))?.add(name.toLowerCase());
    waiting.push(entry.getUint32(68, true), entry.getUint32(72, true));
  }
  // Of one that could not be followed nothing is said.
  return seen.size === 0 ? undefined : unreadCompound(names.get(STREAM) ?? new Set(), names.get(FOLDER) ?? new Set());
}
