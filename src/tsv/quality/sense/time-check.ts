/** A day of collection that is still to come, or that comes after the day on which the sample became public. */

import { DAY_MS, formatDateTime, parseDateTime } from '../../../registry/date-time.js';
import { ownText } from '../../../registry/own-text.js';
import type { Finding, SenseCheck, SenseRow } from './finding.js';

const MAX_CACHED = 2000;
const MONTH_OR_YEAR = /^(\d{4})(?:-(\d{2}))?$/;
/** A period is as early as it begins. */
const PERIOD = /^(\S+?)\/\S+$/;

export class TimeCheck implements SenseCheck {
  readonly wanted: readonly number[];
  readonly #days = new Map<string, number>();

  /** `now`: milliseconds since 1970. A day more is today somewhere. */
  constructor(
    private readonly cell: number,
    private readonly now: number,
  ) {
    this.wanted = [cell];
  }

  look({ cells, release }: SenseRow, found: Finding[]): void {
    const value = cells[this.cell];
    if (!value || value.length > 60) return;
    let day = this.#days.get(value);
    if (day === undefined) {
      day = earliest(value);
      if (this.#days.size >= MAX_CACHED) this.#days.clear();
      this.#days.set(ownText(value), day);
    }
    const what =
      day > this.now + DAY_MS
        ? 'is still to come; is the year right?'
        : day >= release + DAY_MS
          ? `is after the sample became public on ${formatDateTime(release).slice(0, 10)}; is one of the two wrong?`
          : undefined;
    if (what) found.push({ code: 'suspect.time', cell: this.cell, value, what });
  }
}

/** NaN of what is no date, or may be two: nothing is after or before it. */
function earliest(text: string): number {
  const [, year, month = '01'] = MONTH_OR_YEAR.exec(text) ?? [];
  if (year !== undefined) return Date.parse(`${year}-${month}-01T00:00:00Z`);
  const begin = PERIOD.exec(text)?.[1];
  if (begin && /^\d{4}-/.test(begin)) return earliest(begin);
  const read = parseDateTime(text);
  if (typeof read === 'number') return read;
  const { suggestion } = /^\d{5}(?:[.,]|$)/.test(text) ? {} : read;
  return suggestion === undefined ? Number.NaN : Date.parse(`${suggestion}T00:00:00Z`);
}
