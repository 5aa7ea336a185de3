/** Changed samples that the index file has not taken in, read from the store beside it. */
import { indexedSample } from '../../registry/indexed-sample.js';
import {
  type JournalRow,
  PENDING_ROWS,
  type PendingEntry,
  pendingContent,
  pendingSamples,
  withinPendingBytes,
} from '../../registry/pending-samples.js';
import type { SqliteDatabase } from './database.js';
import { leftOf, type Place, restOf, toVisit } from './search-journal.js';
import type { HeadRow, SearchRecords } from './search-record.js';

export interface Pending {
  entries: PendingEntry[];
  /** Changes that are neither in the index nor in `entries`. */
  missing: number;
}

/**
 * Keeps what it has read while it stays pending: rows of the journal are in order of commit, so a sample whose latest
 * row is the same has not changed since.
 */
export class PendingReader {
  private kept = new Map<number, { seq: number; head: HeadRow; entry: PendingEntry }>();

  constructor(
    private readonly store: SqliteDatabase,
    private readonly records: SearchRecords,
    private readonly prefix: string,
  ) {}

  /** Inside a read of the store: the newest rows of the journal behind `seq`. Fixes the store's snapshot. */
  journal(seq: number): JournalRow[] {
    return this.store
      .sql<JournalRow>('select seq, first, count from change where seq > ? order by seq desc limit ?')
      .all(seq, PENDING_ROWS);
  }

  /** In the same read: what those rows stand for, where the index is at `place`. */
  read(journal: readonly JournalRow[], place: Place): Pending {
    const rows = journal.flatMap((row) => restOf(row, place));
    if (rows.length === 0) {
      this.kept.clear();
      return { entries: [], missing: toVisit(place) };
    }
    const { ids: asked, covered } = pendingSamples(rows);
    const known = (id: number) => {
      const before = this.kept.get(id);
      return before?.seq === asked.get(id) ? before : undefined;
    };
    const heads = withinPendingBytes([...asked.keys()].flatMap((id) => known(id)?.head ?? this.records.head(id) ?? []));
    const kept: typeof this.kept = new Map();
    for (const head of heads) {
      const { id, account, release, updated } = head;
      // For the read in which the sample was last seen to be unchanged.
      const content = pendingContent(() => indexedSample(this.prefix, head, false, () => this.records.content(id)));
      const entry = { id, account, release, updated, hidden: head.hidden === 1, ...content };
      kept.set(id, known(id) ?? { seq: asked.get(id) as number, head, entry });
    }
    this.kept = kept;
    const unread = asked.size - kept.size;
    const missing = Math.max(0, this.changesLeft(journal.length, rows, place) - covered + unread);
    return { entries: [...kept.values()].map(({ entry }) => entry), missing };
  }

  private changesLeft(read: number, rows: readonly JournalRow[], place: Place): number {
    if (read >= PENDING_ROWS) return leftOf(this.store, place).changes + toVisit(place);
    return rows.reduce((sum, { count }) => sum + count, 0) + toVisit(place);
  }
}
