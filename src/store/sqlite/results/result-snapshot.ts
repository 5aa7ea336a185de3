/** The snapshot of a whole result: of the store, and of its index where that has to say which samples are meant. */

import { IndexBehind, needsIndex, RESULT_MS, type ResultQuery } from '../../../registry/samples/whole-result.js';
import type { IdSet } from '../../../registry/search/id-set.js';
import type { Wanted } from '../../../registry/search/pending-samples.js';
import { tookTooLong } from '../../../registry/search/search-store.js';
import { measured } from '../../columns/matching.js';
import { readNow } from '../../columns/reading.js';
import { idsBesideIndex } from '../../whole-result-rules.js';
import type { SqliteDatabase } from '../database.js';
import { Names } from '../samples/names.js';
import { columnAnswers } from '../search/search-columns.js';
import { eachEntry } from '../search/search-entries.js';
import { progressIn, wholeStore } from '../search/search-journal.js';
import { PendingReader } from '../search/search-pending.js';
import { sqliteSearchRecords } from '../search/search-record.js';
import { wantedBy } from '../search/search-store.js';

/** Opens the store's file, and that of its index, once more. */
export interface OpenAgain {
  store(): SqliteDatabase;
  index(): SqliteDatabase;
}

/** The store in one snapshot, and the numbers of the samples that the index finds in the same one where it is needed. */
export function begin(open: OpenAgain, prefix: string, query: ResultQuery): { store: SqliteDatabase; ids?: IdSet } {
  const store = open.store();
  try {
    store.hold();
    // A snapshot begins with the first statement that reads.
    const { seq } = wholeStore(store);
    if (!needsIndex(query)) return { store };
    const names = new Names(store, prefix);
    const index = open.index();
    try {
      return {
        store,
        ids: indexed(store, index, { seq, names, prefix, wanted: wantedBy(names, { ...query, size: 0 }) }),
      };
    } finally {
      index.close();
    }
  } catch (error) {
    store.close();
    throw error;
  }
}

function indexed(
  store: SqliteDatabase,
  index: SqliteDatabase,
  { seq, names, prefix, wanted }: { seq: number; names: Names; prefix: string; wanted: Wanted },
): IdSet {
  return index.readInTime(RESULT_MS, tookTooLong, () => {
    const place = progressIn(index);
    // An index that is not begun knows nothing; one that is ahead has taken in what came after the store's snapshot.
    if (place === undefined || [place.seq, ...place.taken.keys()].some((taken) => taken > seq))
      throw new IndexBehind(1);
    const records = sqliteSearchRecords(store, names);
    const pending = new PendingReader(store, records, prefix);
    const { entries, missing } = pending.read(pending.journal(place.seq), place);
    const among = readNow(measured(wanted.query.ranges), columnAnswers({ store, index, records, prefix, place }));
    const { asked, ids } = idsBesideIndex({ entries, missing }, wanted, among);
    eachEntry(index, asked, (id) => ids.add(id));
    return ids;
  });
}
