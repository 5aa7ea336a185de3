/**
 * The PostgreSQL store through PgBouncer in transaction mode: each transaction may meet another session.
 *
 * @module-tag slow
 */

import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { PostgresDatabase } from '../../src/store/postgres/database.js';
import { vacuumTables } from '../../src/store/postgres/vacuum.js';
import { applyBatchContract } from '../contract/apply-batch.js';
import { service, without } from '../support/services.js';
import { freePort, kill, lacks, start, until } from './local-process.js';
import { dropSchemas, freshSchemaUrl } from './postgres-schema.js';

/** Beside the pooler. */
async function ask<Row>(text: string): Promise<Row[]> {
  const client = new pg.Client(service('postgres'));
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** What PgBouncer does with settings that come with a connection: refuses it, or swallows them. */
const MODES = { refuses: '', swallows: 'extra_float_digits, options' };

describe.skipIf(without('postgres') || lacks('pgbouncer')).each(Object.entries(MODES))(
  'behind PgBouncer that %s settings of the connection',

  (_how, ignored) => {
    let pooler: ReturnType<typeof start>;
    let folder: string;
    let port: number;
    const url = (): string => {
      const own = new URL(freshSchemaUrl());
      own.port = String(port);
      own.searchParams.set('pool', '3');
      return own.href;
    };

    beforeAll(async () => {
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
      const { hostname, port: behindIt, pathname, username } = new URL(service('postgres'));
      const behind = `postgres = host=${hostname} port=${behindIt} dbname=${pathname.slice(1)} user=${username}`;
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
    });
    afterAll(async () => {
      await kill(pooler);
      await dropSchemas();
      rmSync(folder, { recursive: true, force: true });
    });

    const open = (options: { prefix: string; now?: () => number }) => openStore(url(), options);
    if (ignored === '') applyBatchContract('a pooler', open);

    it('limits statements and locks, and writes into its own schema, in whatever session', async () => {
      const database = new PostgresDatabase(url());
      const { schema } = database;
      await ask(`create schema ${schema}`);
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
        expect(await ask(`select n from ${schema}.one`)).toEqual([]);
        await expect(vacuumTables(database, ['one'])).rejects.toThrow('the address of the server itself');
      } finally {
        await database.close();
      }
      // Whoever else uses the pooler's sessions does not inherit them.
      const other = await ask<{ path: string }>("select current_setting('search_path') as path");
      expect(other[0]?.path).not.toBe(schema);
    });
  },
);

describe.skipIf(without('postgres'))('a store that cannot be opened', () => {
  it('says which server, which database, who, and why', async () => {
    const { host, pathname } = new URL(service('postgres'));
    const missing = service('postgres').replace(new RegExp(`${pathname}$`), '/nothing');
    await expect(openStore(missing, { prefix: 'SAMR' })).rejects.toThrow(
      `PostgreSQL at ${host}, database "nothing" as postgres, cannot be used: database "nothing" does not exist.`,
    );
    const port = await freePort();
    const away = `postgres://ada:secret@127.0.0.1:${port}/registry`;
    const error = await openStore(away, { prefix: 'SAMR', patienceMs: 500 }).catch((reason: unknown) => String(reason));
    expect(error).toContain(
      `PostgreSQL at 127.0.0.1:${port}, database "registry" as ada, cannot be used: connect ECONNREFUSED`,
    );
    expect(error).not.toContain('secret');
  });
});
