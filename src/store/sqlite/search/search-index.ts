/** Fills the index file from the store's journal, and rebuilds it from the store's samples. */
import { randomInt, randomUUID } from 'node:crypto';
import { isAnotherAlive } from '../../../processes.js';
import { CAREFUL_SAMPLES, FAILED_ATTEMPTS, STEP_MS } from '../../../registry/search/indexed-sample.js';
import type { IndexState, IndexStep } from '../../../registry/search/search-store.js';
import { type Next, takeStep } from '../../index-turns.js';
import { spanOf } from '../../postings/slots.js';
import type { SqliteDatabase } from '../database.js';
import { emptyColumns } from './search-columns.js';
import { EnteringSamples } from './search-entry.js';
import type { SearchFile } from './search-file.js';
import {
  finishedAhead,
  leftOf,
  nextSamples,
  type Place,
  type Progress,
  placeAfter,
  progressIn,
  wholeStore,
} from './search-journal.js';
import { mergeSegments, mergeSpan } from './search-merge.js';
import type { HeadRow, SearchRecords } from './search-record.js';

/** Finished journal rows are removed from the store in lots, since that takes the store's write lock. */
const REMOVED_AT_ONCE = 1000;
/** Of those behind an unfinished one fewer: each search reads their list. */
const AHEAD_AT_ONCE = 200;
/** Milliseconds of merging after a step, at least. */
const MERGE_MS = 20;

export interface IndexSettings {
  prefix: string;
  now: () => number;
}

