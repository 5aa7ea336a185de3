/**
 * PostgreSQL's text holds every character but U+0000. What users send may hold it, and a store that altered or refused
 * it would differ from the others; so it is spelled with an escape on the way in and read back on the way out. The
 * unit separator is spelled too, because lists of texts travel joined by it: one parameter of 4 000 joined texts costs
 * a third of what the driver needs for an array of them (docs/decisions/0012-bulk-writes-on-postgresql.md).
 */
const ESCAPE = '\u0001';
export const SEPARATOR = '\u001f';
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

/**
 * Texts for `unnest(string_to_array($n, E'\x1f'))` beside an array of numbers of the same length. PostgreSQL reads a
 * list of one empty text as a list of none: `coalesce(…, '')` makes it a text again.
 */
export class JoinedTexts {
  #joined: string | undefined;

  constructor(readonly texts: readonly string[]) {}

  toPostgres(): string {
    this.#joined ??= this.#join();
    return this.#joined;
  }

  #join(): string {
    const joined = this.texts.join(SEPARATOR);
    const plain = !joined.includes('\u0000') && !joined.includes(ESCAPE);
    // A text that holds the separator itself shows as a list that is too long.
    if (plain && countSeparators(joined) === this.texts.length - 1) return joined;
    return this.texts.map(spellText).join(SEPARATOR);
  }
}

/** Texts and nulls for `unnest(string_to_array($n, E'\\x1f', E'\\x01n'))`; at least two. */
export class NullableTexts {
  constructor(readonly texts: readonly (string | null)[]) {}

  toPostgres(): string {
    return this.texts.map((text) => (text === null ? `${ESCAPE}n` : spellText(text))).join(SEPARATOR);
  }
}

function countSeparators(text: string): number {
  let count = 0;
  for (let at = text.indexOf(SEPARATOR); at !== -1; at = text.indexOf(SEPARATOR, at + 1)) count++;
  return count;
}

/** Whole numbers as an array literal of PostgreSQL. */
export const numberArray = (numbers: Iterable<number | null>): string =>
  `{${[...numbers].map((number) => number ?? 'null').join(',')}}`;
