/** The PostgreSQL store through PgBouncer in transaction mode: each transaction may meet another session. */

import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { PostgresDatabase } from '../../src/store/postgres/database.js';
import { applyBatchContract } from '../contract/apply-batch.js';
import { freePort, kill, lacks, start, until } from './local-process.js';
import { lacksPostgres, PostgresServer } from './postgres-server.js';

/** What PgBouncer does with settings that come with a connection: refuses it, or swallows them. */
const MODES = { refuses: '', swallows: 'extra_float_digits, options' };

describe.skipIf(lacksPostgres() || lacks('pgbouncer')).each(Object.entries(MODES))(
  'behind PgBouncer that %s settings of the connection',
  { timeout: 60_000 },
  (_how, ignored) => {
    let postgres: PostgresServer;
    let pooler: ReturnType<typeof start>;
    let folder: string;
    let port: number;
    let schemas = 0;
    const url = (): string => `postgres://postgres@127.0.0.1:${port}/postgres?schema=p${++schemas}&pool=3`;

    beforeAll(async () => {
      postgres = await PostgresServer.open();
      port = await freePort();
      folder = mkdtempSync(join(tmpdir(), 'registry-pgbouncer-'));
      const settings = {
        listen_addr: '127.0.0.1',
        listen_port: port,
        unix_socket_dir: '',
        auth_type: 'any',
        pool_mode: 'transaction',
        default_pool_size: 5,
        ...(ignored && { ignore_startup_parameters: ignored }),
      };
      const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
      const behind = `postgres = host=127.0.0.1 port=${postgres.port} dbname=postgres user=postgres`;
      const file = join(folder, 'pgbouncer.ini');
      writeFileSync(file, ['[databases]', behind, '[pgbouncer]', ...lines, ''].join('\n'));
      // Like PostgreSQL it refuses to run as root.
      const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
      const user = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {};
      if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
      pooler = start('pgbouncer', ['-q', file], user);
      const database = new PostgresDatabase(url());
      await until(() => database.check());
      await database.close();
    }, 120_000);
    afterAll(async () => {
      await kill(pooler);
      postgres.remove();
      rmSync(folder, { recursive: true, force: true });
    });

    const open = (options: { prefix: string; now?: () => number }) => openStore(url(), options);
    if (ignored === '') applyBatchContract('a pooler', open);

    it('limits statements and locks, and writes into its own schema, in whatever session', async () => {
      const database = new PostgresDatabase(url());
      const { schema } = database;
      await postgres.ask(`create schema ${schema}`);
      try {
        const asked = Array.from({ length: 8 }, () =>
          database.one<{ path: string; statement: string; lock: string; idle: string }>(
            `select current_setting('search_path') as path, current_setting('statement_timeout') as statement,
               current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle
             from pg_sleep(0.05)`,
          ),
        );
        for (const answer of await Promise.all(asked)) {
          expect(answer).toEqual({ path: schema, statement: '30s', lock: '10s', idle: '5s' });
        }
        await database.write((session) => session.run('create table one (n int)'));
        expect(await postgres.ask(`select n from ${schema}.one`)).toEqual([]);
      } finally {
        await database.close();
      }
      // Whoever else uses the pooler's sessions does not inherit them.
      const other = await postgres.ask<{ path: string }>("select current_setting('search_path') as path");
      expect(other[0]?.path).not.toBe(schema);
    });
  },
);

describe.skipIf(lacksPostgres())('a store that cannot be opened', { timeout: 60_000 }, () => {
  it('says which server, which database, who, and why', async () => {
    const server = await PostgresServer.open();
    try {
      const missing = server.url().replace(/\/postgres$/, '/nothing');
      await expect(openStore(missing, { prefix: 'SAMR' })).rejects.toThrow(
        `PostgreSQL at 127.0.0.1:${server.port}, database "nothing" as postgres, cannot be used: database "nothing" does not exist.`,
      );
    } finally {
      server.remove();
    }
    const away = `postgres://ada:secret@127.0.0.1:${server.port}/registry`;
    const error = await openStore(away, { prefix: 'SAMR', patienceMs: 500 }).catch((reason: unknown) => String(reason));
    expect(error).toContain(
      `PostgreSQL at 127.0.0.1:${server.port}, database "registry" as ada, cannot be used: connect ECONNREFUSED`,
    );
    expect(error).not.toContain('secret');
  });
});
