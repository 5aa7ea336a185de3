/** Changed samples that the index file has not taken in, read from the store beside it. */
import { indexedSample } from '../../../registry/search/indexed-sample.js';
import {
  type JournalRow,
  PENDING_ROWS,
  type PendingEntry,
  pendingContent,
  pendingSamples,
  withinPendingBytes,
} from '../../../registry/search/pending-samples.js';
import type { SqliteDatabase } from '../database.js';
import { lastChange, leftOf, type Place, restOf, toVisit } from './search-journal.js';
import type { HeadRow, SearchRecords } from './search-record.js';

export interface Pending {
  entries: PendingEntry[];
  /** Changes that are neither in the index nor in `entries`. */
  missing: number;
}

interface Kept {
  head: HeadRow;
  entry?: PendingEntry;
}

/** Keeps what it has read of samples until a row of the journal names them anew. */
export class PendingReader {
  private readonly kept = new Map<number, Kept>();
  /** What is kept is as of this row of the journal. */
  private readTo = 0;

  constructor(
    private readonly store: SqliteDatabase,
    private readonly records: SearchRecords,
    private readonly prefix: string,
  ) {}

  /** Inside a read of the store: the newest rows of the journal behind `seq`. Fixes the store's snapshot. */
  journal(seq: number): JournalRow[] {
    const rows = this.store
      .sql<JournalRow>('select seq, first, count from change where seq > ? order by seq desc limit ?')
      .all(seq, PENDING_ROWS);
    this.forgetChanged(rows, lastChange(this.store));
    return rows;
  }

  /** In the same read: what those rows stand for, where the index is at `place`. */
  read(journal: readonly JournalRow[], place: Place): Pending {
    const rows = journal.flatMap((row) => restOf(row, place));
    const { ids: asked, covered } = pendingSamples(rows);
    const entries = withinPendingBytes(this.headsOf(asked)).map((head) => this.entryOf(head));
    const unread = asked.size - entries.length;
    const missing = Math.max(0, this.changesLeft(journal.length, rows, place) - covered + unread);
    return { entries, missing };
  }

  /** In the same read: these samples as they are now. */
  headsOf(asked: ReadonlyMap<number, unknown>): HeadRow[] {
    const heads: HeadRow[] = [];
    for (const id of asked.keys()) {
      const head = this.kept.get(id)?.head ?? this.records.head(id);
      if (head === undefined) continue;
      heads.push(head);
      if (!this.kept.has(id)) this.kept.set(id, { head });
    }
    // Those that the index has taken in go in lots: to go through all at each reading took a quarter of it.
    if (this.kept.size > 2 * asked.size) for (const id of this.kept.keys()) if (!asked.has(id)) this.kept.delete(id);
    return heads;
  }

  private entryOf(head: HeadRow): PendingEntry {
    const kept = this.kept.get(head.id) as Kept;
    if (kept.entry === undefined) {
      const { id, account, release, updated } = head;
      // For the read in which the sample was last seen to be unchanged.
      const content = pendingContent(() => indexedSample(this.prefix, head, false, () => this.records.content(id)));
      kept.entry = { id, account, release, updated, hidden: head.hidden === 1, ...content };
    }
    return kept.entry;
  }

  /** A row that the index has taken in may be gone again, the newest too, and nobody knows which samples it named. */
  private forgetChanged(journal: readonly JournalRow[], newest: number): void {
    const since = journal.filter(({ seq }) => seq > this.readTo);
    if (since.length < newest - this.readTo) this.kept.clear();
    for (const { first, count } of since) {
      if (count < this.kept.size) for (let id = first; id < first + count; id++) this.kept.delete(id);
      else for (const id of this.kept.keys()) if (id >= first && id < first + count) this.kept.delete(id);
    }
    this.readTo = newest;
  }

  private changesLeft(read: number, rows: readonly JournalRow[], place: Place): number {
    if (read >= PENDING_ROWS) return leftOf(this.store, place).changes + toVisit(place);
    return rows.reduce((sum, { count }) => sum + count, 0) + toVisit(place);
  }
}