export class SearchIndex {
  private readonly me = `${process.pid} ${randomUUID()}`;
  private removedTo = 0;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: SqliteDatabase,
    private readonly file: SearchFile,
    private readonly records: SearchRecords,
    private readonly settings: IndexSettings,
  ) {}

  /** One step: position in the journal and entries are written together, so a kill repeats or loses nothing. */
  indexNext(limit: number): Promise<IndexStep> {
    const mine = this.turn.then(() => this.guarded(() => this.step(limit)));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  state(): Promise<IndexState> {
    return this.guarded(async () => {
      const progress = this.progress();
      const names = this.index.sql<{ n: number }>('select count(*) as n from name_only').get();
      return {
        ...leftOf(this.store, progress),
        moved: progress.moved,
        nameOnly: names?.n ?? 0,
        setAside: this.file.setAsides(),
      };
    });
  }

  rebuild(): Promise<void> {
    return this.guarded(() => this.index.write(() => this.restart()));
  }

  /** Takes these samples in at once, and leaves nothing in the file of what they said before. */
  takeAnew(ids: readonly number[]): Promise<void> {
    return this.guarded(() =>
      this.index.removed.overwritten(async () => {
        await this.index.write(() => {
          const entering = new EnteringSamples(this.index, { ...this.settings, records: this.records });
          this.store.read(() => {
            for (const id of new Set(ids)) {
              const head = this.records.head(id);
              if (head !== undefined) entering.add(head, false);
            }
            entering.write();
          });
        });
        for (const span of new Set(ids.map(spanOf))) await mergeSpan(this.index, span);
      }),
    );
  }

  /** Runs `work` on the index; when that shows it to be damaged, once more on a new one. */
  async guarded<T>(work: () => Promise<T>): Promise<T> {
    await this.ready();
    try {
      return await work();
    } catch (error) {
      if (!(await this.file.setAsideFor(error))) throw error;
      await this.begin();
      return work();
    }
  }

  /** Another process may have put a new file in the place of a damaged one. */
  private async ready(): Promise<void> {
    if (await this.file.refresh()) await this.begin();
  }

  private get index(): SqliteDatabase {
    return this.file.database;
  }

  /** A new index, or one that knows a later store than this one (a backup came back), begins with every sample. */
  begin(): Promise<void> {
    return this.index.write(() => {
      const known = progressIn(this.index);
      if (known === undefined || known.seq > this.store.read(() => wholeStore(this.store)).seq) this.restart();
    });
  }

  private restart(): void {
    const { seq, scan_next, scan_end } = this.store.read(() => wholeStore(this.store));
    for (const table of ['segment', 'posting_page', 'merging', 'name_filter'])
      this.index.sql(`delete from ${table}`).run();
    this.index.sql('delete from name_only').run();
    this.index.sql('delete from progress').run();
    this.index.sql('delete from taken').run();
    emptyColumns(this.index);
    this.index
      .sql('insert into progress (seq, scan_next, scan_end, moved, made) values (?, ?, ?, ?, ?)')
      .run(seq, scan_next, scan_end, this.settings.now(), randomInt(2 ** 47));
  }

  progress(): Progress {
    return (
      progressIn(this.index) ?? {
        ...this.store.read(() => wholeStore(this.store)),
        begun: 0,
        worker: null,
        careful: 0,
      }
    );
  }

  private async step(limit: number): Promise<IndexStep> {
    const { seq, scan_next, scan_end } = this.progress();
    const waits = this.store.sql('select 1 from change where seq > ? limit 1').get(seq) !== undefined;
    if (!waits && scan_next > scan_end) {
      return { indexed: 0, more: await mergeSegments(this.index, MERGE_MS, true), nameOnly: [] };
    }
    const failures = (await this.markBegun()) - 1;
    const { after, ...done } = await this.index.write(() => this.take(limit, failures));
    await mergeSegments(this.index, MERGE_MS, false);
    await this.removeFinished(after);
    return { ...done, more: true };
  }

  /**
   * Before a step; resolves to how often it was begun, this time included. What is found unended, its process died in.
   * Samples go one at a time then, and the account that is tried is kept, so that the next attempt tries the same.
   */
  private markBegun(): Promise<number> {
    return this.index.write(() => {
      const progress = this.progress();
      const times = this.hasDied(progress.worker) ? progress.begun + 1 : 1;
      const tried = times > 1 || progress.careful > 0 ? this.store.read(() => this.nextAccount(progress)) : undefined;
      this.index
        .sql('update progress set begun = ?, worker = ?, turn = ?')
        .run(times, this.me, tried === undefined ? progress.turn : tried - 1);
      return times;
    });
  }

  private nextAccount(place: Place): number | undefined {
    const next = nextSamples(this.store, place, 1).next().value;
    return next && 'account' in next ? next.account : undefined;
  }

  /** An unended step of ours is no death, nor is one of another process that lives. */
  private hasDied(worker: string | null): boolean {
    return worker !== null && worker !== this.me && !isAnotherAlive(Number.parseInt(worker, 10));
  }

  /** Takes in samples until the step's bounds are reached; one at a time after a death, to find the one to blame. */
  private take(limit: number, failures: number): Omit<IndexStep, 'more'> & { after: Place } {
    const before = this.progress();
    const careful = failures > 0 ? CAREFUL_SAMPLES : before.careful;
    return this.store.read(() => {
      const { done, ...step } = this.enterNext(before, careful > 0 ? 1 : limit, failures >= FAILED_ATTEMPTS);
      const after = placeAfter(this.store, before, done);
      this.index
        .sql('update progress set seq = ?, turn = ?, scan_next = ?, begun = 0, careful = ?, moved = ?')
        .run(after.seq, after.turn, after.scan_next, Math.max(0, careful - 1), this.settings.now());
      this.index.sql('delete from taken where seq <= ?').run(after.seq);
      for (const [seq, samples] of after.taken) {
        if (before.taken.get(seq) === samples) continue;
        this.index.sql('replace into taken (seq, samples) values (?, ?)').run(seq, samples);
      }
      return { ...step, after };
    });
  }

  private enterNext(before: Place, limit: number, failed: boolean): Omit<IndexStep, 'more'> & { done: Next[] } {
    const until = performance.now() + STEP_MS;
    const entering = new EnteringSamples(this.index, { ...this.settings, records: this.records });
    let head: HeadRow | undefined;
    const done = takeStep(nextSamples(this.store, before, limit), {
      limit,
      bytesOf: (id) => {
        head = this.records.head(id);
        return head?.bytes ?? 0;
      },
      take: (id) => {
        if (head?.id === id) entering.add(head, failed);
      },
      isOver: () => performance.now() > until,
    });
    return { ...entering.write(), done };
  }

  private async removeFinished(place: Place): Promise<void> {
    const { seq, taken } = place;
    const many = seq - this.removedTo >= REMOVED_AT_ONCE;
    if (!many && taken.size < AHEAD_AT_ONCE) return;
    const finished = this.store.read(() => finishedAhead(this.store, place));
    if (!many && finished.length < AHEAD_AT_ONCE) return;
    const ahead = JSON.stringify(finished);
    await this.store.write(() => {
      this.store.sql('delete from change where seq <= ?').run(seq);
      this.store.sql('delete from change where seq in (select value from json_each(?))').run(ahead);
    }, 'bulk');
    await this.index.write(() =>
      this.index.sql('delete from taken where seq in (select value from json_each(?))').run(ahead),
    );
    this.removedTo = seq;
  }
}
