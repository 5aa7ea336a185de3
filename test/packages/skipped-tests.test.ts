import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
// @ts-expect-error plain JavaScript, because npm test runs it as it is
import { hasSlow, skippedLine } from '../../scripts/skipped-tests.mjs';
// @ts-expect-error the same
import { slowFiles } from '../../scripts/slow-files.mjs';
import { ROOT } from '../support/output.js';

/** Put together: vitest takes the word for a tag of this file. */
const TAG = ['@module', 'tag slow'].join('-');

const FILES: Record<string, string> = {
  a: "describe.skipIf(withoutFixtures('x'))('x', …)",
  b: "describe.runIf(PROOF)('x', …)",
  c: 'it.skipIf(!existsSync(x))',
  d: "describe.skipIf(without('redis'))('x', …)",
};
const report = (statuses: Record<string, string[]>) => ({
  testResults: Object.entries(statuses).map(([name, all]) => ({
    name,
    assertionResults: all.map((status) => ({ status })),
  })),
});
const line = (statuses: Record<string, string[]>, absent: string[]): string =>
  skippedLine(report(statuses), absent, 0, (name: string) => FILES[name]);

describe('the closing line of npm test', () => {
  it('counts the skipped tests by reason, most first', () => {
    const statuses = { a: ['skipped', 'passed'], b: ['pending', 'skipped', 'skipped'], c: ['skipped'], d: ['skipped'] };
    expect(line(statuses, ['fixtures', 'proof', 'redis-server'])).toBe(
      'Skipped 6 of 7 tests: 3 long forms (npm run proof), 1 without the sheets of others (FIXTURES_DIR), 1 for what their files say, 1 without redis-server.',
    );
  });

  it('knows the slow ones by their tag, and says of the others of a file what the file says', () => {
    const results = [
      { status: 'skipped', tags: ['slow'] },
      { status: 'pending', tags: [] },
      { status: 'passed', tags: ['slow'] },
    ];
    const closing = (absent: string[], files = 0) =>
      skippedLine(
        { testResults: [{ name: 'd', assertionResults: results }] },
        absent,
        files,
        (name: string) => FILES[name],
      );
    expect(closing(['slow', 'redis-server'])).toBe(
      'Skipped 2 of 3 tests: 1 slow ones (npm run test:all), 1 without redis-server.',
    );
    expect(closing(['redis-server'])).toBe('Skipped 2 of 3 tests: 2 without redis-server.');
    expect(closing(['redis-server'], 7)).toBe(
      'Skipped 2 of 3 tests: 2 without redis-server. Not loaded: 7 files of slow ones (npm run test:all).',
    );
  });

  it('counts what is of other engines, and bounds, once where it is slow besides', () => {
    const results = [['engines'], ['slow', 'engines'], ['slow'], ['bounds'], []].map((tags) => ({
      status: 'skipped',
      tags,
    }));
    const closing = (absent: string[]) =>
      skippedLine(
        { testResults: [{ name: 'd', assertionResults: results }] },
        absent,
        0,
        (name: string) => FILES[name],
      );
    expect(closing(['slow', 'bounds', 'engines', 'redis-server'])).toBe(
      'Skipped 5 of 5 tests: 2 slow ones (npm run test:all), 1 bounds of memory and time (npm run test:all), 1 of other engines (npm run test:all), 1 without redis-server.',
    );
    expect(closing(['slow', 'redis-server'])).toBe(
      'Skipped 5 of 5 tests: 3 without redis-server, 2 slow ones (npm run test:all).',
    );
  });

  it('says what was not loaded, also where nothing else was skipped', () => {
    const closing = skippedLine(report({ a: ['passed'] }), ['slow'], 2, (name: string) => FILES[name]);
    expect(closing).toBe('Not loaded: 2 files of slow ones (npm run test:all).');
  });

  it('knows the slow files by their first comment', () => {
    const files: string[] = slowFiles(ROOT);
    expect(files).toContain('test/e2e/limits.test.ts');
    expect(files).not.toContain('test/packages/skipped-tests.test.ts');
    const named = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .filter((path) => readFileSync(join(ROOT, 'test', path), 'utf8').includes(TAG));
    expect(files).toHaveLength(named.length);
  });

  it('names no reason that this run did not have', () => {
    expect(line({ a: ['skipped'] }, ['proof'])).toBe('Skipped 1 of 1 tests: 1 for what their files say.');
  });

  it('is silent when every test ran, also when one failed', () => {
    expect(line({ a: ['passed', 'failed'] }, ['fixtures'])).toBe('');
  });
});

it('slow tests are left out unless they are asked for, or arguments choose what runs', () => {
  const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts as Record<string, string>;
  const given = (name: string) => (scripts[name] ?? '').split(' ').slice(2);
  expect(['test', 'test:all', 'proof'].map((name) => hasSlow(given(name)))).toEqual([false, true, true]);
  for (const chosen of [['test/tsv'], ['-t', 'a name'], ['--project=page'], ['--project', 'page']])
    expect(hasSlow(chosen), chosen.join(' ')).toBe(true);
  expect(hasSlow(['--reporter=dot', '--bail=1'])).toBe(false);
});

it('no suite lists fixtures but through fixturesIn, which is empty where there are none: its file could not be read', () => {
  const folder = join(ROOT, 'test');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const listing = files.filter((name) =>
    /readdirSync\((?:fixturePath|join\(FIXTURES_DIR|FIXTURES_DIR)/.test(readFileSync(join(folder, name), 'utf8')),
  );
  expect(listing).toEqual([join('support', 'fixtures.ts')]);
});
