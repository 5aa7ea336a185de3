/** A whole site: API processes and stand-alone workers on one PostgreSQL, one Redis and one S3, each of its own. */
import type { ChildProcess } from 'node:child_process';
import { startServer, type TestServer } from '../support/server.js';
import { kill } from './local-process.js';
import { PostgresServer } from './postgres-server.js';
import { RedisServer } from './redis-server.js';
import { S3Server } from './s3-server.js';
import { startWorker } from './stand-alone.js';
import { TcpProxy } from './tcp-proxy.js';

/** Shared by API processes and workers; limits are for other tests. */
const SETTINGS = {
  LEASE_SECONDS: '3',
  ADMIN_TOKEN: 'site-admin-token-for-tests-0123456789',
  LOG_LEVEL: 'warn',
  RATE_READS_PER_MINUTE: '0',
  RATE_WRITES_PER_MINUTE: '0',
  RATE_UPLOADS_PER_MINUTE: '0',
  QUOTA_SUBMISSIONS_PER_DAY: '0',
  QUOTA_BYTES_PER_DAY: '0',
  QUOTA_WAITING: '0',
};

export class Site {
  readonly apis: TestServer[] = [];
  private readonly workers: (ChildProcess | undefined)[] = [];
  private stopping = false;

  private constructor(
    readonly postgres: PostgresServer,
    readonly redis: RedisServer,
    readonly storage: S3Server,
    /** The way of the last worker to PostgreSQL. */
    readonly wire: TcpProxy,
  ) {}

  static async open(apis: number, workers: number): Promise<Site> {
    const postgres = await PostgresServer.open();
    const site = new Site(
      postgres,
      await RedisServer.open(),
      await S3Server.open(),
      await TcpProxy.open(postgres.port),
    );
    for (let n = 0; n < apis; n++) {
      site.apis.push(await startServer({ env: { ...site.settings(), WORKERS: '0' } }));
    }
    for (let n = 0; n < workers; n++) site.startWorker(n, n === workers - 1);
    return site;
  }

  get workerCount(): number {
    return this.workers.length;
  }

  /** One more, whose way to PostgreSQL is the wire's. */
  addWorker(): void {
    this.startWorker(this.workers.length, true);
  }

  /** Kills it as a power cut does; another takes its place at once, as a supervisor sees to. */
  async killWorker(n: number): Promise<void> {
    const child = this.workers[n];
    if (child) await kill(child);
  }

  async restartRedisEmpty(): Promise<void> {
    await this.redis.stop();
    await this.redis.start();
  }

  async restartPostgres(): Promise<void> {
    this.postgres.stop('fast');
    await this.postgres.start();
  }

  async close(): Promise<void> {
    this.stopping = true;
    const stopped = await Promise.allSettled([
      ...this.workers.map((child) => child && kill(child, 'SIGTERM')),
      ...this.apis.map((api) => api.stop()),
    ]);
    await this.wire.close();
    await this.storage.close();
    await this.redis.remove();
    this.postgres.remove();
    for (const outcome of stopped) if (outcome.status === 'rejected') throw outcome.reason;
  }

  private settings(port = this.postgres.port): Record<string, string> {
    return {
      ...SETTINGS,
      STORE_URL: `postgres://postgres@127.0.0.1:${port}/postgres`,
      QUEUE_URL: this.redis.url,
      BLOB_URL: this.storage.url(),
    };
  }

  private startWorker(n: number, throughWire: boolean): void {
    const child = startWorker(this.settings(throughWire ? this.wire.port : undefined), String(n));
    child.once('exit', () => {
      if (!this.stopping) this.startWorker(n, throughWire);
    });
    this.workers[n] = child;
  }
}
