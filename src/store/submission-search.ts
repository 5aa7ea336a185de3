/** A page of the submissions that a filter wants, on any store: outlines are read in slices, and never more than a page may cost. */
import type { Submission, SubmissionState } from '../submissions/submission.js';
import {
  CLOCK_SPREAD_MS,
  isWanted,
  type SubmissionOutline,
  type SubmissionSearch,
} from '../submissions/submission-search.js';
import type { SubmissionPage } from '../submissions/submission-store.js';

/** Outlines read at a time, and for one page. */
const SLICE = 1_000;
const MAX_LOOKED_AT = 10_000;

export interface NumberedOutline extends SubmissionOutline {
  /** The store's own number, in order of arrival. */
  number: number;
  id: string;
}

/** What a store has to answer, of one account or of all. */
export interface OutlineSource {
  /** Number that a page begins below. */
  numberOf(id: string): Promise<number | undefined>;
  /** Number of the one that bears the earliest time from this one on; undefined when there is none. */
  firstFrom(time: number): Promise<number | undefined>;
  /** The newest first, below a number, of one state or of any. */
  slice(below: number, limit: number, state: SubmissionState | undefined): Promise<NumberedOutline[]>;
  read(numbers: readonly number[]): Promise<Submission[]>;
}

/** `sourceOf` takes the account's number, undefined for all of them. An account that there is not has no submissions. */
export async function searchSubmissions(
  search: SubmissionSearch,
  numberOf: (account: string) => number | undefined | Promise<number | undefined>,
  sourceOf: (account: number | undefined) => OutlineSource,
): Promise<SubmissionPage> {
  const account = search.account === undefined ? undefined : await numberOf(search.account);
  if (search.account !== undefined && account === undefined) return { submissions: [] };
  return walk(sourceOf(account), search);
}

async function walk(source: OutlineSource, search: SubmissionSearch): Promise<SubmissionPage> {
  let below = await firstBelow(source, search);
  const found: NumberedOutline[] = [];
  let lookedAt = 0;
  let last: NumberedOutline | undefined;
  let more = true;
  while (more && found.length < search.size && lookedAt < MAX_LOOKED_AT) {
    const slice = await sliceOf(source, below, search.states);
    more = slice.length === SLICE;
    for (const outline of slice) {
      if (found.length === search.size) {
        more = true;
        break;
      }
      lookedAt += 1;
      last = outline;
      if (search.from !== undefined && outline.created < search.from - CLOCK_SPREAD_MS) {
        return { submissions: await read(source, found) };
      }
      if (isWanted(outline, search)) found.push(outline);
    }
    below = last?.number ?? 0;
  }
  return { submissions: await read(source, found), ...(more && last ? { next: last.id } : {}) };
}

async function firstBelow(source: OutlineSource, { before, to }: SubmissionSearch): Promise<number> {
  const start = before === undefined ? Number.MAX_SAFE_INTEGER : ((await source.numberOf(before)) ?? 0);
  if (to === undefined) return start;
  // What arrived after one that is a whole spread too late is itself too late.
  return Math.min(start, (await source.firstFrom(to + CLOCK_SPREAD_MS)) ?? start);
}

/** Each state is asked for by itself, so that its index serves it however rare it is. */
async function sliceOf(
  source: OutlineSource,
  below: number,
  states: readonly SubmissionState[] | undefined,
): Promise<NumberedOutline[]> {
  if (states === undefined) return source.slice(below, SLICE, undefined);
  const slices = await Promise.all([...new Set(states)].map((state) => source.slice(below, SLICE, state)));
  return slices
    .flat()
    .sort((one, other) => other.number - one.number)
    .slice(0, SLICE);
}

async function read(source: OutlineSource, found: readonly NumberedOutline[]): Promise<Submission[]> {
  if (found.length === 0) return [];
  const byId = new Map((await source.read(found.map(({ number }) => number))).map((one) => [one.id, one]));
  return found.flatMap(({ id }) => byId.get(id) ?? []);
}
