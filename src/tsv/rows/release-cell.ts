/** Release dates of a sheet. The same few repeat on every row, so each spelling is read once. */
import { formatDateTime, parseDateTime } from '../../registry/date-time.js';
import { ownText } from '../../registry/own-text.js';

/** Why a text is no date: what it probably means, when it can only mean one day. */
export interface NoDate {
  suggestion?: string;
}

/** A release as a sheet says it: `2024-11-21`, with the time of day when there is one. */
export const releaseText = (ms: number): string => formatDateTime(ms).replace('T00:00:00.000Z', '');

const CACHED = 4096;
/** A date with its time and zone is shorter. */
const LONGEST = 60;
const DASH = 45;
const ZERO = 48;

export class ReleaseCells {
  readonly #days = new Map<number, number | NoDate>();
  readonly #texts = new Map<string, number | NoDate>();

  /** Milliseconds since 1970 of the text from `from` to before `to`, or why it is no date. */
  read(text: string, from: number, to: number): number | NoDate {
    const day = to - from === 10 ? dayNumber(text, from) : -1;
    if (day >= 0) return this.#days.get(day) ?? remember(this.#days, day, text.substring(from, to));
    const said = text.substring(from, to);
    if (said.length > LONGEST) return parseDateTime(said);
    return this.#texts.get(said) ?? remember(this.#texts, ownText(said), said);
  }
}

function remember<K>(cache: Map<K, number | NoDate>, key: K, said: string): number | NoDate {
  if (cache.size >= CACHED) cache.clear();
  const read = parseDateTime(said);
  cache.set(key, read);
  return read;
}

/** 20241121 for `2024-11-21`, -1 for anything that is not digits and dashes in these places. */
function dayNumber(text: string, from: number): number {
  let number = 0;
  for (let at = 0; at < 10; at++) {
    const code = text.charCodeAt(from + at);
    if (at === 4 || at === 7) {
      if (code !== DASH) return -1;
    } else {
      const digit = code - ZERO;
      if (digit < 0 || digit > 9) return -1;
      number = number * 10 + digit;
    }
  }
  return number;
}
