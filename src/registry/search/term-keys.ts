/**
 * The flat terms that any index can hold, as texts and as the keys of postings: words, and short hashes of names and
 * values. Samples and queries have the same. Changing them calls for a rebuilt index.
 */
import { folded } from './filter-parts.js';

/** Longer words are cut, in samples and queries alike. */
const WORD_LENGTH = 40;
const WORDS = /[\p{L}\p{N}]+/gu;
/** Part of nearly every sample. */
const DULL = new Set(['http', 'https', 'www']);
const LONGEST_DULL = 5;

/** Words without case and accents, each with the letter `w` before it, in order. */
export function termsOfWords(text: string): string[] {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(WORDS);
  const terms: string[] = [];
  for (const word of words ?? []) if (!DULL.has(word)) terms.push(`w${word.slice(0, WORD_LENGTH)}`);
  return terms;
}

/** Whether a text holds anything that can be searched by. */
export const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text.normalize('NFKD'));

const WORD = 'w'.charCodeAt(0);
const ASCII = 128;
/** What a character of ASCII is in a word, 0 where it is in none. */
const LETTERS = new Uint8Array(ASCII);
for (const letter of '0123456789abcdefghijklmnopqrstuvwxyz') {
  LETTERS[letter.charCodeAt(0)] = letter.charCodeAt(0);
  LETTERS[letter.toUpperCase().charCodeAt(0)] = letter.charCodeAt(0);
}

/** As `termKey` makes them. */
export interface Keys {
  readonly list: Float64Array;
  readonly count: number;
}

/** Keys in the making. */
class KeyList implements Keys {
  list = new Float64Array(64);
  count = 0;

  push(key: number): void {
    if (this.count === this.list.length) {
      const longer = new Float64Array(this.count * 2);
      longer.set(this.list);
      this.list = longer;
    }
    this.list[this.count++] = key;
  }
}

/** Of `termsOfWords`. */
function addKeysOfWords(text: string, keys: KeyList): void {
  if (addKeysOfAscii(text, keys)) return;
  for (const word of termsOfWords(text)) keys.push(keyOf(WORD, hashNumber(word)));
}

/** The same without a text for each word, in a tenth of the time; false, and none, where the text is not all ASCII. */
function addKeysOfAscii(text: string, keys: KeyList): boolean {
  const before = keys.count;
  const { length } = text;
  let a = 0;
  let b = 0;
  /** Letters of the word so far. */
  let letters = 0;
  for (let at = 0; at <= length; at++) {
    const character = at === length ? 0 : text.charCodeAt(at);
    if (character >= ASCII) {
      keys.count = before;
      return false;
    }
    const letter = LETTERS[character] as number;
    if (letter !== 0) {
      if (letters === 0) ({ a, b } = WORD_STATE);
      if (letters++ < WORD_LENGTH) {
        a = Math.imul(a ^ letter, A_FACTOR);
        b = Math.imul(b ^ letter, B_FACTOR);
      }
    } else if (letters > 0) {
      if (!isDull(text, at - letters, at)) keys.push(keyOf(WORD, finished(a, b)));
      letters = 0;
    }
  }
  return true;
}

const DULL_LETTERS = new Set([...DULL].map((word) => word.charCodeAt(0)));

/** Whether the word of ASCII at this place is. A text is cut out for the few alone that may be. */
function isDull(text: string, from: number, to: number): boolean {
  if (to - from > LONGEST_DULL || !DULL_LETTERS.has(LETTERS[text.charCodeAt(from)] as number)) return false;
  return DULL.has(text.slice(from, to).toLowerCase());
}

/** Of terms that are asked for once, as most are: valid until the next ones are. */
const once = new KeyList();

/** Terms that a sample has together, each made when it is first asked for: as the texts that they are in queries, or as the keys of postings. */
export class Terms {
  #texts: readonly string[] | undefined;
  #keys: Keys | undefined;
  #wasAsked = false;

