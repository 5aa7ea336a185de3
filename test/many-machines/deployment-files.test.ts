/** docker-compose.yml and Dockerfile name settings, programs and addresses that exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig, SETTINGS } from '../../src/config.js';
import { ROOT } from '../support/output.js';

const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** The lines `NAME: value` of the settings block that all our containers share. */
function composeSettings(text: string): Record<string, string> {
  const block = /environment: &settings\n((?: {4}.*\n)+)/.exec(text)?.[1] ?? '';
  const lines = [...block.matchAll(/^ {4}([A-Z_0-9]+): (.*)$/gm)];
  return Object.fromEntries(
    lines.map(([, name, value = '']) => [name, value.replace(/^['"]|['"]$/g, '').replace(/\$\{\w+:-([^}]*)\}/g, '$1')]),
  );
}

describe('the deployment files', () => {
  it('give the service settings that it knows and accepts', () => {
    const settings = composeSettings(read('docker-compose.yml'));
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(['STORE_URL', 'QUEUE_URL', 'BLOB_URL', 'WORKERS']));
    const known = new Set(Object.keys(SETTINGS.shape));
    expect(Object.keys(settings).filter((name) => !known.has(name))).toEqual([]);
    const config = loadConfig(settings);
    expect(config).toMatchObject({ WORKERS: 0, TRUST_PROXY: '1' });
  });

  it('start programs that the build makes, and copy folders that there are', () => {
    const named = [...`${read('docker-compose.yml')}${read('Dockerfile')}`.matchAll(/dist\/[\w/.-]+\.js/g)].map(String);
    expect(new Set(named).size).toBeGreaterThanOrEqual(4);
    for (const program of named) {
      const source = program.replace(/^dist\//, '').replace(/\.js$/, '.ts');
      expect(existsSync(join(ROOT, source)), source).toBe(true);
    }
    for (const [, folder = ''] of read('Dockerfile').matchAll(/--from=build \/app\/([\w./-]+)/g)) {
      if (!/^(node_modules|dist|web\/dist)$/.test(folder)) expect(existsSync(join(ROOT, folder)), folder).toBe(true);
    }
  });

  it('run as an ordinary user and ask for life at an address that there is', () => {
    const file = read('Dockerfile');
    expect(file).toMatch(/^USER node$/m);
    const path =
      /fetch\(`http:\/\/127\.0\.0\.1:\$\{process\.env\.PORT\}\$\{process\.env\.BASE_PATH \?\? ''\}([^`]+)`/.exec(file);
    expect(read('src/http/openapi/service-operations.ts')).toContain(`'${path?.[1]}'`);
  });
});
