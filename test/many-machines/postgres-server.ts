/** A PostgreSQL of one's own, with fsync on, that a test may restart, kill and freeze. */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, until } from './local-process.js';

const bin = (): string | undefined =>
  readdirSync('/usr/lib/postgresql', { withFileTypes: true })
    .map(({ name }) => join('/usr/lib/postgresql', name, 'bin'))
    .filter((folder) => existsSync(join(folder, 'initdb')))
    .sort()
    .at(-1);

/** Use as `describe.skipIf(lacksPostgres())(…)`: skipped without the programs, except in CI, where that is a failure. */
export function lacksPostgres(): boolean {
  if (existsSync('/usr/lib/postgresql') && bin()) return false;
  if (process.env.CI === 'true') throw new Error('PostgreSQL is missing: apt-get install postgresql.');
  console.warn('skipped: PostgreSQL is missing: apt-get install postgresql.');
  return true;
}

/** Of the account postgres, once they were asked for. */
const ids: Partial<Record<'-u' | '-g', number>> = {};

export class PostgresServer {
  private settings: string[] = [];

  private constructor(
    readonly port: number,
    readonly folder: string,
    private readonly programs: string,
  ) {}

  /**
   * With certificates of an authority of its own (`ca.crt` in its folder), under the name `localhost`. It takes over TLS and by a
   * certificate (`client.crt`, `client.key`) who is `clientName`, by their password all others but its owner.
   */
  static async openWithTls(clientName: string): Promise<PostgresServer> {
    const server = await PostgresServer.open();
    const { folder } = server;
    const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
    const key = (name: string) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`];
    openssl('req', '-x509', ...key('ca'), '-days', '2', '-subj', '/CN=authority', '-out', 'ca.crt');
    writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
    const by = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
    for (const [name, subject] of [
      ['server', 'localhost'],
      ['client', clientName],
    ] as const) {
      openssl('req', ...key(name), '-subj', `/CN=${subject}`, '-out', `${name}.csr`);
      openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-out', `${name}.crt`);
    }
    server.handOver(join(folder, 'server.key'));
    const rules = [
      'local all all trust',
      'host all postgres 127.0.0.1/32 trust',
      `hostssl all ${clientName} 127.0.0.1/32 cert`,
      'host all all 127.0.0.1/32 scram-sha-256',
    ];
    writeFileSync(join(folder, 'data', 'pg_hba.conf'), `${rules.join('\n')}\n`);
    server.stop();
    const file = (name: string) => join(folder, name);
    server.settings = [
      'ssl=on',
      `ssl_cert_file=${file('server.crt')}`,
      `ssl_key_file=${file('server.key')}`,
      `ssl_ca_file=${file('ca.crt')}`,
    ];
    await server.start();
    return server;
  }

  static async open(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'registry-postgres-'));
    const server = new PostgresServer(await freePort(), folder, bin() ?? '');
    // PostgreSQL refuses to run as root.
    server.handOver(folder);
    server.run('initdb', [
      '-D',
      join(folder, 'data'),
      '-A',
      'trust',
      '-U',
      'postgres',
      '--no-instructions',
      '--no-sync',
    ]);
    await server.start();
    return server;
  }

  /** Makes a folder the server's own. */
  handOver(folder: string): void {
    if (process.getuid?.() === 0) chownSync(folder, this.idOf('-u'), this.idOf('-g'));
  }

  url(parameters = ''): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres${parameters}`;
  }

  async start(): Promise<void> {
    const own = this.settings.map((setting) => ` -c ${setting}`).join('');
    const settings = `-p ${this.port} -k ${this.folder} -c listen_addresses=127.0.0.1 -c max_connections=200${own}`;
    this.run('pg_ctl', [
      '-D',
      join(this.folder, 'data'),
      '-l',
      join(this.folder, 'log'),
      '-w',
      '-o',
      settings,
      'start',
    ]);
    await until(() => this.ask('select 1'));
  }

  /** `fast` breaks connections and shuts down in order, `immediate` is a crash. */
  stop(mode: 'fast' | 'immediate' = 'fast'): void {
    this.run('pg_ctl', ['-D', join(this.folder, 'data'), '-w', '-m', mode, 'stop']);
  }

  /** Runs one statement; resolves to its rows. */
  async ask<Row>(text: string, values: unknown[] = [], url = this.url()): Promise<Row[]> {
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text, values)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  remove(): void {
    try {
      this.stop('immediate');
    } catch {
      // it was down already
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private run(program: string, parameters: string[]): void {
    const as = process.getuid?.() === 0 ? { uid: this.idOf('-u'), gid: this.idOf('-g') } : {};
    execFileSync(join(this.programs, program), parameters, { stdio: 'ignore', cwd: this.folder, ...as });
  }

  private idOf(which: '-u' | '-g'): number {
    ids[which] ??= Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
    return ids[which];
  }
}
