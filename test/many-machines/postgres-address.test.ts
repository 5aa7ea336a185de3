/**
 * The operator's commands on a PostgreSQL that is hard to get into: certificates, odd names and passwords, roles with few rights.
 *
 * @module-tag slow
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/store/postgres/programs.js';
import { snapshotStore } from '../../src/store/snapshot.js';
import { runCommand } from '../support/command.js';
import { lacksPostgres, PostgresServer } from './postgres-server.js';

const PASSWORD = `p@ss/w:o%r "d'?\\ä`;
const DATABASE = `o'd d=x\\`;

describe.skipIf(lacksPostgres())('the address of PostgreSQL', () => {
  let server: PostgresServer;
  let folder: string;
  beforeAll(async () => {
    server = await PostgresServer.openWithTls('certified');
    folder = mkdtempSync(join(tmpdir(), 'address-'));
    for (const statement of [
      'create role certified login',
      `create role odd login password $$${PASSWORD}$$`,
      `create database "${DATABASE}" owner odd`,
      'create role owner nologin',
      'grant owner to odd',
      'create schema owned authorization owner',
      'create role plain login',
      `alter role plain password 'plain'`,
      'create schema certified authorization certified',
      'create schema theirs',
    ])
      await server.ask(statement);
  });
  afterAll(() => {
    server.remove();
    rmSync(folder, { recursive: true });
  });

  const run = (words: string[], STORE_URL: string, env: Record<string, string> = {}) =>
    runCommand(words, { cwd: folder, env: { HOME: folder, DATA_DIR: join(folder, 'data'), STORE_URL, ...env } });

  const file = (name: string) => encodeURIComponent(join(server.folder, name));
  const tls = () => `sslrootcert=${file('ca.crt')}`;
  const certified = () =>
    `postgres://certified@localhost:${server.port}/postgres?schema=certified&sslmode=verify-full&${tls()}&sslcert=${file('client.crt')}&sslkey=${file('client.key')}`;
  const odd = (parameters: string) =>
    `postgres://odd@localhost:${server.port}/${encodeURI(DATABASE)}?schema=odd&${parameters}`;
  const secret = { STORE_PASSWORD: PASSWORD };
  interface Address {
    url: string;
    env?: Record<string, string>;
    schema: string;
    database?: string;
  }
  const cases: Record<string, () => Address> = {
    'a certificate of the client': () => ({ url: certified(), schema: 'certified' }),
    'a name and a password that want to be spelt': () => ({
      url: odd(`sslmode=verify-full&${tls()}`),
      env: secret,
      schema: 'odd',
      database: DATABASE,
    }),
    'the password in a file of its own': () => ({
      url: odd(`uselibpqcompat=true&sslmode=require`),
      env: { PGPASSFILE: join(folder, 'passwords') },
      schema: 'odd',
      database: DATABASE,
    }),
    'another role by options': () => ({
      url: `postgres://odd@localhost:${server.port}/postgres?schema=owned&sslmode=no-verify&options=${encodeURIComponent('-c role=owner')}`,
      env: secret,
      schema: 'owned',
    }),
    'a socket': () => ({
      url: `postgres://postgres@localhost/postgres?schema=by_socket&host=${encodeURIComponent(server.folder)}&port=${server.port}`,
      schema: 'by_socket',
    }),
  };

  it.each(Object.entries(cases))('%s: backup and restore get in where the service does', async (name, addressOf) => {
    const { url, env = {}, schema, database } = addressOf();
    const escaped = PASSWORD.replaceAll(/[:\\]/g, '\\$&');
    writeFileSync(join(folder, 'passwords'), `*:*:*:*:${escaped}\n`, { mode: 0o600 });
    const target = join(folder, `backup of ${name}`);
    expect(await run(['migrate'], url, env)).toMatchObject({ code: 0 });
    expect(await run(['backup', target], url, env)).toMatchObject({ code: 0 });
    // The schema may stay, and whose it is.
    const own = database === undefined ? undefined : server.url().replace(/postgres$/, encodeURI(database));
    await server.ask(
      `do $$ declare r record; begin for r in select tablename t from pg_tables where schemaname = '${schema}' loop execute format('drop table ${schema}.%I cascade', r.t); end loop; for r in select p.oid::regprocedure f from pg_proc p where pronamespace = '${schema}'::regnamespace loop execute format('drop function %s cascade', r.f); end loop; end $$`,
      [],
      own,
    );
    const restored = await run(['restore', target], url, env);
    expect(restored.stdout, restored.stderr).toContain('0 samples, 0 submissions (0 not ended), 0 faults.');
    expect(restored.stdout).toMatch(/The next accession is SAMR[1-9]000001\./);
  });

  it('pg_dump ends where a password is wanted and none was given: nobody is there to type it', async () => {
    const url = `postgres://plain@localhost:${server.port}/postgres`;
    await expect(runProgram('pg_dump', ['--schema-only'], url)).rejects.toThrow(/no password supplied/);
  });

  it('backup goes to no server that the service would not trust, and leaves nothing that looks like one', async () => {
    const url = certified();
    expect((await run(['migrate'], url)).code).toBe(0);
    const target = join(folder, 'distrusted');
    mkdirSync(target);
    // Where the server does not answer it is left to pg_dump to say so.
    await expect(snapshotStore(url.replace(/sslrootcert=[^&]*/, ''), target)).rejects.toThrow(
      /certificate verify failed/,
    );
    expect(readdirSync(target)).toEqual([]);
  });

  it('a folder that has a backup already keeps it', async () => {
    const url = certified();
    expect((await run(['migrate'], url)).code).toBe(0);
    const target = join(folder, 'kept');
    expect((await run(['backup', target], url)).code).toBe(0);
    const before = readFileSync(join(target, 'registry.dump'));
    const again = await run(['backup', target], url);
    expect(again.stderr).toContain(`There is ${join(target, 'registry.dump')} already`);
    expect(again.code).toBe(1);
    expect(readFileSync(join(target, 'registry.dump')).equals(before)).toBe(true);
  });

  it.each([
    ['no schema and no right to make one', 'unmade', []],
    ['a schema that is not theirs', 'theirs', []],
    ['a schema that they may look into', 'theirs', ['grant usage on schema theirs to plain']],
  ])('%s: says which right the role needs', async (_name, schema, statements) => {
    for (const statement of statements) await server.ask(statement);
    const { code, stderr } = await run(
      ['migrate'],
      `postgres://plain:plain@localhost:${server.port}/postgres?schema=${schema}`,
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining(`needs USAGE and CREATE in the schema ${schema}`)]);
  });

  it('USAGE and CREATE in its schema are enough for a role to make a store, and a right to the rows to work', async () => {
    const url = (schema: string) => `postgres://plain:plain@localhost:${server.port}/postgres?schema=${schema}`;
    await server.ask('create schema made');
    await server.ask('grant usage, create on schema made to plain');
    expect(await run(['migrate'], url('made'))).toMatchObject({ code: 0, stderr: '' });
    const others = server.url('?schema=others');
    expect(await run(['migrate'], others)).toMatchObject({ code: 0 });
    await server.ask('grant usage on schema others to plain');
    await server.ask('grant select, insert, update, delete on all tables in schema others to plain');
    expect(await run(['migrate'], url('others'))).toMatchObject({ code: 0, stderr: '' });
    await server.ask('delete from others.migration where number = (select max(number) from others.migration)');
    expect((await run(['migrate'], url('others'))).stderr).toContain('must own the tables there');
  });
});
