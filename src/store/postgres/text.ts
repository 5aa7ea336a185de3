/**
 * PostgreSQL's text holds every character but U+0000. What users send may hold it, and a store that altered or refused
 * it would differ from the others; so it is spelled with an escape on the way in and read back on the way out. The
 * unit separator is spelled too, as it is in every store of before lists of texts were arrays
 * (docs/decisions/0012-bulk-writes-on-postgresql.md).
 */
const ESCAPE = '\u0001';
const SEPARATOR = '\u001f';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters in question
const TO_SPELL = /[\u0000\u0001\u001f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const EACH_TO_SPELL = /[\u0000\u0001\u001f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const EACH_SPELLED = /\u0001([012])/g;

const PLAIN = ['\u0000', ESCAPE, SEPARATOR] as const;

export const spellText = (text: string): string =>
  TO_SPELL.test(text) ? text.replace(EACH_TO_SPELL, (plain) => ESCAPE + PLAIN.indexOf(plain as '\u0000')) : text;

export const readText = (text: string): string =>
  text.includes(ESCAPE) ? text.replace(EACH_SPELLED, (_, at: string) => PLAIN[Number(at)] as string) : text;

const WORD = 4;
/** One dimension, no nulls or some, elements of type text, so many of them, counted from 1: numbers of 32 bits. */
const HEAD = 5 * WORD;
const TEXT_TYPE = 25;
const NULL_LENGTH = -1;

/** Texts, or nulls, for a parameter `$n::text[]`, in the binary form in which PostgreSQL receives arrays (`array_recv`): nothing in it is quoted. */
export class TextArray {
  #sent: Buffer | undefined;

  constructor(readonly texts: readonly (string | null)[]) {}

  /** Made once: whoever has the time may ask before it is sent. */
  toPostgres(): Buffer {
    this.#sent ??= arrayOf(this.texts.map((text) => (text === null ? null : spellText(text))));
    return this.#sent;
  }
}

function arrayOf(texts: readonly (string | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? 0 : Buffer.byteLength(text)));
  const sent = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + WORD + length, HEAD));
  let at = sent.writeInt32BE(1, 0);
  at = sent.writeInt32BE(texts.includes(null) ? 1 : 0, at);
  at = sent.writeInt32BE(TEXT_TYPE, at);
  at = sent.writeInt32BE(texts.length, at);
  at = sent.writeInt32BE(1, at);
  for (const [n, text] of texts.entries()) {
    at = sent.writeInt32BE(text === null ? NULL_LENGTH : (lengths[n] as number), at);
    if (text !== null) at += sent.write(text, at);
  }
  return sent;
}

/** Whole numbers as an array literal of PostgreSQL. */
export const numberArray = (numbers: Iterable<number | null>): string =>
  `{${[...numbers].map((number) => number ?? 'null').join(',')}}`;
