/** Zip archives byte by byte, so that they can say what no honest archiver writes. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface RawEntry {
  name: string | Buffer;
  data?: Buffer | string;
  /** Instead of compressing `data`: what stands in the file. */
  packed?: Buffer;
  /** Numbers of the two headers, where they are to say something else. */
  method?: number;
  flags?: number;
  crc?: number;
  size?: number;
  packedSize?: number;
  /** Stands on the bytes of the entry with this number. */
  sharing?: number;
}

export interface RawZip {
  /** Numbers of the end record. */
  count?: number;
  directoryAt?: number;
  directorySize?: number;
  commentLength?: number;
}

export function rawZip(entries: readonly RawEntry[], said: RawZip = {}): Buffer {
  const blocks: Buffer[] = [];
  const directory: Buffer[] = [];
  const places: number[] = [];
  let at = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name as string);
    const data = Buffer.from((entry.data ?? '') as string);
    const packed = entry.packed ?? deflateRawSync(data);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(entry.flags ?? 0x800, 2);
    head.writeUInt16LE(entry.method ?? 8, 4);
    head.writeUInt32LE(entry.crc ?? crc32(data), 10);
    head.writeUInt32LE(entry.packedSize ?? packed.length, 14);
    head.writeUInt32LE(entry.size ?? data.length, 18);
    head.writeUInt16LE(name.length, 22);
    places.push(entry.sharing === undefined ? at : (places[entry.sharing] as number));
    if (entry.sharing === undefined) {
      const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, name, packed]);
      blocks.push(local);
      at += local.length;
    }
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(places.at(-1) as number, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), head, rest, name]));
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(said.count ?? entries.length, 8);
  end.writeUInt16LE(said.count ?? entries.length, 10);
  end.writeUInt32LE(said.directorySize ?? list.length, 12);
  end.writeUInt32LE(said.directoryAt ?? at, 16);
  end.writeUInt16LE(said.commentLength ?? 0, 20);
  return Buffer.concat([...blocks, list, end]);
}
