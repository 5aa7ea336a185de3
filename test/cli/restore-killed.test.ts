/**
 * A restore into PostgreSQL whose command is killed: pg_restore, which it started, goes on to its end.
 *
 * @module-tag slow
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { createSample } from '../many-machines/store-samples.js';
import { runCommand } from '../support/command.js';
import { without } from '../support/services.js';

describe.skipIf(without('postgres'))('a restore that is killed', () => {
  let folder: string;
  let url: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'restore-killed-'));
    url = freshSchemaUrl();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await dropSchemas();
  });

  async function ask(text: string): Promise<number> {
    const address = new URL(url);
    for (const own of ['schema', 'pool']) address.searchParams.delete(own);
    const client = new pg.Client(address.href);
    await client.connect();
    const { rowCount } = await client.query(
      text.replaceAll('SCHEMA', new URL(url).searchParams.get('schema') as string),
    );
    await client.end();
    return rowCount ?? 0;
  }

  /** In place of the real one: it kills the command that started it, and then does what it was asked to do. */
  function programsThatKill(): string {
    const programs = join(folder, 'programs');
    const real = execFileSync('sh', ['-c', 'command -v pg_restore'], { encoding: 'utf8' }).trim();
    mkdirSync(programs);
    const lines = ['#!/bin/sh', 'case "$*" in *--single-transaction*) kill -KILL $PPID;; esac', `exec ${real} "$@"`];
    writeFileSync(join(programs, 'pg_restore'), lines.join('\n'), { mode: 0o755 });
    return programs;
  }

  it('leaves a store of which nobody takes an accession, which says so and can be restored again', async () => {
    const env = { HOME: folder, STORE_URL: url, DATA_DIR: join(folder, 'data') };
    const store = await openStore(url, { prefix: 'SAMR' });
    expect(await createSample(store, 'ada', 1)).toBe(1);
    await store.close();
    const taken = await runCommand(['backup', join(folder, 'backup')], { env });
    expect(taken.code, taken.stderr).toBe(0);
    await ask('drop schema SCHEMA cascade');

    const restore = ['restore', join(folder, 'backup'), '--continue-after', 'SAMR5000'];
    const killed = await runCommand(restore, { env: { ...env, PATH: `${programsThatKill()}:${process.env.PATH}` } });
    expect(killed.code).toBe(null);
    await expect.poll(() => ask("select from pg_tables where schemaname = 'SCHEMA'")).toBeGreaterThan(0);
    const left = await openStore(url, { prefix: 'SAMR' });
    await expect(createSample(left, 'ada', 1)).rejects.toThrow('counter');
    await expect(left.nextAccession()).rejects.toThrow(/a restore that was broken off leaves it: take away the schema/);
    await left.close();

    await ask('drop schema SCHEMA cascade');
    const whole = await runCommand(restore, { env });
    expect(whole.stdout, whole.stderr).toContain('The next accession is SAMR5001.');
    expect(whole.stdout).toContain(' 0 faults');
  });
});
