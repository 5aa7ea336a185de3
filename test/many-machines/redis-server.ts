/** A Redis of one's own, without persistence: each start is empty. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort, kill, start, until } from './local-process.js';

export class RedisServer {
  private child: ChildProcess | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), 'registry-redis-'));

  private constructor(
    readonly port: number,
    private readonly settings: string[],
  ) {}

  static async open(...settings: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), settings);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const own = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.child = start('redis-server', [...own, '--dir', this.folder, ...this.settings]);
    await until(() => this.ask('ping'));
  }

  /** With SIGSTOP the server keeps its connections and answers nobody. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child?.kill(signal);
  }

  async stop(): Promise<void> {
    if (this.child) await kill(this.child);
  }

  /** Runs one command. */
  async ask(command: string, ...parameters: string[]): Promise<unknown> {
    const client = new Redis(this.port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.call(command, ...parameters);
    } finally {
      client.disconnect();
    }
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
