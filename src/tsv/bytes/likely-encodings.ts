/**
 * What text may be that is not UTF-8: encodings in which its words look like words, with a cell as it would read, for somebody
 * who knows what it should say. Advice alone: nothing is read by it unasked.
 */
import { CODE_PAGE_850 } from './code-page-850.js';

export interface LikelyEncoding {
  /** WHATWG label, or `ibm850`. */
  encoding: string;
  /** A cell that differs between the likely ones, as it would read. */
  example: string;
}

/** By what spreadsheet programs save as text, around the world; of equals the first is named. */
const CANDIDATES = [
  'windows-1252',
  'macintosh',
  'shift_jis',
  'gb18030',
  'euc-kr',
  'big5',
  'euc-jp',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'koi8-r',
  CODE_PAGE_850,
] as const;

/** First bytes of those characters of two bytes that texts are mostly made of; the others are rare ones. */
const COMMON: Partial<Record<string, (lead: number, trail: number) => boolean>> = {
  shift_jis: (lead) => lead <= 0x97,
  gb18030: (lead, trail) => lead >= 0xa1 && lead <= 0xd7 && trail >= 0xa1,
  'euc-kr': (lead, trail) => lead >= 0xa1 && lead <= 0xc8 && trail >= 0xa1,
  big5: (lead) => lead >= 0xa1 && lead <= 0xc6,
  'euc-jp': (lead) => (lead >= 0xa1 && lead <= 0xa5) || (lead >= 0xb0 && lead <= 0xcf),
};

const MOST = 4;
/** Share of the words that have to look like words. */
const LEAST = 0.8;
const LOOKED_AT = 64 * 1024;
const EXAMPLE = 40;
const SEPARATORS = /[\t\r\n,;"]+/;

interface Reading {
  encoding: string;
  cells: string[];
  score: number;
}

/** `decode`: the whole text, or undefined where the bytes are none in that encoding. The most likely first, at most four. */
export function likelyEncodings(
  bytes: Uint8Array,
  decode: (bytes: Uint8Array, encoding: string) => string | undefined,
): LikelyEncoding[] {
  const part = wholeLines(bytes);
  if (part.includes(0)) return [];
  const readings: Reading[] = [];
  for (const encoding of CANDIDATES) {
    const cells = decode(part, encoding)?.split(SEPARATORS) ?? [];
    const score = wordShare(cells) * commonShare(part, encoding);
    if (score < LEAST || readings.some((other) => other.cells.join() === cells.join())) continue;
    readings.push({ encoding, cells, score });
  }
  const likely = readings
    .sort((one, other) => Math.round(10 * other.score) - Math.round(10 * one.score))
    .slice(0, MOST);
  const at = tellingCell(likely);
  return likely.map(({ encoding, cells }) => ({ encoding, example: (cells[at] ?? '').trim().slice(0, EXAMPLE) }));
}

/** From the first line on that is more than ASCII; so that no character is cut. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = lineEnd(bytes, Math.max(0, first)) + 1;
  if (bytes.length - start <= LOOKED_AT) return bytes.subarray(start);
  const end = lineEnd(bytes, start + LOOKED_AT);
  return bytes.subarray(start, end > start ? end : start + LOOKED_AT);
}

/** The last one before; -1 for none. */
const lineEnd = (bytes: Uint8Array, before: number): number =>
  Math.max(bytes.lastIndexOf(10, before), bytes.lastIndexOf(13, before));

/** The first of those cells that read in the most ways. */
function tellingCell(readings: readonly Reading[]): number {
  let most = { at: 0, ways: 0 };
  for (const [at, cell] of (readings[0]?.cells ?? []).entries()) {
    if (!/\P{ASCII}/u.test(cell)) continue;
    const ways = new Set(readings.map(({ cells }) => cells[at])).size;
    if (ways > most.ways) most = { at, ways };
  }
  return most.at;
}

/** Of the characters of two bytes. */
function commonShare(bytes: Uint8Array, encoding: string): number {
  const isCommon = COMMON[encoding];
  if (isCommon === undefined) return 1;
  let [common, all] = [0, 0];
  for (let at = 0; at + 1 < bytes.length; at++) {
    const lead = bytes[at] as number;
    if (lead < 0x80) continue;
    all++;
    if (isCommon(lead, bytes[++at] as number)) common++;
  }
  return all === 0 ? 0 : common / all;
}

/** Of the words with a character beyond ASCII, those that look like words. */
function wordShare(cells: readonly string[]): number {
  const words = new Set(
    cells.flatMap((cell) => cell.split(/[\s!-&(-,./:-@[-`{-~]+/)).filter((word) => /\P{ASCII}/u.test(word)),
  );
  let good = 0;
  for (const word of words) if (looksLikeOne(word)) good++;
  return words.size === 0 ? 0 : good / words.size;
}

/** Characters that no cell has: controls, private and unassigned ones, halves of Japanese, rare forms of Chinese. */
const NEVER = /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\ufffd\uff61-\uff9f\u3400-\u4dbf\uf900-\ufaff]/u;
/** Beside letters, in tables of samples. */
const SIGNS = /[°‰µ±²³¹·×÷–—‘’“”„…€£§®™«»ºª½¼¾・ー、。（）［］：／％℃\u3000\u00a0]/gu;
const EAST_ASIAN = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{ASCII}\uff01-\uff5e]+$/u;
const ONE_SCRIPT = [EAST_ASIAN, /^[\p{sc=Hangul}\p{ASCII}]+$/u, /^[\p{sc=Cyrillic}\d'-]+$/u, /^[\p{sc=Greek}\d'-]+$/u];
const LATIN = /^[\p{sc=Latin}\p{M}\d'-]+$/u;

function looksLikeOne(word: string): boolean {
  if (NEVER.test(word)) return false;
  // Between two letters a sign is a letter of another encoding; but for those that stand for an apostrophe or a hyphen.
  if (/\p{L}[^\p{L}\p{M}\p{N}'’–·・ー-]\p{L}/u.test(word)) return false;
  const letters = word.replace(SIGNS, '');
  if (letters === '') return true;
  if (/\p{Ll}(?=\p{Lu})\P{ASCII}|\p{Lu}(?=\p{Lu})\P{ASCII}\p{Ll}/u.test(letters)) return false;
  if (ONE_SCRIPT.some((script) => script.test(letters))) return true;
  const beyond = letters.match(/\P{ASCII}/gu)?.length ?? 0;
  return LATIN.test(letters) && !(letters.length >= 3 && 2 * beyond > letters.length);
}
