/**
 * The body of a block of samples: releases as 64-bit numbers, then lengths of names, lengths of contents, and how far each line is behind the one
 * before, seven bits a byte, the low ones first; then each sample's name and content as UTF-8; all packed as an LZ4 block behind its
 * length (docs/decisions/0150). Numbers of four bytes each would be a quarter of what is packed.
 */
import { isAscii } from 'node:buffer';
import { compress, decompress } from 'lz4-wasm-nodejs';
import type { RowBytes } from '../../../registry/samples/whole-result.js';
import type { SampleRow } from '../../rows/sample-row.js';

export type PackedRow = Pick<SampleRow, 'name' | 'release' | 'doc' | 'line'>;

export interface PackedBlock {
  body: Uint8Array;
  /** Bytes of the longest content. */
  longest: number;
  /** Of the releases. */
  earliest: number;
  latest: number;
}

/** A number of seven bits a byte takes at most, and a release. */
const NUMBER = 5;
const RELEASE = 8;
/** Of a sample, before its texts, at most: lengths of name and content, how far its line is behind the one before, release. */
const HEAD = 3 * NUMBER + RELEASE;
/** More than any block has: what claims to be longer is damaged, and is not unpacked. */
const MOST_BYTES = 64 * 1024 * 1024;

let scratch = Buffer.alloc(0);

export function packBlock(rows: readonly PackedRow[]): PackedBlock {
  let text = '';
  for (const { name, doc } of rows) text += name + doc;
  // What a text may take at most.
  const room = rows.length * HEAD + text.length * 3;
  if (scratch.length < room) scratch = Buffer.allocUnsafe(room);
  const isPlain = Buffer.byteLength(text) === text.length;
  const lengthOf = isPlain ? (piece: string) => piece.length : (piece: string) => Buffer.byteLength(piece);
  let [longest, earliest, latest, at] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const { release } of rows) {
    if (release < earliest) earliest = release;
    if (release > latest) latest = release;
    at = scratch.writeDoubleLE(release, at);
  }
  for (const { name } of rows) at = writeNumber(lengthOf(name), at);
  for (const { doc } of rows) {
    const length = lengthOf(doc);
    if (length > longest) longest = length;
    at = writeNumber(length, at);
  }
  let before = 0;
  for (const { line } of rows) {
    at = writeNumber(((line ?? 0) - before) >>> 0, at);
    before = line ?? 0;
  }
  at += isPlain ? scratch.write(text, at, 'latin1') : scratch.write(text, at, 'utf8');
  return { body: compress(scratch.subarray(0, at)), longest, earliest, latest };
}

/** What the driver takes as bytes. */
export const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Of 32 bits; answers where the next one goes. */
function writeNumber(value: number, at: number): number {
  let rest = value;
  let place = at;
  for (; rest > 0x7f; rest >>>= 7) scratch[place++] = (rest & 0x7f) | 0x80;
  scratch[place++] = rest;
  return place;
}

/** Texts of all samples of a block, made when somebody asks for them: of ASCII in one piece, in a tenth of the time. */
export class BlockTexts {
  #text: string | undefined;
  #isAscii: boolean | undefined;

  /** `begin`: where they begin in the bytes. */
  constructor(
    readonly bytes: Buffer,
    private readonly begin = 0,
  ) {}

  slice(from: number, to: number): string {
    this.#isAscii ??= isAscii(this.begin === 0 ? this.bytes : this.bytes.subarray(this.begin));
    if (!this.#isAscii) return this.bytes.toString('utf8', from, to);
    this.#text ??= this.bytes.toString('latin1');
    return this.#text.slice(from, to);
  }
}

/** What `packBlock` made of `count` samples. Its lists are no typed arrays: each would have memory of its own, which costs more than the list. */
export class UnpackedBlock {
  readonly #all: Buffer;
  readonly #lines: number[];
  /** Where each name and each content begins in the bytes, and where the last one ends. */
  readonly #starts: number[];
  #texts: BlockTexts | undefined;

  /** @throws RangeError | Error for what `packBlock` did not make */
  constructor(
    body: Buffer,
    readonly count: number,
  ) {
    if (body.length < 4 || body.readUInt32LE(0) > MOST_BYTES) throw new RangeError('a block has no such length');
    const { buffer, byteOffset, byteLength } = decompress(body);
    this.#all = Buffer.from(buffer, byteOffset, byteLength);
    const numbers = new Numbers(this.#all, count * RELEASE);
    const names = numbers.take(count);
    const docs = numbers.take(count);
    this.#lines = numbers.take(count);
    for (let at = 1; at < count; at++) this.#lines[at] = (this.#lines[at] as number) + (this.#lines[at - 1] as number);
    let start = numbers.at;
    this.#starts = [start];
    for (let at = 0; at < count; at++) {
      const doc = start + (names[at] as number);
      start = doc + (docs[at] as number);
      this.#starts.push(doc, start);
    }
    if (start !== byteLength) throw new RangeError('a block is not as long as its samples');
  }

  get texts(): BlockTexts {
    this.#texts ??= new BlockTexts(this.#all, this.#starts[0]);
    return this.#texts;
  }

  /** Of all of `texts`. */
  placeOf(at: number): RowBytes {
    const starts = this.#starts;
    return {
      bytes: this.#all,
      name: starts[at * 2] as number,
      doc: starts[at * 2 + 1] as number,
      end: starts[at * 2 + 2] as number,
    };
  }

  /** `among`: the texts of all, where others of the block are asked for too. */
  row(at: number, among?: BlockTexts): { name: string; release: number; doc: string; line: number } {
    const { name, doc, end } = this.placeOf(at);
    const release = this.releaseOf(at);
    const line = this.#lines[at] as number;
    if (among) return { name: among.slice(name, doc), release, doc: among.slice(doc, end), line };
    return { name: this.#all.toString('utf8', name, doc), release, doc: this.#all.toString('utf8', doc, end), line };
  }

  /** Of many that are asked for. */
  nameOf(at: number): string {
    const { name, doc } = this.placeOf(at);
    return this.texts.slice(name, doc);
  }

  releaseOf(at: number): number {
    return this.#all.readDoubleLE(at * RELEASE);
  }
}

/** What `writeNumber` wrote, from `at` on. */
class Numbers {
  constructor(
    private readonly bytes: Buffer,
    public at: number,
  ) {}

  take(count: number): number[] {
    const taken: number[] = [];
    const { bytes } = this;
    let { at } = this;
    for (let n = 0; n < count; n++) {
      let byte = bytes[at++] as number;
      let value = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++] ?? 0;
        value |= (byte & 0x7f) << shift;
      }
      taken.push(value >>> 0);
    }
    this.at = at;
    return taken;
  }
}
