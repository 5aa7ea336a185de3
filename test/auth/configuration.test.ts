/** Settings: every fault at once, each in one line, and exit code 2. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { parseS3Address } from '../../src/blobs/s3-address.js';
import { CONFIG_KEYS, ConfigError, loadConfig } from '../../src/config.js';
import { parseRedisAddress } from '../../src/queue/redis-address.js';
import { SECRETS } from '../../src/secret-settings.js';
import { ROOT } from '../support/output.js';

function faultsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('the settings', () => {
  it('have defaults that serve one machine', () => {
    expect(loadConfig({})).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      WORKERS: 1,
      SMALL_MAX_BYTES: 20_000,
      SMALL_MAX_ROWS: 200,
      QUEUE_URL: 'embedded:',
      ACCESSION_PREFIX: 'SAMR',
    });
    expect(loadConfig({ DATA_DIR: '/srv/x' })).toMatchObject({
      STORE_URL: 'sqlite:/srv/x/registry.db',
      BLOB_URL: 'file:/srv/x/blobs',
    });
  });

  it('take an empty value for none and cut a slash from the base path', () => {
    expect(loadConfig({ PORT: '', BASE_PATH: '/registry/' })).toMatchObject({ PORT: 8080, BASE_PATH: '/registry' });
  });

  it('report every fault, naming the key, the value and what it should be', () => {
    const faults = faultsOf({
      PORT: '80 80',
      WORKERS: '-1',
      ACCESSION_PREFIX: 'sam1',
      LOG_LEVEL: 'loud',
      BASE_PATH: 'x',
      STORE_URL: 'mysql://x',
      CORS_ORIGIN: 'example.org',
    });
    expect(faults.map((fault) => fault.split(':', 1)[0]).sort()).toEqual([
      'ACCESSION_PREFIX',
      'BASE_PATH',
      'LOG_LEVEL',
      'PORT',
      'STORE_URL',
      'WORKERS',
    ]);
    expect(faults.find((fault) => fault.startsWith('PORT'))).toBe('PORT: "80 80" must be a whole number.');
    for (const fault of faults) expect(fault).not.toContain('\n');
  });

  it('report what contradicts itself', () => {
    expect(faultsOf({ AUTH_ISSUER: 'https://id.example.org' })).toHaveLength(2);
    expect(faultsOf({ AUTH_AUDIENCE: 'x' })).toEqual([expect.stringContaining('AUTH_ISSUER')]);
    expect(faultsOf({ CORS_ORIGIN: 'example.org' })).toEqual([expect.stringContaining('"example.org"')]);
  });

  it('never repeat a secret', () => {
    expect(faultsOf({ ADMIN_TOKEN: 'short secret' }).join()).not.toContain('short secret');
    expect(faultsOf({ STORE_URL: 'postgre://user:secret@host/db' }).join()).not.toContain('secret');
  });

  describe('that are secret', () => {
    /** One that the setting takes; with what every shell and YAML makes something else of. */
    const EXAMPLES: Record<(typeof SECRETS)[number], string> = {
      STORE_URL: 'postgres://ada:s3cret@db/registry',
      STORE_PASSWORD: 'p@ss:w/rd?#%25 "ü"',
      QUEUE_URL: 'redis://:s3cret@redis:6379',
      QUEUE_PASSWORD: 'p@ss:w/rd?#%25',
      BLOB_URL: 's3://KEY:s3cret@bucket/prefix',
      BLOB_SECRET: 'p@ss/w+rd=',
      ADMIN_TOKEN: 's3cret-0123456789abcdef',
      METRICS_TOKEN: 's3cret-fedcba9876543210',
    };
    const ADDRESSES: Record<string, Record<string, string>> = {
      STORE_PASSWORD: { STORE_URL: 'postgres://ada@db:5433/registry?schema=x' },
      QUEUE_PASSWORD: { QUEUE_URL: 'rediss://redis:6379/2' },
      BLOB_SECRET: { BLOB_URL: 's3://KEY@bucket/prefix?region=eu' },
    };
    const folder = mkdtempSync(join(tmpdir(), 'registry-secrets-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    it('are all that hold a token, a password or an address with one', () => {
      const named = CONFIG_KEYS.map(({ name }) => name).filter((name) =>
        /TOKEN$|PASSWORD$|SECRET$|^(STORE|QUEUE|BLOB)_URL$/.test(name),
      );
      expect(named.sort()).toEqual([...SECRETS].sort());
    });

    it.each(SECRETS)('%s comes from a file as well, and from one of both', (name) => {
      const path = join(folder, name);
      const others = ADDRESSES[name] ?? {};
      writeFileSync(path, `${EXAMPLES[name]}\n`);
      const direct = loadConfig({ ...others, [name]: EXAMPLES[name] });
      expect(loadConfig({ ...others, [`${name}_FILE`]: path })).toEqual(direct);
      expect(JSON.stringify(direct)).not.toEqual(JSON.stringify(loadConfig(others)));
      expect(faultsOf({ ...others, [name]: EXAMPLES[name], [`${name}_FILE`]: path })).toEqual([
        `${name}_FILE: ${name} is set, too; set one of them.`,
      ]);
      expect(faultsOf({ ...others, [`${name}_FILE`]: join(folder, 'none') })).toEqual([
        `${name}_FILE: "${join(folder, 'none')}" must be a file that this program may read (ENOENT).`,
      ]);
      writeFileSync(path, 's3cret ü');
      expect(faultsOf({ [`${name}_FILE`]: path }).join()).not.toContain('s3cret');
    });

    it('come to the engines as they are, whatever characters they have', () => {
      const password = EXAMPLES.STORE_PASSWORD;
      const { STORE_URL, QUEUE_URL, BLOB_URL } = loadConfig({
        ...Object.assign({}, ...Object.values(ADDRESSES)),
        STORE_PASSWORD: password,
        QUEUE_PASSWORD: password,
        BLOB_SECRET: password,
      });
      expect(new pg.Client(STORE_URL)).toMatchObject({ user: 'ada', password, host: 'db', port: 5433 });
      expect(parseRedisAddress(QUEUE_URL)).toMatchObject({ password, nodes: [{ host: 'redis', port: 6379 }], db: 2 });
      expect(parseS3Address(BLOB_URL)).toMatchObject({
        bucket: 'bucket',
        client: { credentials: { accessKeyId: 'KEY', secretAccessKey: password } },
      });
    });

    it('that fit no address are refused', () => {
      expect(() => parseRedisAddress('redis://user:100%@redis')).toThrow(/%25, or set QUEUE_PASSWORD/);
      expect(faultsOf({ STORE_PASSWORD: 'x' })).toEqual([expect.stringMatching(/^STORE_PASSWORD: has no effect/)]);
      expect(faultsOf({ STORE_PASSWORD: 'x', STORE_URL: 'postgres://a:b@db/x' })).toEqual([
        expect.stringMatching(/^STORE_PASSWORD: STORE_URL holds one already/),
      ]);
      expect(faultsOf({ BLOB_SECRET: 'x', BLOB_URL: 's3://bucket' })).toEqual([expect.stringMatching(/names no key/)]);
    });

    it.each(['postgres://a@one:1,two:2/x', 'postgres://a:p#x/y@db/x', 'postgres://a@/x?host=/run'])(
      '%s, which is no address, is refused with what may stand in one',
      (url) => {
        expect(faultsOf({ STORE_URL: url })).toEqual([
          expect.stringMatching(
            /^STORE_URL: .*cannot be read as an address: it names one host.*STORE_PASSWORD.*socket/,
          ),
        ]);
      },
    );
  });

  it('each say what they are for', () => {
    for (const { name, help } of CONFIG_KEYS) expect(help, name).toMatch(/.{10,}\.$/);
  });

  it.each(['src/server.js', 'workers/ingest.js', 'workers/indexer.js', 'workers/alone.js'])(
    'that are bad end %s with code 2 and a line for each fault',
    (program) => {
      const { status, stderr } = runProgram(program, { PORT: 'x', WORKERS: 'y' });
      expect(stderr.trim().split('\n')).toEqual([
        'PORT: "x" must be a whole number.',
        'WORKERS: "y" must be a whole number.',
      ]);
      expect(status).toBe(2);
    },
  );

  it.each(['src/server.js', 'workers/ingest.js'])('a store that cannot be opened ends %s with one line', (program) => {
    const { status, stderr } = runProgram(program, { STORE_URL: 'sqlite:/dev/null/registry.db', DATA_DIR: '/tmp' });
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^The (service|worker) could not start: .*\/dev\/null/),
    ]);
    expect(status).toBe(1);
  });
});

function runProgram(program: string, settings: Record<string, string>) {
  const env = { PATH: process.env.PATH, ...settings } as unknown as NodeJS.ProcessEnv;
  return spawnSync(process.execPath, [join(ROOT, 'dist', program)], { env, encoding: 'utf8' });
}
