/** One connection to the SQLite file: how it is opened, how writes take their turn, and what its failures mean. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RegistryError } from '../../registry/errors.js';
import Database from './driver.js';
import { WriteTurn } from './write-turn.js';

/** How long a write waits for others to finish before the service says it is unavailable. */
const BUSY_PATIENCE_MS = 15_000;
/** Reads wait only while another process opens or recovers the file. */
const READ_PATIENCE_MS = 5_000;

export interface DatabaseOptions {
  /** Bytes that the file may grow to; for quotas and for tests of a full disk. */
  maxBytes?: number;
  /** Milliseconds that a write waits for its turn. Default 15 000. */
  patienceMs?: number;
  /** Memory of the page cache, KiB. Default 8 000. */
  cacheKiB?: number;
  /** fsync on every commit, or only at checkpoints (for what can be rebuilt). Default FULL. */
  synchronous?: 'FULL' | 'NORMAL';
}

/**
 * `urgent` writes answer somebody; `bulk` ones come by the thousand, one after the other, and let an urgent one of any
 * process go before the next.
 */
export type WriteKind = 'urgent' | 'bulk';

export class SqliteDatabase {
  private readonly connection: Database.Database;
  private readonly statements = new Map<string, Database.Statement<unknown[], unknown>>();
  private readonly turn: WriteTurn;
  private readonly patienceMs: number;
  private afterCommit: (() => void)[] = [];
  private queue: Promise<unknown> = Promise.resolve();
  private queued = 0;
  private writing = false;
  private timed = false;
  private askTime: () => number = () => 1;

  constructor(path: string, options: DatabaseOptions = {}) {
    this.connection = new Database(path, { timeout: READ_PATIENCE_MS });
    this.turn = new WriteTurn(path);
    this.patienceMs = options.patienceMs ?? BUSY_PATIENCE_MS;
    try {
      this.connection.pragma('journal_mode = WAL');
      this.connection.pragma(`synchronous = ${options.synchronous ?? 'FULL'}`);
      this.connection.pragma('foreign_keys = ON');
      this.connection.pragma(`cache_size = -${options.cacheKiB ?? 8000}`);
      this.connection.pragma('temp_store = MEMORY');
      if (options.maxBytes !== undefined) {
        const pageSize = Number(this.connection.pragma('page_size', { simple: true }));
        this.connection.pragma(`max_page_count = ${Math.floor(options.maxBytes / pageSize)}`);
      }
    } catch (error) {
      this.connection.close();
      throw error;
    }
  }

  /** A prepared statement, kept for the next time. */
  sql<Row = unknown>(text: string): Database.Statement<unknown[], Row> {
    let statement = this.statements.get(text);
    if (statement === undefined) {
      statement = this.connection.prepare<unknown[], unknown>(text);
      this.statements.set(text, statement);
    }
    return statement as Database.Statement<unknown[], Row>;
  }

  /** A prepared statement that the caller keeps, for texts that are made per use. */
  prepare(text: string): Database.Statement<unknown[], unknown> {
    return this.connection.prepare<unknown[], unknown>(text);
  }

  /** Runs once the present write is committed, at once outside of one: for caches, which must not learn what is rolled back. */
  onCommit(work: () => void): void {
    if (this.writing) this.afterCommit.push(work);
    else work();
  }

  /** Runs `work` in one snapshot. */
  read<T>(work: () => T): T {
    this.sql('begin').run();
    try {
      return work();
    } finally {
      if (this.connection.inTransaction) this.sql('commit').run();
    }
  }

  /** Runs `work` in one snapshot; a statement of it that asks `in_time(…)` of its rows ends with `late` when it takes longer. */
  readInTime<T>(ms: number, late: () => Error, work: () => T): T {
    const until = Date.now() + ms;
    if (!this.timed) this.connection.function('in_time', { varargs: true }, () => this.askTime());
    this.timed = true;
    this.askTime = () => {
      if (Date.now() > until) throw late();
      return 1;
    };
    return this.read(work);
  }

  /**
   * Runs `work` inside one immediate transaction and resolves when it is durable. Waits for other writers without
   * holding up the event loop: SQLite's own busy handler sleeps on the thread.
   * @throws RegistryError storage.full, service.unavailable; whatever `work` throws, after rolling back
   */
  async write<T>(work: () => T, kind: WriteKind = 'urgent'): Promise<T> {
    if (this.queued === 0 && !(kind === 'bulk' && this.turn.isAsked())) {
      if (this.begin()) return this.commit(work);
    }
    this.queued++;
    const mine = this.queue.then(() => this.waitAndCommit(work, kind));
    this.queue = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      this.queued--;
    }
  }

  private async waitAndCommit<T>(work: () => T, kind: WriteKind): Promise<T> {
    const deadline = Date.now() + this.patienceMs;
    if (kind === 'bulk' && this.turn.isAsked()) await sleep(3);
    while (!this.begin()) {
      if (Date.now() > deadline) {
        throw new RegistryError('service.unavailable', 'The store is busy with other writes; try again in a minute.');
      }
      if (kind === 'urgent') this.turn.ask();
      await sleep(1);
    }
    return this.commit(work);
  }

  /** False when another connection is writing. */
  private begin(): boolean {
    this.connection.pragma('busy_timeout = 0');
    try {
      this.sql('begin immediate').run();
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw translate(error);
    } finally {
      this.connection.pragma(`busy_timeout = ${READ_PATIENCE_MS}`);
    }
  }

  private commit<T>(work: () => T): T {
    this.afterCommit = [];
    this.writing = true;
    try {
      const result = work();
      this.sql('commit').run();
      this.writing = false;
      for (const learn of this.afterCommit) learn();
      return result;
    } catch (error) {
      // A full disk makes SQLite roll back by itself.
      if (this.connection.inTransaction) this.sql('rollback').run();
      throw translate(error);
    } finally {
      this.writing = false;
    }
  }

  /** Number of the last script that was run on the file; 0 for a new one. */
  version(): number {
    return Number(this.connection.pragma('user_version', { simple: true }));
  }

  /** Runs a whole script, waiting on the thread for other processes; only while opening. */
  migrate(script: (run: (text: string) => void, version: number) => void): void {
    this.connection
      .transaction(() => {
        script((text) => this.connection.exec(text), this.version());
      })
      .immediate();
  }

  /** 'ok', or the first fault of the file's structure; reads all of it. */
  check(): unknown {
    return this.connection.pragma('quick_check(1)', { simple: true });
  }

  close(): void {
    if (this.connection.open) this.connection.close();
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

export const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

/** The file is not what SQLite wrote. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));

/** SQLite's failures in the catalogue's words; others as they are. */
export function translate(error: unknown): unknown {
  if (isBusy(error)) {
    return new RegistryError('service.unavailable', 'The store is busy with other writes; try again in a minute.', {
      cause: error,
    });
  }
  const code = codeOf(error);
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    return new RegistryError('storage.full', 'The disk that holds the store is full; nothing of this was stored.', {
      cause: error,
    });
  }
  return error;
}
