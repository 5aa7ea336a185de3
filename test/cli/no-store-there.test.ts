/** Operators' commands where the service's store is not: in another folder, with another user's settings. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Database from '../../src/store/sqlite/driver.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { runCommand } from '../support/command.js';
import { without } from '../support/services.js';

const folder = mkdtempSync(join(tmpdir(), 'nowhere-'));
const run = (args: string[], env: Record<string, string> = {}) =>
  runCommand(args, { cwd: folder, env: { HOME: folder, ...env }, input: 'a long password\n' });
afterAll(async () => {
  await dropSchemas();
  rmSync(folder, { recursive: true });
});

const NEED_ONE = [
  'verify',
  'backup saved',
  'backup --record',
  'purge',
  'erase SAMR1 --yes',
  'reindex',
  'operations',
  'operations --submissions',
  'token list',
  'token revoke x',
  'account passwd eve --password-stdin',
];
const BEGIN_ONE = ['migrate', 'token create --account eve', 'account create fay --password-stdin'];

describe('without a store', () => {
  it.each(NEED_ONE)('%s ends with 1, says where it looked, and makes none', async (words) => {
    const { code, stderr } = await run(words.split(' '));
    expect([code, stderr]).toEqual([1, expect.stringContaining(join(folder, 'data', 'registry.db'))]);
    expect(stderr).toContain('DATA_DIR');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['verify', 'find x'])(
    'audit %s ends with 1: a log that is not there is not in order',
    { tags: 'slow' },
    async (words) => {
      const { code, stderr } = await run(['audit', ...words.split(' ')]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(join(folder, 'data', 'audit'))]);
    },
  );

  it.each(BEGIN_ONE)('%s begins one, as before the first start of a service', { tags: 'slow' }, async (words) => {
    expect(await run(words.split(' '))).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'data', 'registry.db'))).toBe(true);
    expect((await run(['verify'])).code).toBe(0);
    rmSync(join(folder, 'data'), { recursive: true });
  });

  it('operations ends with 3 where the server of the store is away', { tags: 'slow' }, async () => {
    const { code, stderr } = await run(['operations'], { STORE_URL: 'postgres://me@127.0.0.1:1/samples' });
    expect([code, stderr]).toEqual([3, expect.stringContaining('127.0.0.1:1, database "samples" as me')]);
  });

  it('a command that writes ends with 3 where another one writes for longer than it waits', {
    tags: 'slow',
  }, async () => {
    expect((await run(['migrate'])).code).toBe(0);
    const other = new Database(join(folder, 'data', 'registry.db'));
    other.exec('begin immediate');
    try {
      const { code, stderr } = await run(['token', 'create', '--account', 'eve']);
      expect([code, stderr]).toEqual([3, expect.stringContaining('busy with other writes; try again')]);
    } finally {
      other.close();
    }
    expect((await run(['token', 'create', '--account', 'eve'])).code).toBe(0);
    rmSync(join(folder, 'data'), { recursive: true });
  });

  it.skipIf(without('postgres'))('says so of an empty schema, too', { tags: 'slow' }, async () => {
    const STORE_URL = freshSchemaUrl();
    const { code, stderr } = await run(['verify'], { STORE_URL });
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no store in the schema')]);
    expect((await run(['migrate'], { STORE_URL })).code).toBe(0);
    expect((await run(['verify'], { STORE_URL })).code).toBe(0);
  });
});
