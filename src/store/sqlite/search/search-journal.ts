/** What the index has still to read: the journal of changes in turns of accounts, then every sample that a rebuild has to visit. */
import type { JournalRow } from '../../../registry/search/pending-samples.js';
import { inTurns, type Next, rowsOfEach, TURN_ACCOUNTS, takenOf, type Waiting } from '../../index-turns.js';
import type { SqliteDatabase } from '../database.js';
import { numbersFrom, takenSpan } from '../samples/current-samples.js';

/** How far the journal is read, and what a rebuild has left. */
export interface Place {
  /** All rows of the journal up to this one are taken in. */
  seq: number;
  /** The account whose turn was last. */
  turn: number;
  /** Rows behind `seq` → how many of their samples are taken in. */
  taken: ReadonlyMap<number, number>;
  scan_next: number;
  scan_end: number;
  /** When a step last ended. */
  moved: number;
}

const ROWS_AT_ONCE = 2000;

/** The number of the journal's newest row, whether it is still there or not; 0 before the first. */
export const lastChange = (store: SqliteDatabase): number =>
  store.sql<{ seq: number }>("select seq from sqlite_sequence where name = 'change'").get()?.seq ?? 0;

/** Inside a read of the store. The journal is read from here on, then every sample up to the last one is visited. */
export function wholeStore(store: SqliteDatabase): Place {
  return {
    seq: lastChange(store),
    turn: 0,
    taken: new Map(),
    scan_next: 1,
    scan_end: takenSpan(store).greatest ?? 0,
    moved: 0,
  };
}

/** Inside a read of the store: what comes next; each `next` is given the stored bytes of the sample before. */
export function* nextSamples(
  store: SqliteDatabase,
  place: Place,
  limit: number,
): Generator<Next, undefined, number | undefined> {
  yield* inTurns(waitingChanges(store, place));
  if (place.scan_next > place.scan_end) return undefined;
  for (const id of numbersFrom(store, place.scan_next, place.scan_end, limit)) yield { id };
  return undefined;
}

/** What of the row is not taken in: nothing, or one row. */
export function restOf({ seq, first, count }: JournalRow, { seq: done, taken }: Place): JournalRow[] {
  const before = seq <= done ? count : (taken.get(seq) ?? 0);
  return before >= count ? [] : [{ seq, first: first + before, count: count - before }];
}

/** From behind the account whose turn was last on; rows that are finished and not removed yet are passed. */
function waitingChanges(store: SqliteDatabase, place: Place): Waiting[] {
  const waiting: Waiting[] = [];
  const rows = store.sql<JournalRow>(
    'select seq, first, count from change where account = ? and seq > ? order by seq limit ?',
  );
  for (const account of accountsFrom(store, place.turn)) {
    const most = rowsOfEach(waiting.length + 1) + place.taken.size;
    const left = rows.all(account, place.seq, most).flatMap((row) => restOf(row, place));
    if (left.length > 0) waiting.push({ account, rows: left });
    if (waiting.length === TURN_ACCOUNTS) break;
  }
  return waiting;
}

/** Every account that has rows in the journal, once. */
function* accountsFrom(store: SqliteDatabase, turn: number): Generator<number> {
  const next = store.sql<{ account: number | null }>('select min(account) as account from change where account > ?');
  const from = (at: number): number | undefined => next.get(at)?.account ?? undefined;
  for (let account = from(turn); account !== undefined; account = from(account)) yield account;
  for (let account = from(-1); account !== undefined && account <= turn; account = from(account)) yield account;
}

/** Inside the same read: the place after these samples. */
export function placeAfter(store: SqliteDatabase, before: Place, done: readonly Next[]): Place {
  const turned = done.filter((next) => 'seq' in next);
  const taken = new Map(before.taken);
  for (const [seq, samples] of takenOf(turned)) taken.set(seq, (taken.get(seq) ?? 0) + samples);
  const seq = lastFinished(store, before.seq, taken);
  for (const each of taken.keys()) if (each <= seq) taken.delete(each);
  const visited = done.findLast((next) => !('seq' in next))?.id;
  const scan_next = visited === undefined ? before.scan_next : visited + 1;
  return {
    ...before,
    seq,
    turn: turned.at(-1)?.account ?? before.turn,
    taken,
    scan_next: hasSample(store, scan_next, before.scan_end) ? scan_next : before.scan_end + 1,
  };
}

/** Samples that a rebuild has still to visit, and no entry is there for. */
export const toVisit = ({ scan_next, scan_end }: Place): number => Math.max(0, scan_end - scan_next + 1);

const hasSample = (store: SqliteDatabase, from: number, to: number): boolean =>
  numbersFrom(store, from, to, 1).length > 0;

function lastFinished(store: SqliteDatabase, from: number, taken: Place['taken']): number {
  const rows = store.sql<{ seq: number; count: number }>(
    'select seq, count from change where seq > ? order by seq limit ?',
  );
  for (let seq = from; ; ) {
    const next = rows.all(seq, ROWS_AT_ONCE);
    for (const row of next) {
      if ((taken.get(row.seq) ?? 0) < row.count) return seq;
      seq = row.seq;
    }
    if (next.length < ROWS_AT_ONCE) return seq;
  }
}

/** Rows that are taken in though earlier ones are not. */
export function finishedAhead(store: SqliteDatabase, { taken }: Place): number[] {
  return rowsTaken(store, taken).flatMap(({ seq, count }) => ((taken.get(seq) ?? 0) < count ? [] : [seq]));
}

const rowsTaken = (store: SqliteDatabase, taken: Place['taken']): { seq: number; count: number }[] =>
  store
    .sql<{ seq: number; count: number }>(
      'select seq, count from change where seq in (select value from json_each(?)) order by seq',
    )
    .all(JSON.stringify([...taken.keys()]));

/** Changes left, and since when the oldest of them waits. */
export function leftOf(store: SqliteDatabase, place: Place): { lag: number; changes: number; since?: number } {
  const { seq, taken, scan_next, scan_end } = place;
  const all = store.sql<{ n: number }>('select coalesce(sum(count), 0) as n from change where seq > ?').get(seq)?.n;
  const done = rowsTaken(store, taken).reduce((sum, row) => sum + (taken.get(row.seq) ?? 0), 0);
  const since = store
    .sql<{ since: number | null }>(
      'select min(at) as since from change where seq > ? and seq not in (select value from json_each(?))',
    )
    .get(seq, JSON.stringify(finishedAhead(store, place)))?.since;
  const changes = Math.max(0, (all ?? 0) - done);
  return { changes, lag: changes + Math.max(0, scan_end - scan_next + 1), ...(since == null ? {} : { since }) };
}

export interface Progress extends Place {
  begun: number;
  worker: string | null;
  careful: number;
}

/** How far an index is; undefined before it is begun. */
export function progressIn(index: SqliteDatabase): Progress | undefined {
  const known = index.sql<Omit<Progress, 'taken'>>('select * from progress').get();
  const taken = index.sql<{ seq: number; samples: number }>('select seq, samples from taken').all();
  return known && { ...known, taken: new Map(taken.map(({ seq, samples }) => [seq, samples])) };
}
