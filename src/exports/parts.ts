/**
 * The parts in which a large result is made: ranges of accession numbers, each by the thread that takes it next. What stands
 * before the samples is part 0, what stands behind them the last one, and a result that one thread makes is part 0 alone.
 */
import type { IdRange } from '../registry/samples/whole-result.js';
import type { LeftOut } from './sheet-lines.js';

/** Accession numbers of a part, few enough that what the other thread makes meanwhile has room in memory, and how many parts there are at most. */
const PART_IDS = 3_000;
const MOST_PARTS = 4_000;

/** In order and without gaps; the last one without an end, for what was registered since the span was looked up. */
export function partsOf({ after, upTo }: IdRange): IdRange[] {
  const width = Math.max(PART_IDS, Math.ceil((upTo - after) / MOST_PARTS));
  const parts: IdRange[] = [];
  for (let from = after; from < upTo; from += width) parts.push({ after: from, upTo: from + width });
  const last = parts.at(-1);
  if (last) last.upTo = Number.MAX_SAFE_INTEGER;
  return parts;
}

/** What several threads are given to share the making. */
export interface SharedParts {
  ranges: IdRange[];
  /** Two numbers: how many of the ranges are taken, and an `Admission`. */
  state: SharedArrayBuffer;
}

const TAKEN = 0;
const ADMISSION = 1;
/** Whether a second thread takes parts is said once, by the first one, when both have the same moment or it is too late for that. */
enum Admission {
  Open = 0,
  Given = 1,
  Refused = 2,
}

export const sharedParts = (span: IdRange): SharedParts => ({ ranges: partsOf(span), state: new SharedArrayBuffer(8) });

/** The ranges that this thread gets, one when the one before is made. */
export function* takeParts({ ranges, state }: SharedParts): Generator<{ part: number; range: IdRange }> {
  const numbers = new Int32Array(state);
  for (;;) {
    const at = Atomics.add(numbers, TAKEN, 1);
    const range = ranges[at];
    if (range === undefined) return;
    yield { part: at + 1, range };
  }
}

export function admit({ state }: SharedParts, given: boolean): void {
  const numbers = new Int32Array(state);
  Atomics.store(numbers, ADMISSION, given ? Admission.Given : Admission.Refused);
  Atomics.notify(numbers, ADMISSION);
}

/** Waits on the thread until it is said; false after so many milliseconds, too. */
export function isAdmitted({ state }: SharedParts, patienceMs: number): boolean {
  const numbers = new Int32Array(state);
  Atomics.wait(numbers, ADMISSION, Admission.Open, patienceMs);
  return Atomics.load(numbers, ADMISSION) === Admission.Given;
}

/** Samples that a part leaves out. */
export interface PartLeftOut extends LeftOut {
  part: number;
}

/** How a result is made by several threads, in each of them. */
export type Together = { parts: SharedParts } & (
  | {
      /** This thread prints what stands before and behind the samples. Throws what the others failed with. */
      requireOthers(): void;
      /** Resolves to what they have left out, when they have made their parts. @throws what they failed with */
      others(): Promise<PartLeftOut[]>;
    }
  | { madeParts(leftOut: PartLeftOut[]): void }
);
