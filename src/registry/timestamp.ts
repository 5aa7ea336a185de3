/** What date-time.ts reads, with the words for what it cannot read. */
import { parseDateTime, WANTED_DATE } from './date-time.js';

/** Why a text is no timestamp: plain words ending in the wanted form, and what was probably meant. */
export interface TimestampFault {
  message: string;
  suggestion?: string;
}

/** Milliseconds since 1970, UTC, or why not. */
export function parseTimestamp(text: string): number | TimestampFault {
  const read = parseDateTime(text.trim());
  if (typeof read === 'number') return read;
  const { suggestion } = read;
  const message = `"${text.slice(0, 100)}" is not an ISO 8601 date; write ${suggestion ?? WANTED_DATE}.`;
  return suggestion === undefined ? { message } : { message, suggestion };
}
