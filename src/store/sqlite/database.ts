/** One connection to the SQLite file: how it is opened, how writes take their turn, and what its failures mean. */
import Database from './driver.js';
import { isBusy, translate } from './failures.js';
import { RemovedBytes } from './removed-bytes.js';
import { SUM_FUNCTION, sumOf } from './row-sum.js';
import { type WriteKind, WriteQueue } from './write-queue.js';
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
  /** Bytes of a page, of a file that is new. */
  pageBytes?: number;
  /** Free pages of a file that is new can be given back (`giveBack`). */
  shrinks?: boolean;
  /** Opens a connection to the file. Default: a new one. */
  connect?: Connect;
}

/** @param patienceMs how long a read waits while another process opens or recovers the file */
export type Connect = (path: string, patienceMs: number) => Database.Database;

const connectAnew: Connect = (path, patienceMs) => new Database(path, { timeout: patienceMs });

export class SqliteDatabase {
  /** For writes that remove for good. */
  readonly removed: RemovedBytes;
  private readonly connection: Database.Database;
  private readonly statements = new Map<string, Database.Statement<unknown[], unknown>>();
  private readonly writes: WriteQueue;
  private readonly synchronous: 'FULL' | 'NORMAL';
  private synced = true;
  private reads = 0;
  private requireTime: () => void = () => undefined;

  constructor(path: string, options: DatabaseOptions = {}) {
    this.synchronous = options.synchronous ?? 'FULL';
    this.connection = (options.connect ?? connectAnew)(path, READ_PATIENCE_MS);
    const patienceMs = options.patienceMs ?? BUSY_PATIENCE_MS;
    this.removed = new RemovedBytes(this.connection, patienceMs);
    this.writes = new WriteQueue(
      {
        sql: (text) => this.sql(text),
        begin: (synced) => this.begin(synced),
        inTransaction: () => this.connection.inTransaction,
      },
      new WriteTurn(path),
      patienceMs,
    );
    try {
      if (options.pageBytes !== undefined) this.connection.pragma(`page_size = ${options.pageBytes}`);
      // Of a file that is there it would be written anew at each opening, on a full disk too.
      if (options.shrinks && this.isNew()) this.connection.pragma('auto_vacuum = INCREMENTAL');
      this.connection.pragma('journal_mode = WAL');
      this.connection.pragma(`synchronous = ${this.synchronous}`);
      this.connection.pragma('foreign_keys = ON');
      this.connection.function(SUM_FUNCTION, { varargs: true, deterministic: true }, sumOf);
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

  private isNew(): boolean {
    return Number(this.connection.pragma('page_count', { simple: true })) === 0;
  }

  /** Rows as arrays of their values, which costs half of what objects cost. */
  rowsOf<Row extends unknown[]>(text: string, values: readonly unknown[]): Row[] {
    const key = `raw ${text}`;
    let statement = this.statements.get(key);
    if (statement === undefined) {
      statement = this.connection.prepare<unknown[], unknown>(text).raw();
      this.statements.set(key, statement);
    }
    return statement.all(...values) as Row[];
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
    this.writes.onCommit(work);
  }

  /** Of the snapshot that `read` gives its work: another number for each. */
  get snapshot(): number {
    return this.reads;
  }

  /** Runs `work` in one snapshot. */
  read<T>(work: () => T): T {
    this.reads++;
    this.sql('begin').run();
    try {
      return work();
    } finally {
      if (this.connection.inTransaction) this.sql('commit').run();
    }
  }

  /** Runs `work` in one snapshot; `askTime` throws `late` when it takes longer. */
  readInTime<T>(ms: number, late: () => Error, work: () => T): T {
    const until = performance.now() + ms;
    this.requireTime = () => {
      if (performance.now() > until) throw late();
    };
    try {
      return this.read(work);
    } finally {
      this.requireTime = () => undefined;
    }
  }

  /** For work of many steps: throws when the time of `readInTime` is over. */
  askTime(): void {
    this.requireTime();
  }

  /** Pages that are free: 0 of a file whose pages cannot be given back. */
  get freePages(): number {
    const shrinks = Number(this.connection.pragma('auto_vacuum', { simple: true })) !== 0;
    return shrinks ? Number(this.connection.pragma('freelist_count', { simple: true })) : 0;
  }

  /** Gives free pages back to the file system. Inside a write. */
  giveBack(pages: number): void {
    this.connection.exec(`pragma incremental_vacuum(${pages})`);
  }

  /** Begins a snapshot that lasts until the file is closed: for a connection of one use. */
  hold(): void {
    this.sql('begin').run();
  }

  /** What only this connection sees: the views of blocks (block-views.ts). */
  define(work: (connection: Pick<Database.Database, 'table' | 'function' | 'exec'>) => void): void {
    work(this.connection);
  }

  /** Ends that snapshot and begins another; gives whether anything was written in between. */
  holdAnew(): boolean {
    const version = (): unknown => this.connection.pragma('data_version', { simple: true });
    const before = version();
    this.sql('commit').run();
    this.hold();
    return version() !== before;
  }

  /**
   * Keeps all others from writing until the file is closed, or says that another is writing: for a connection of one use,
   * and for milliseconds.
   */
  holdWrites(): boolean {
    return this.begin();
  }

  /**
   * Runs `work` inside an immediate transaction and resolves when it is durable, or committed where it is `unsynced`
   * (write-queue.ts).
   * @throws RegistryError storage.full, service.unavailable; whatever `work` throws, after rolling back
   */
  write<T>(work: () => T, kind: WriteKind = 'urgent'): Promise<T> {
    return this.writes.add(work, kind);
  }

  /** False when another connection is writing. */
  private begin(synced = true): boolean {
    this.beSynced(synced);
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

  /** Whether the next commit waits for the disk, where the file is one of which commits do: SQLite refuses that inside a transaction. */
  private beSynced(synced: boolean): void {
    if (this.synchronous !== 'FULL' || synced === this.synced) return;
    this.connection.pragma(`synchronous = ${synced ? 'FULL' : 'NORMAL'}`);
    this.synced = synced;
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