  /** The words of `text`, and before them the term of this kind and code. */
  constructor(
    private readonly text: string,
    private readonly kind?: string,
    private readonly code = 0,
  ) {}

  get texts(): readonly string[] {
    this.#texts ??=
      this.kind === undefined
        ? termsOfWords(this.text)
        : [this.kind + this.code.toString(36), ...termsOfWords(this.text)];
    return this.#texts;
  }

  /** Valid until those of others are asked for. */
  get keys(): Keys {
    if (this.#keys !== undefined) return this.#keys;
    once.count = 0;
    if (this.kind !== undefined) once.push(codedKey(this.kind, this.code));
    addKeysOfWords(this.text, once);
    if (!this.#wasAsked) {
      this.#wasAsked = true;
      return once;
    }
    this.#keys = { list: once.list.slice(0, once.count), count: once.count };
    return this.#keys;
  }
}

/** Texts of these terms, each once. */
export function textsOf(terms: readonly Terms[]): string[] {
  const texts = new Set<string>();
  for (const some of terms) for (const text of some.texts) texts.add(text);
  return [...texts];
}

/** The number in a term of a characteristic or of a value of one. */
export const codeOf = (term: string): number => Number.parseInt(term.slice(1), 36);

/** The key of the term of this kind and code. */
export const codedKey = (kind: string, code: number): number => keyOf(kind.charCodeAt(0), code);

/** A term as a number below 2 ** 48, spread evenly: another one has the same by chance alone, which costs a wrong hit. */
export const termKey = (term: string): number => {
  const kind = term.charCodeAt(0);
  return keyOf(kind, kind === WORD ? hashNumber(term) : codeOf(term));
};

/** Each kind has keys of its own: a sample and a characteristic of one name have one code. */
const keyOf = (kind: number, code: number): number =>
  ((code ^ Math.imul(kind, 0x9e3779b1)) >>> 0) * 65_536 + (Math.floor(code / 4294967296) & 0xffff);

/** What has been mixed of a text so far: two lanes of 32 bits. */
export interface HashState {
  a: number;
  b: number;
}

const A_FACTOR = 2654435761;
const B_FACTOR = 1597334677;

const BEGINNING: HashState = { a: 0xdeadbeef, b: 0x41c6ce57 };

/** After these characters, behind those that `before` is after. */
export function hashState(text: string, before: HashState = BEGINNING): HashState {
  let { a, b } = before;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, A_FACTOR);
    b = Math.imul(b ^ unit, B_FACTOR);
  }
  return { a, b };
}

const WORD_STATE = hashState('w');

/**
 * 53 bits (the mixing of MurmurHash3 on two lanes), of all characters where `before` is after none: five times faster than SHA-1 from
 * node:crypto, and a collision costs a wrong hit, not a wrong sample.
 */
export function hashNumber(text: string, before?: HashState): number {
  const { a, b } = hashState(text, before);
  return finished(a, b);
}

/** What a character of ASCII is as it is compared (`folded`). */
const FOLDED = Uint8Array.from({ length: ASCII }, (_, unit) => String.fromCharCode(unit).toLowerCase().charCodeAt(0));
const isBlank = (unit: number): boolean => unit === 32 || (unit >= 9 && unit <= 13);

/** `hashNumber` of the text as it is compared, which is not made where it is all ASCII. */
export function hashOfFolded(text: string, before: HashState = BEGINNING): number {
  let [from, to] = [0, text.length];
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (from < to && isBlank(text.charCodeAt(to - 1))) to--;
  let { a, b } = before;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= ASCII) return hashNumber(folded(text), before);
    const letter = FOLDED[unit] as number;
    a = Math.imul(a ^ letter, A_FACTOR);
    b = Math.imul(b ^ letter, B_FACTOR);
  }
  return finished(a, b);
}

function finished(one: number, other: number): number {
  let a = one;
  let b = other;
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

/** In base 36, as it stands in terms. */
export const hash = (text: string): string => hashNumber(text).toString(36);
