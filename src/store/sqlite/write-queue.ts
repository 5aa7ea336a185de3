/**
 * The writes of one connection, in the order in which they came. Those that are urgent and wait together share a
 * transaction and its fsync, which costs the event loop more than the writes themselves.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { storeIsBusy } from '../failures.js';
import { translate } from './failures.js';
import type { WriteTurn } from './write-turn.js';

/** Milliseconds after which a transaction takes in no further write: the event loop stands still for as long. */
const GROUP_MS = 20;

/**
 * `urgent` writes answer somebody; `bulk` ones come by the thousand, one after the other, and let an urgent one of any
 * process go before the next. `unsynced` ones are urgent, and nobody is worse off when a power cut takes them.
 */
export type WriteKind = 'urgent' | 'bulk' | 'unsynced';

/** A write that has not been committed. */
interface Waiting {
  work: () => unknown;
  kind: WriteKind;
  /** Milliseconds since 1970. */
  deadline: number;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  /** What is to run once it is durable. */
  learned: (() => void)[];
}

/** What a queue needs of its connection. */
interface Connection {
  sql(text: string): { run(): unknown };
  /** False when another connection is writing. `synced`: the commit waits for the disk. */
  begin(synced: boolean): boolean;
  inTransaction(): boolean;
}

export class WriteQueue {
  private waiting: Waiting[] = [];
  private draining = false;
  /** The transaction that has begun waits for the disk. */
  private synced = true;
  private writing: Waiting | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly turn: WriteTurn,
    private readonly patienceMs: number,
  ) {}

  /** Runs once the present write is committed, at once outside of one. */
  onCommit(work: () => void): void {
    if (this.writing) this.writing.learned.push(work);
    else work();
  }

  /**
   * Runs `work` inside an immediate transaction and resolves when it is durable, or committed where it is `unsynced`. Waits for other writers without
   * holding up the event loop: SQLite's own busy handler sleeps on the thread. Urgent writes that came meanwhile share
   * the transaction and its fsync; one that throws is undone alone.
   * @throws RegistryError storage.full, service.unavailable; whatever `work` throws, after rolling back
   */
  add<T>(work: () => T, kind: WriteKind): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const deadline = performance.now() + this.patienceMs;
      this.waiting.push({ work, kind, deadline, resolve: resolve as Waiting['resolve'], reject, learned: [] });
      if (!this.draining) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.draining = true;
    try {
      while (this.waiting.length > 0) {
        // What else arrives in this turn of the event loop comes with it, and what waits to be read goes first.
        await nextTurn();
        if (this.waiting[0]?.kind === 'bulk' && this.turn.isAsked()) await sleep(3);
        if (await this.begun()) this.commitGroup();
      }
    } finally {
      this.draining = false;
    }
  }

  /** False when nobody waits any more: the store was busy with others for too long. */
  private async begun(): Promise<boolean> {
    for (;;) {
      this.synced = this.waiting.some(({ kind }) => kind !== 'unsynced');
      try {
        if (this.connection.begin(this.synced)) return true;
      } catch (error) {
        this.waiting.shift()?.reject(error);
        return false;
      }
      const now = performance.now();
      for (const { reject } of this.waiting.filter(({ deadline }) => now > deadline)) reject(storeIsBusy());
      this.waiting = this.waiting.filter(({ deadline }) => now <= deadline);
      if (this.waiting.length === 0) return false;
      if (this.waiting.some(({ kind }) => kind !== 'bulk')) this.turn.ask();
      await sleep(1);
    }
  }

  /** In the transaction that has begun: the first that waits and, when it is not bulk, those behind it that are neither. */
  private commitGroup(): void {
    const until = performance.now() + GROUP_MS;
    const done: { one: Waiting; result: unknown }[] = [];
    try {
      do {
        const one = this.waiting.shift() as Waiting;
        const result = this.attempt(one);
        if (result !== undefined) done.push({ one, result: result.value });
        if (one.kind === 'bulk') break;
      } while (this.goesAlong(this.waiting[0]) && performance.now() < until);
      this.connection.sql('commit').run();
    } catch (error) {
      // A full disk makes SQLite roll back by itself, and with it what the others of the group have written.
      if (this.connection.inTransaction()) this.connection.sql('rollback').run();
      for (const { one } of done) one.reject(translate(error));
      return;
    }
    for (const { one } of done) for (const learn of one.learned) learn();
    for (const { one, result } of done) one.resolve(result);
  }

  /** What came since an unsynced transaction was begun waits for the next. */
  private goesAlong(next: Waiting | undefined): boolean {
    return next !== undefined && next.kind !== 'bulk' && (this.synced || next.kind === 'unsynced');
  }

  /** Undefined when it threw and was undone alone. A bulk write has the transaction to itself and needs no savepoint. */
  private attempt(one: Waiting): { value: unknown } | undefined {
    const apart = one.kind !== 'bulk';
    if (apart) this.connection.sql('savepoint one').run();
    this.writing = one;
    try {
      const value = one.work();
      if (apart) this.connection.sql('release one').run();
      return { value };
    } catch (error) {
      one.reject(translate(error));
      if (!apart || !this.connection.inTransaction()) throw error;
      this.connection.sql('rollback to one').run();
      this.connection.sql('release one').run();
      return undefined;
    } finally {
      this.writing = undefined;
    }
  }
}
