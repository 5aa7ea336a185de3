/** Ranges of numbers and dates as people would draw them: round ends, and what lies far out in the first and last. Pure. */
import { DAY_MS } from '../../registry/date-time.js';

/** Ranges between the first and the last, about. */
const RANGES = 8;
/** Of the samples, this part may lie in each of the open ranges at the ends. */
const TAIL = 0.02;
/** Numbers that ends are chosen by; of more, every n-th. */
const LOOKED_AT = 20_000;
const DAYS = [1, 7];
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 12_000];

export interface Measures {
  numbers: Float64Array;
  /** Samples that have each. */
  counts: Float64Array;
}

/** Ends between the ranges, ascending; none where all are the same. */
export function endsOf(measures: Measures, date: boolean): number[] {
  const [low, high] = middleOf(measures);
  if (!(low < high)) return [];
  return date ? dateEnds(low, high) : numberEnds(low, high);
}

/** Without the lowest and the highest few. */
function middleOf({ numbers, counts }: Measures): [number, number] {
  const step = Math.ceil(numbers.length / LOOKED_AT);
  const order: number[] = [];
  for (let at = 0; at < numbers.length; at += step) order.push(at);
  order.sort((a, b) => (numbers[a] as number) - (numbers[b] as number));
  const all = order.reduce((sum, at) => sum + (counts[at] as number), 0);
  let low = Number.NaN;
  let high = Number.NaN;
  let seen = 0;
  for (const at of order) {
    seen += counts[at] as number;
    if (Number.isNaN(low) && seen > all * TAIL) low = numbers[at] as number;
    high = numbers[at] as number;
    if (seen >= all * (1 - TAIL)) break;
  }
  return [low, high];
}

function numberEnds(low: number, high: number): number[] {
  const rough = high / RANGES - low / RANGES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((each) => each * power >= rough) ?? 10;
  const step = factor * power;
  const ends: number[] = [];
  for (let at = Math.floor(low / step) + 1; ends.length <= RANGES + 2; at++) {
    // 3 * 0.1 is 0.3, not 0.30000000000000004.
    const end = Number((at * step).toPrecision(12));
    if (end > high || !Number.isFinite(end)) break;
    if (end !== ends.at(-1)) ends.push(end);
  }
  return ends.length > 0 ? ends : [high];
}

function dateEnds(low: number, high: number): number[] {
  const rough = (high - low) / RANGES;
  const days = DAYS.find((each) => each * DAY_MS >= rough);
  const ends: number[] = [];
  if (days !== undefined) {
    const step = days * DAY_MS;
    for (let at = (Math.floor(low / step) + 1) * step; at <= high; at += step) ends.push(at);
  } else {
    const months = MONTHS.find((each) => each * 28 * DAY_MS >= rough) ?? 12_000;
    const first = new Date(low);
    const from = first.getUTCFullYear() * 12 + first.getUTCMonth();
    for (let at = (Math.floor(from / months) + 1) * months; ; at += months) {
      const end = new Date(0);
      end.setUTCFullYear(Math.floor(at / 12), at % 12, 1);
      if (end.getTime() > high) break;
      ends.push(end.getTime());
    }
  }
  return ends.length > 0 ? ends : [high];
}

/** In which of the ranges between these ends a number lies: 0 is below all of them. */
export function rangeAt(ends: readonly number[], number: number): number {
  let at = 0;
  while (at < ends.length && number >= (ends[at] as number)) at++;
  return at;
}
