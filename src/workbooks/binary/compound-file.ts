/**
 * Compound files ([MS-CFB]), the container of old binary workbooks: a file system in a file. Of it only the streams of the
 * root folder are read, sector by sector; chains that lead nowhere or in a circle are errors.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { LIMITS } from '../limits.js';
import { damaged, tooLarge } from '../refusal.js';

const HEADER_BYTES = 512;
/** Sectors of the table of sectors that the header itself names. */
const IN_HEADER = 109;
const LAST_SECTOR = 0xfffffffa;
const NO_ENTRY = 0xffffffff;
const ENTRY_BYTES = 128;
const MINI_BYTES = 64;
/** What is read at a time where sectors lie side by side. */
const RUN_BYTES = 256 * 1024;

interface Entry {
  name: string;
  kind: number;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

export class CompoundFile {
  private next = new Uint32Array();
  private entries: Entry[] = [];
  /** Of the root folder. */
  private readonly streams = new Map<string, Entry>();
  private readonly folders = new Set<string>();

  private constructor(
    private readonly file: FileHandle,
    private readonly fileBytes: number,
    private readonly header: Buffer,
    private readonly sectorBytes: number,
  ) {}

  /** @throws RegistryError file.not-understood, file.too-large */
  static async open(path: string): Promise<CompoundFile> {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const header = Buffer.alloc(HEADER_BYTES);
      await file.read(header, 0, HEADER_BYTES, 0);
      const shift = header.readUInt16LE(30);
      if (size < HEADER_BYTES || (shift !== 9 && shift !== 12)) throw broken('its header is none');
      const compound = new CompoundFile(file, size, header, 2 ** shift);
      await compound.#readTables();
      return compound;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Of the root folder, in small letters. */
  get streamNames(): ReadonlySet<string> {
    return new Set(this.streams.keys());
  }

  get folderNames(): ReadonlySet<string> {
    return this.folders;
  }

  /** The bytes of a stream from `start` on. @throws RegistryError file.not-understood */
  async *read(name: string, start = 0): AsyncGenerator<Buffer> {
    const entry = this.streams.get(name.toLowerCase());
    if (entry === undefined) throw broken(`it has no stream ${name}`);
    let passed = 0;
    for await (const piece of this.#bytesOf(entry)) {
      const from = Math.max(0, start - passed);
      const to = Math.min(piece.length, entry.size - passed);
      passed += piece.length;
      if (to > from) yield piece.subarray(from, to);
      if (passed >= entry.size) return;
    }
    throw broken(`its stream ${name} is cut short`);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  async #readTables(): Promise<void> {
    this.next = await this.#readNext();
    this.entries = entriesOf(await this.#whole(this.header.readUInt32LE(48)));
    const [root] = this.entries;
    if (root?.kind !== 5) throw broken('it has no root folder');
    const seen = new Set<number>();
    const waiting = [root.child];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const entry = at === NO_ENTRY || seen.has(at) ? undefined : this.entries[at];
      if (entry === undefined) continue;
      seen.add(at);
      if (entry.kind === 2) this.streams.set(entry.name.toLowerCase(), entry);
      else if (entry.kind === 1) this.folders.add(entry.name.toLowerCase());
      waiting.push(entry.left, entry.right);
    }
  }

  /** Which sector follows which. */
  async #readNext(): Promise<Uint32Array<ArrayBuffer>> {
    const places = Array.from({ length: IN_HEADER }, (_, at) => this.header.readUInt32LE(76 + at * 4));
    const perSector = this.sectorBytes / 4;
    const most = Math.ceil(this.fileBytes / this.sectorBytes);
    for (let more = this.header.readUInt32LE(68); more < LAST_SECTOR; ) {
      const list = await this.#sectors(more, 1);
      for (let at = 0; at < perSector - 1; at++) places.push(list.readUInt32LE(at * 4));
      if (places.length > most + IN_HEADER + perSector) throw broken('its list of sectors leads in a circle');
      more = list.readUInt32LE(this.sectorBytes - 4);
    }
    const used = places.filter((place) => place < LAST_SECTOR);
    if (used.length > most) throw broken('it has more sectors than bytes');
    const next = new Uint32Array(used.length * perSector);
    for (const [at, place] of used.entries()) {
      const sector = await this.#sectors(place, 1);
      for (let i = 0; i < perSector; i++) next[at * perSector + i] = sector.readUInt32LE(i * 4);
    }
    return next;
  }

  async *#bytesOf(entry: Entry): AsyncGenerator<Buffer> {
    const [root] = this.entries;
    if (entry.size >= this.header.readUInt32LE(56) || root === undefined) return yield* this.#chain(entry.start);
    // Small streams lie in a stream of their own, in sectors of 64 bytes.
    const next = await this.#whole(this.header.readUInt32LE(60));
    const bytes = await this.#whole(root.start);
    let left = next.length / 4;
    for (let at = entry.start; at < LAST_SECTOR; at = next.readUInt32LE(at * 4)) {
      if (left-- <= 0 || (at + 1) * 4 > next.length) throw broken('a chain of its sectors leads nowhere');
      yield bytes.subarray(at * MINI_BYTES, (at + 1) * MINI_BYTES);
    }
  }

  /** What is in memory at once. */
  async #whole(first: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of this.#chain(first)) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > LIMITS.partBytes) throw tooLarge('The workbook has too many parts.');
    }
    return Buffer.concat(pieces);
  }

  /** The sectors of a chain, those side by side at once. */
  async *#chain(first: number): AsyncGenerator<Buffer> {
    const most = Math.max(1, RUN_BYTES / this.sectorBytes);
    let left = this.next.length;
    for (let at = first; at < LAST_SECTOR; ) {
      let run = 0;
      let following = at;
      while (following === at + run && run < most) {
        if (left-- <= 0 || following >= this.next.length) throw broken('a chain of its sectors leads nowhere');
        run++;
        following = this.next[following] as number;
      }
      yield await this.#sectors(at, run);
      at = following;
    }
  }

  async #sectors(first: number, count: number): Promise<Buffer> {
    const bytes = Buffer.alloc(count * this.sectorBytes);
    const { bytesRead } = await this.file.read(bytes, 0, bytes.length, (first + 1) * this.sectorBytes);
    // The last sector may be cut where its stream ends.
    if (bytesRead <= (count - 1) * this.sectorBytes) throw broken('it is cut short');
    return bytes;
  }
}

function entriesOf(directory: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const nameBytes = Math.min(64, directory.readUInt16LE(at + 64));
    entries.push({
      name: directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2)),
      kind: directory[at + 66] as number,
      left: directory.readUInt32LE(at + 68),
      right: directory.readUInt32LE(at + 72),
      child: directory.readUInt32LE(at + 76),
      start: directory.readUInt32LE(at + 116),
      size: directory.readUInt32LE(at + 120),
    });
  }
  return entries;
}

const broken = (why: string) => damaged(`The workbook cannot be read (${why}).`);
