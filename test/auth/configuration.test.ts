/** Settings: every fault at once, each in one line, and exit code 2. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIG_KEYS, ConfigError, loadConfig } from '../../src/config.js';
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

  it('each say what they are for', () => {
    for (const { name, help } of CONFIG_KEYS) expect(help, name).toMatch(/.{10,}\.$/);
  });

  it.skipIf(!existsSync(join(ROOT, 'dist/src/server.js')))(
    'that are bad end the server with code 2 and a line for each fault',
    () => {
      const env = { PATH: process.env.PATH, PORT: 'x', WORKERS: 'y' } as unknown as NodeJS.ProcessEnv;
      const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'dist/src/server.js')], {
        env,
        encoding: 'utf8',
      });
      expect(status).toBe(2);
      expect(stderr.trim().split('\n')).toEqual([
        'PORT: "x" must be a whole number.',
        'WORKERS: "y" must be a whole number.',
      ]);
    },
  );
});
