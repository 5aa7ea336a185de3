/** Release dates of a sheet. The same few repeat on every row, so each spelling is read once. */
import { formatDateTime, parseDateTime } from '../../registry/date-time.js';

/** Why a text is no date: what it probably means, when it can only mean one day. */
export interface NoDate {
  suggestion?: string;
}

/** A release as a sheet says it: `2024-11-21`, with the time of day when there is one. */
export const releaseText = (ms: number): string => formatDateTime(ms).replace('T00:00:00.000Z', '');

const CACHED = 4096;
const DASH = 45;
const ZERO = 48;

export class ReleaseCells {
  readonly #days = new Map<number, number | NoDate>();
  readonly #texts = new Map<string, number | NoDate>();

  /** Milliseconds since 1970 of the text from `from` to before `to`, or why it is no date. */
  read(text: string, from: number, to: number): number | NoDate {
    const day = to - from === 10 ? dayNumber(text, from) : -1;
    return day < 0
      ? remembered(this.#texts, text.substring(from, to), text, from, to)
      : remembered(this.#days, day, text, from, to);
  }
}

function remembered<K>(cache: Map<K, number | NoDate>, key: K, text: string, from: number, to: number) {
  const known = cache.get(key);
  if (known !== undefined) return known;
  if (cache.size >= CACHED) cache.clear();
  const read = parseDateTime(text.substring(from, to));
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
