/**
 * Connections that keep to the same settings (schema, limits of time) whatever stands between: a server takes them when
 * a connection begins, which costs nothing later. A pooler (PgBouncer) refuses or ignores them there and may serve each
 * transaction by another session, so behind one they are set at the beginning of every transaction.
 */
import pg from 'pg';
import { readText } from './text.js';

/** A statement that runs longer is a fault; the server ends it. Milliseconds. */
const STATEMENT_MS = 30_000;
const LOCK_MS = 10_000;
/** A process that was frozen inside a transaction holds its locks no longer than this. */
const IDLE_IN_TRANSACTION_MS = 5_000;

const INT8 = 20;
const TEXTS = [18, 19, 25, 1043];

type Settings = Record<string, string>;

export type OpenPool = (settings: pg.PoolConfig) => pg.Pool;

const newPool: OpenPool = (settings) => new pg.Pool(settings);

export class Connections {
  private readonly settings: Settings;
  private pool: pg.Pool;
  private behindPooler = false;

  /** `more`: further settings of PostgreSQL. */
  constructor(
    private readonly connectionString: string,
    schema: string,
    private readonly max: number,
    more: Settings = {},
    private readonly openPool = newPool,
  ) {
    this.settings = {
      search_path: schema,
      statement_timeout: String(STATEMENT_MS),
      lock_timeout: String(LOCK_MS),
      idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
      // Of a table that has grown since it was last looked at, PostgreSQL thinks that it pays: 0.3 s for a statement of 2 ms.
      jit: 'off',
      ...more,
    };
    this.pool = this.open();
  }

  get ending(): boolean {
    return this.pool.ending;
  }

  async connect(): Promise<pg.PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      if (this.behindPooler || !isRefusedSetting(error)) throw error;
      this.behindPooler = true;
      const refused = this.pool;
      this.pool = this.open();
      await refused.end();
      return this.pool.connect();
    }
  }

  /** A statement finds what the one before it on the same connection has left. */
  get keepsSessions(): boolean {
    return !this.behindPooler;
  }

  /** What begins work: `begin` or undefined for statements that commit by themselves, with the settings where they are needed. */
  beginning(begin: string | undefined): string | undefined {
    if (!this.behindPooler) return begin;
    const set = Object.entries(this.settings).map(([name, value]) => `set local ${name} = ${value}`);
    return [begin ?? 'begin', ...set].join('; ');
  }

  async end(): Promise<void> {
    if (!this.pool.ended) await this.pool.end();
  }

  private open(): pg.Pool {
    const options = Object.entries(this.settings).map(([name, value]) => `-c ${name}=${value}`);
    const pool = this.openPool({
      connectionString: this.connectionString,
      max: this.max,
      ...(this.behindPooler ? {} : { options: options.join(' '), onConnect: (client) => this.compare(client) }),
      application_name: 'sample-registry',
      connectionTimeoutMillis: 3_000,
      idleTimeoutMillis: 60_000,
      // Longer than the server's own limit: for a network that has swallowed the answer.
      query_timeout: STATEMENT_MS + 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: { getTypeParser },
    });
    // The next statement on a connection that breaks fails by itself; nothing need be reported twice.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => {
      client.on('error', () => undefined);
    });
    return pool;
  }

  /** A pooler may also be set up to swallow what it does not know: then the limit that was asked for is not there. */
  private async compare(client: pg.ClientBase): Promise<void> {
    const { rows } = await client.query(
      `select current_setting('search_path') = $1
         and extract(epoch from current_setting('statement_timeout')::interval) * 1000 = $2::int as kept`,
      [this.settings.search_path, this.settings.statement_timeout],
    );
    if (rows[0]?.kept !== true) this.behindPooler = true;
  }
}

const isRefusedSetting = (error: unknown): boolean =>
  error instanceof Error && /unsupported startup parameter/i.test(error.message);

function getTypeParser(oid: number, format?: unknown): (value: string) => unknown {
  if (oid === INT8) return Number;
  if (TEXTS.includes(oid)) return readText;
  return pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text') as (value: string) => unknown;
}
