/** Connections to PostgreSQL: how transactions run, which of them are repeated, and what their failures mean. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { LEAST_BYTES } from '../../submissions/uploads/disk-room.js';
import { storeIsAway, storeIsReadOnly } from '../failures.js';
import { Connections, type OpenPool } from './connections.js';
import { isConflict, isLost, isOutdatedPlan, isOwnLimit, translate } from './failures.js';
import { forgetOldPlans, preparedOnce, statementName } from './prepared-statements.js';
import { ServerClock } from './server-clock.js';
import { JoinedTexts, spellText } from './text.js';

/** How long work is tried again after lost connections and conflicts before the service says it is unavailable. */
const PATIENCE_MS = 15_000;

const TAKE_NUMBERS = preparedOnce('update counter set next = next + $2 where name = $1 returning next - $2 as first');

export interface PostgresOptions {
  /** Connections at most; also `?pool=` in the address. Default 10. */
  connections?: number;
  /** How long work is tried again that a lost connection ended, milliseconds. */
  patienceMs?: number;
  /** How pools of connections are opened; for tests that open stores by the hundred. */
  openPool?: OpenPool;
}

/** Milliseconds; the most that a timer can wait. */
const AS_LONG_AS_IT_TAKES = 2 ** 31 - 1;

/** One transaction, or one connection that commits each statement by itself. */
export class Session {
  private readonly patience: { query_timeout?: number };
  private readonly prepares: boolean;

  /** `unhurried`: the server may take as long as it takes for an answer. `prepares`: what was prepared is there the next time. */
  constructor(
    private readonly client: pg.ClientBase,
    { unhurried = false, prepares = false },
  ) {
    this.prepares = prepares;
    this.patience = unhurried ? { query_timeout: AS_LONG_AS_IT_TAKES } : {};
  }

  async rows<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.ask(text, values);
    return rows as Row[];
  }

  async one<Row>(text: string, values: unknown[] = []): Promise<Row | undefined> {
    return (await this.rows<Row>(text, values))[0];
  }

  /** Resolves to the number of rows that were written. */
  async run(text: string, values: unknown[] = []): Promise<number> {
    const { rowCount } = await this.ask(text, values);
    return rowCount ?? 0;
  }

  private ask(text: string, values: unknown[]): Promise<pg.QueryResult> {
    const name = this.prepares ? statementName(this.client, text) : undefined;
    return this.client.query({ name, text, values: values.map(spell), ...this.patience });
  }
}

const spell = (value: unknown): unknown => (typeof value === 'string' ? spellText(value) : value);

export class PostgresDatabase {
  readonly schema: string;
  /** Further connections, which the caller ends; `settings`: of PostgreSQL, instead of those that all have. */
  readonly connect: (most: number, settings: Record<string, string>) => Connections;
  private readonly pool: Connections;
  /** For `takeNumbers`. */
  private readonly counters: Connections;
  private readonly clock = new ServerClock(async () => {
    const row = await this.one<{ now: number }>(
      'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now',
    );
    return row?.now ?? Date.now();
  });
  private readonly patienceMs: number;

  constructor(url: string, options: PostgresOptions = {}) {
    this.patienceMs = options.patienceMs ?? PATIENCE_MS;
    const address = new URL(url);
    this.schema = address.searchParams.get('schema') ?? 'public';
    if (!/^[a-z_][a-z0-9_]*$/.test(this.schema)) throw new Error(`"${this.schema}" is no name for a schema`);
    const connections = Number(address.searchParams.get('pool') ?? options.connections ?? 10);
    address.searchParams.delete('schema');
    address.searchParams.delete('pool');
    const { openPool } = options;
    this.connect = (most, settings) => new Connections(address.href, this.schema, most, settings, openPool);
    this.pool = this.connect(connections, {});
    this.counters = this.connect(2, { synchronous_commit: 'off' });
  }

  /** Measures the server's clock. */
  setClock(): Promise<void> {
    return this.clock.measure();
  }

  /** By the server's clock. */
  readonly now = (): number => this.clock.now();

