/**
 * Merging the segments of the full-text index, in slices of some milliseconds. Left to itself FTS5 merges a whole level
 * inside the write that fills it: seconds of one call (decision 50).
 */
import type { SqliteDatabase } from './database.js';

/** Pages that one slice writes: 5 to 20 ms. */
const SLICE_PAGES = 64;
/** A query opens every segment; from here on merging goes before indexing. */
const MANY_SEGMENTS = 64;
const CATCH_UP_MS = 500;

/** Merges for some `ms`, longer when there are many segments. Resolves to whether there is more to merge. */
export async function mergeSegments(index: SqliteDatabase, ms: number): Promise<boolean> {
  const begun = performance.now();
  const until = begun + (countSegments(index) > MANY_SEGMENTS ? CATCH_UP_MS : ms);
  for (;;) {
    if (!(await index.write(() => mergeSlice(index)))) return false;
    if (performance.now() > until) return true;
  }
}

/** False when there was nothing to merge: then one row is written at most (documentation of FTS5, "merge"). */
function mergeSlice(index: SqliteDatabase): boolean {
  const changes = index.sql<{ n: number }>('select total_changes() as n');
  const before = changes.get()?.n ?? 0;
  index.sql("insert into entry_terms (entry_terms, rank) values ('merge', ?)").run(SLICE_PAGES);
  return (changes.get()?.n ?? 0) - before >= 2;
}

/** From the record of the index's structure: a cookie, a mark of its second version, then levels and segments as varints. */
function countSegments(index: SqliteDatabase): number {
  const block = index.sql<{ block: Buffer }>('select block from entry_terms_data where id = 10').get()?.block;
  if (block === undefined) return 0;
  let at = block[4] === 0xff ? 8 : 4;
  const next = (): number => {
    let value = 0;
    for (;;) {
      const byte = block[at++] ?? 0;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  next();
  return next();
}
