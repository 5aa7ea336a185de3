/** Fills the index file from the store's journal, and rebuilds it from the store's samples. */
import { formatAccession } from '../../registry/accession.js';
import { applyCurations } from '../../registry/curation-rules.js';
import type { SampleRecord } from '../../registry/sample-store.js';
import { searchTerms } from '../../registry/search-terms.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';

interface Progress {
  seq: number;
  part: number;
  scan_next: number;
  scan_end: number;
}

/** Journal rows read in one step; most stand for a chunk of samples. */
const JOURNAL_ROWS = 500;
/** Finished journal rows are removed from the store in lots, since that takes the store's write lock. */
const REMOVED_AT_ONCE = 1000;

export interface IndexSettings {
  prefix: string;
  now: () => number;
  readRecord: (id: number) => SampleRecord | undefined;
}

export class SearchIndex {
  private removedTo = 0;

  constructor(
    private readonly store: SqliteDatabase,
    private readonly index: SqliteDatabase,
    private readonly names: Names,
    private readonly settings: IndexSettings,
  ) {}

  /** One step: position in the journal and entries are written together, so a kill repeats or loses nothing. */
  async indexNext(limit: number): Promise<{ indexed: number; lag: number }> {
    const { indexed, progress } = await this.index.write(() => {
      const before = this.progress();
      const { ids, after } = this.store.read(() => this.nextIds(before, limit));
      const records = this.store.read(() => ids.flatMap((id) => this.settings.readRecord(id) ?? []));
      for (const record of records) this.enter(record);
      this.openDue(limit);
      this.index
        .sql('update progress set seq = ?, part = ?, scan_next = ?')
        .run(after.seq, after.part, after.scan_next);
      return { indexed: records.length, progress: after };
    });
    await this.removeFinished(progress.seq);
    return { indexed, lag: this.lag() };
  }

  lag(): number {
    const { seq, part, scan_next, scan_end } = this.progress();
    const journal = this.store
      .sql<{ n: number }>('select coalesce(sum(count), 0) as n from change where seq > ?')
      .get(seq);
    return Math.max(0, (journal?.n ?? 0) - part) + Math.max(0, scan_end - scan_next + 1);
  }

  rebuild(): Promise<void> {
    return this.index.write(() => this.restart());
  }

  /** A new index, or one that knows a later store than this one (a backup came back), begins with every sample. */
  begin(): Promise<void> {
    return this.index.write(() => {
      const known = this.index.sql<Progress>('select * from progress').get();
      if (known === undefined || known.seq > this.wholeStore().seq) this.restart();
    });
  }

  private restart(): void {
    const { seq, part, scan_next, scan_end } = this.wholeStore();
    this.index.sql('delete from entry').run();
    this.index.sql("insert into entry_terms (entry_terms) values ('delete-all')").run();
    this.index.sql('delete from progress').run();
    this.index.sql('insert into progress values (?, ?, ?, ?)').run(seq, part, scan_next, scan_end);
  }

  private progress(): Progress {
    return this.index.sql<Progress>('select * from progress').get() ?? this.wholeStore();
  }

  /** The journal is read from here on, then every sample up to the last one is visited. */
  private wholeStore(): Progress {
    return this.store.read(() => {
      const journal = this.store
        .sql<{ seq: number | null }>("select max(seq) as seq from sqlite_sequence where name = 'change'")
        .get();
      const samples = this.store.sql<{ id: number | null }>('select max(id) as id from sample').get();
      return { seq: journal?.seq ?? 0, part: 0, scan_next: 1, scan_end: samples?.id ?? 0 };
    });
  }

  /** Changes first, in order; what a rebuild has to visit with the rest of the step. */
  private nextIds(before: Progress, limit: number): { ids: number[]; after: Progress } {
    const ids = new Set<number>();
    const after = { ...before };
    const rows = this.store
      .sql<{ seq: number; first: number; count: number }>('select * from change where seq > ? order by seq limit ?')
      .all(before.seq, JOURNAL_ROWS);
    for (const { seq, first, count } of rows) {
      const from = after.part;
      const to = Math.min(count, from + limit - ids.size);
      for (let at = from; at < to; at++) ids.add(first + at);
      if (to < count) {
        after.part = to;
        return { ids: [...ids], after };
      }
      after.seq = seq;
      after.part = 0;
    }
    if (ids.size < limit && after.scan_next <= after.scan_end) this.scan(ids, after, limit - ids.size);
    return { ids: [...ids], after };
  }

  private scan(ids: Set<number>, after: Progress, limit: number): void {
    const rows = this.store
      .sql<{ id: number }>('select id from sample where id between ? and ? order by id limit ?')
      .all(after.scan_next, after.scan_end, limit);
    for (const { id } of rows) ids.add(id);
    after.scan_next = rows.length < limit ? after.scan_end + 1 : (rows.at(-1)?.id ?? after.scan_end) + 1;
  }

  private enter({ sample, curationLinks }: SampleRecord): void {
    const accession = formatAccession(this.settings.prefix, sample.id);
    const { content } = applyCurations(sample.content, curationLinks, accession);
    const hidden = sample.adminStatus === undefined ? 0 : 1;
    const open = hidden === 0 && sample.release <= this.settings.now() ? 1 : 0;
    const account = this.names.findAccount(sample.account);
    const { changes } = this.index
      .sql('update entry set release = ?, updated = ?, hidden = ?, open = ? where id = ?')
      .run(sample.release, sample.updated, hidden, open, sample.id);
    if (changes > 0) this.index.sql('delete from entry_terms where rowid = ?').run(sample.id);
    else {
      this.index
        .sql('insert into entry (id, account, release, updated, hidden, open) values (?, ?, ?, ?, ?, ?)')
        .run(sample.id, account, sample.release, sample.updated, hidden, open);
    }
    this.index
      .sql('insert into entry_terms (rowid, terms) values (?, ?)')
      .run(sample.id, searchTerms(sample.name, accession, content).join(' '));
  }

  /** Samples become public by the clock alone. */
  private openDue(limit: number): void {
    this.index
      .sql(
        'update entry set open = 1 where id in (select id from entry where open = 0 and hidden = 0 and release <= ? order by release limit ?)',
      )
      .run(this.settings.now(), limit);
  }

  private async removeFinished(seq: number): Promise<void> {
    if (seq - this.removedTo < REMOVED_AT_ONCE) return;
    await this.store.write(() => this.store.sql('delete from change where seq <= ?').run(seq), 'bulk');
    this.removedTo = seq;
  }
}