  /** One statement that reads; repeated when the connection breaks. */
  rows<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.persist(this.pool, (session) => session.rows<Row>(text, values), { repeatable: true });
  }

  async one<Row>(text: string, values: unknown[] = []): Promise<Row | undefined> {
    return (await this.rows<Row>(text, values))[0];
  }

  /** One statement that writes what writing twice does not change. */
  run(text: string, values: unknown[] = []): Promise<number> {
    return this.persist(this.pool, (session) => session.run(text, values), { repeatable: true });
  }

  /** Runs `work` in one snapshot. `unhurried`: its statements look at whole tables and are given the time. */
  read<T>(work: (session: Session) => Promise<T>, { unhurried = false } = {}): Promise<T> {
    return this.persist(this.pool, work, {
      repeatable: true,
      begin: 'begin isolation level repeatable read, read only',
      unhurried,
    });
  }

  /**
   * Runs `work` in one transaction and resolves when it is durable. It is run again after a conflict, and after a lost
   * connection too unless the commit was under way: then only if `repeatable`, i.e. if a second run of work that was
   * committed does no harm. `unhurried`: as of `read`, and whoever holds a lock that it needs is waited for.
   * @throws RegistryError storage.full, service.unavailable; whatever `work` throws, after rolling back
   */
  write<T>(
    work: (session: Session) => Promise<T>,
    { repeatable = false, unhurried = false }: { repeatable?: boolean; unhurried?: boolean } = {},
  ): Promise<T> {
    return this.persist(this.pool, work, { repeatable, begin: 'begin', unhurried });
  }

  /**
   * Takes the next `count` numbers; resolves to the first. It commits by itself, so that nobody waits for the caller's
   * transaction, and without waiting for the disk. A crash may therefore forget numbers that were taken, though never
   * ones whose use was committed: call it inside the transaction that uses them, which a crash ends too.
   */
  async takeNumbers(counter: string, count: number): Promise<number> {
    const [row] = await this.persist(
      this.counters,
      (session) => session.rows<{ first: number }>(TAKE_NUMBERS, [counter, count]),
      { repeatable: true },
    );
    if (row === undefined) throw new Error(`the store has lost its counter "${counter}"`);
    return row.first;
  }

  /** One statement that commits by itself, though a transaction of this process is open, and does not wait for the disk. */
  runApart(text: string, values: unknown[] = []): Promise<number> {
    return this.persist(this.counters, (session) => session.run(text, values), { repeatable: true });
  }

  /** Rejects at once when the server does not answer, takes no changes, or has no room for them. */
  async check(): Promise<void> {
    const outcome = await attempt(this.pool, writesSomething, { repeatable: false, begin: 'begin' });
    if ('error' in outcome && !isOwnLimit(outcome.error)) throw translate(outcome.error);
    if ('result' in outcome && outcome.result?.closed) throw storeIsReadOnly();
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.counters.end()]);
  }

  private async persist<T>(pool: Connections, work: (session: Session) => Promise<T>, kind: WorkKind): Promise<T> {
    const deadline = performance.now() + this.patienceMs;
    for (let tries = 0; ; tries++) {
      const outcome = await attempt(pool, work, kind);
      if ('result' in outcome) return outcome.result;
      if (!outcome.again || performance.now() > deadline || pool.ending)
        throw outcome.refused ? storeIsAway(outcome.error) : translate(outcome.error);
      await sleep(Math.random() * Math.min(20 * 2 ** tries, 500));
    }
  }
}

/**
 * Has the server put as much on its disk as a service wants free on its own (submissions/uploads/disk-room.ts), in a temporary file that goes
 * with the query: no rows, no log, no row of a catalogue, so that it may be asked every second.
 */
async function writesSomething(session: Session): Promise<{ closed: boolean } | undefined> {
  await session.run(`set local work_mem = '64kB'`);
  return session.one(
    `with room as materialized (select repeat('x', 8192) as block from generate_series(1, ${LEAST_BYTES / 8192}))
     select current_setting('transaction_read_only') = 'on' as closed, count(*) from room`,
  );
}

interface WorkKind {
  repeatable: boolean;
  /** Absent: each statement commits by itself. */
  begin?: string;
  /** Within `begin`. */
  unhurried?: boolean;
}

/**
 * `refused`: there was no connection to ask on. Whatever the server has against us (a password that was changed while the service runs, a
 * right that was taken, a certificate), it is nothing about what was asked, which may well pass later.
 */
type Outcome<T> = { result: T } | { error: unknown; again: boolean; refused?: true };

async function attempt<T>(
  pool: Connections,
  work: (session: Session) => Promise<T>,
  kind: WorkKind,
): Promise<Outcome<T>> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    return { error, again: isLost(error), refused: true };
  }
  // Whether the server may have committed although we do not hear of it.
  let uncertain = kind.begin === undefined;
  let broken = false;
  const begin = pool.beginning(kind.begin);
  try {
    if (pool.keepsSessions) await forgetOldPlans(client);
    if (begin) await client.query(begin);
    if (kind.unhurried && begin) await client.query('set local statement_timeout = 0; set local lock_timeout = 0');
    const result = await work(new Session(client, { ...kind, prepares: pool.keepsSessions }));
    uncertain = true;
    if (begin) await client.query('commit');
    return { result };
  } catch (error) {
    broken = isLost(error) || isOutdatedPlan(error);
    if (!broken && begin) broken = !(await undo(client));
    return { error, again: isConflict(error) || (isLost(error) && (!uncertain || kind.repeatable)) };
  } finally {
    client.release(broken);
  }
}

async function undo(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback');
    return true;
  } catch {
    return false;
  }
}

export { JoinedTexts };
