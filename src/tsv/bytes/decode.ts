/** Bytes of a file → blocks of text that end at line ends. What cannot be decoded is a file error, never U+FFFD. */
import { RegistryError } from '../../registry/errors.js';
import { SHORT_TEXT } from '../../registry/samples/sample-batch.js';
import { countLineBreaks, ROW_LIMIT } from '../dialect.js';
import { decodingOf, markLength, type TextDecoding } from './encoding.js';
import { likelyEncodings } from './likely-encodings.js';
import { tooLong } from './quoted-reader.js';

export interface TextBlock {
  /** Ends at a line end unless it is the last. */
  text: string;
  /** Bytes of the file before this block, and up to its end. */
  from: number;
  to: number;
  last: boolean;
}

/**
 * The whole file as text; nothing is kept of a block of bytes when the next is asked for. `lineOf` tells the line at which the next block begins, for errors.
 * @throws RegistryError file.encoding with line and byte offset; file.not-understood for a line beyond the row limit
 */
export async function* decodeBlocks(
  bytes: AsyncIterable<Buffer>,
  encoding: string,
  lineOf: () => number,
): AsyncGenerator<TextBlock> {
  const decoding = decodingOf(encoding);
  let offset = 0;
  let first = true;
  for await (const { block, last } of cutAtLineEnds(bytes, decoding, lineOf)) {
    const mark = first ? markLength(encoding, block) : 0;
    const body = mark === 0 ? block : block.subarray(mark);
    const from = first ? 0 : offset;
    first = false;
    offset = from + block.length;
    yield { text: decodeWhole(body, decoding, from + mark, lineOf()), from, to: offset, last };
  }
}

/**
 * Text of bytes that start at a character; `offset` and `line` say where they lie in the file.
 * @throws RegistryError file.encoding
 */
export function decodeWhole(body: Buffer, decoding: TextDecoding, offset: number, line: number): string {
  const text = decoding.decode(body);
  if (text === undefined) throw undecodable(body, decoding, offset, line);
  return text;
}

async function* cutAtLineEnds(
  bytes: AsyncIterable<Buffer>,
  { unit, encoding }: TextDecoding,
  lineOf: () => number,
): AsyncGenerator<{ block: Buffer; last: boolean }> {
  let parts: Buffer[] = [];
  let size = 0;
  let enough = SHORT_TEXT;
  for await (const part of bytes) {
    for (let at = 0; at < part.length; ) {
      const next = part.subarray(at, at + enough - size);
      at += next.length;
      parts.push(next);
      size += next.length;
      if (size < enough) continue;
      const joined = parts.length === 1 ? next : Buffer.concat(parts, size);
      const [whole, rest] = splitAt(joined, afterLastLineEnd(joined, unit, encoding));
      if (whole.length > 0) yield { block: whole, last: false };
      else if (size > ROW_LIMIT) throw tooLong(lineOf());
      parts = rest.length === 0 ? [] : [rest];
      size = rest.length;
      enough = Math.max(SHORT_TEXT, 2 * size);
    }
    // Its memory may be used again (openSource).
    if (size > 0) parts = [Buffer.concat(parts, size)];
  }
  yield { block: Buffer.concat(parts, size), last: true };
}

const splitAt = (block: Buffer, at: number): [Buffer, Buffer] => [block.subarray(0, at), block.subarray(at)];

/** A CR at the very end may be half of a CRLF, so it is no place to cut. */
export function afterLastLineEnd(block: Buffer, unit: 1 | 2, encoding: string): number {
  if (unit === 1) {
    const cr = block.length < 2 ? -1 : block.lastIndexOf(13, block.length - 2);
    return Math.max(block.lastIndexOf(10), cr) + 1;
  }
  const low = encoding === 'utf-16le' ? 0 : 1;
  const units = block.length >> 1;
  for (let at = units - 1; at >= 0; at--) {
    const code = block[at * 2 + low];
    if (block[at * 2 + 1 - low] !== 0) continue;
    if (code === 10 || (code === 13 && at < units - 1)) return (at + 1) * 2;
  }
  return 0;
}

function undecodable(body: Buffer, decoding: TextDecoding, offset: number, line: number): RegistryError {
  const at = badOffset(body, decoding);
  const before = decoding.decode(body.subarray(0, at)) ?? '';
  const bad = line + countLineBreaks(before);
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  const place = placeBehind(before.slice(lineStart));
  const byte = at < body.length ? `byte 0x${(body[at] as number).toString(16).toUpperCase().padStart(2, '0')}` : 'end';
  const fix =
    decoding.encoding === 'utf-8'
      ? `Save the file as UTF-8, or say what it is in with the option encoding${likelyOnes(body, at)}.`
      : 'Correct the file, or name the encoding that it is really in.';
  return new RegistryError(
    'file.encoding',
    `Line ${bad}, ${place}: the ${byte} at byte offset ${offset + at} is not valid ${decoding.encoding}. ${fix}`,
    { extra: { line: bad, column: place, offset: offset + at } },
  );
}

/** From the line on in which the text is not UTF-8. */
function likelyOnes(body: Buffer, at: number): string {
  const start = Math.max(body.lastIndexOf(10, at), body.lastIndexOf(13, at)) + 1;
  const likely = likelyEncodings(body.subarray(start), (bytes, encoding) =>
    decodingOf(encoding).decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
  );
  if (likely.length === 0) return ', e.g. encoding=windows-1252 or encoding=macintosh';
  return `: ${likely.map(({ encoding, example }) => `encoding=${encoding} if a cell reads "${example}"`).join(', ')}`;
}

/** Where in its line the character behind this text stands. What parts its cells is not known here, unless it is TABs. */
function placeBehind(text: string): string {
  const cells = text.split('\t').length;
  return cells > 1 ? `cell ${cells}` : `character ${text.length + 1}`;
}

/** Where the first bytes lie that are no character: the longest prefix that still decodes, by halving. */
function badOffset(body: Buffer, decoding: TextDecoding): number {
  let good = 0;
  let bad = body.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (middle <= body.length && decoding.decode(body.subarray(0, middle), true) !== undefined) good = middle;
    else bad = middle;
  }
  while (good > 0 && decoding.decode(body.subarray(0, good)) === undefined) good--;
  return good;
}
