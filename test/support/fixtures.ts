/**
 * The inputs written by others. They are never copied into the project: the folder comes from FIXTURES_DIR, by default
 * `../shared/fixtures` beside the project. Without it the suites that need it are skipped, except in CI, where they fail.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './output.js';

export const FIXTURES_DIR = process.env.FIXTURES_DIR ?? join(dirname(ROOT), 'shared', 'fixtures');

export const hasFixtures = existsSync(join(FIXTURES_DIR, 'README.md'));

/** Use as `describe.skipIf(withoutFixtures('what is left out'))(…)`. */
export function withoutFixtures(what: string): boolean {
  if (hasFixtures) return false;
  const message = `${what}: no fixtures at ${FIXTURES_DIR}; set FIXTURES_DIR to the folder that holds them.`;
  if (process.env.CI === 'true') throw new Error(message);
  console.warn(`skipped: ${message}`);
  return true;
}

/** Path of a fixture, e.g. `fixturePath('isa/D10__s_small.txt')`. */
export const fixturePath = (name: string): string => join(FIXTURES_DIR, name);

/** Names of the fixtures in a folder, for tests of each; none where there are no fixtures, and their suite is skipped. */
export const fixturesIn = (folder: string): string[] => (hasFixtures ? readdirSync(fixturePath(folder)) : []);

/** Bytes of a fixture. */
export const fixture = (name: string): Buffer => readFileSync(fixturePath(name));
