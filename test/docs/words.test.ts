/** The project speaks of itself in one set of words, and points at nothing outside itself. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';

/** Words that were given up, and the one that stands for each. */
const RETIRED: readonly [pattern: RegExp, instead: string][] = [
  [/\bmend(s|ed|ing|er)?\b|\bunmended\b/i, 'fix'],
  [/\btwin(s|ned)?\b|[a-z]Twin\b|\btwin[A-Z_]/, 'earlier upload'],
  [/\blookers?\b|\brescues?d?\b/i, 'poll'],
  [/\bsuspicions?\b/i, 'data-quality check'],
  [/\bbystanders?\b/i, 'ignored column'],
  [/\bworkshops?\b|\bdesks?\b/i, 'service, worker context'],
  [/\bgoesOn\b/, 'isResumable'],
  [/\btroubles?\b/i, 'error, unavailable'],
  [/\bmistak(e|es|en)\b/i, 'error'],
  [/\btold\b/i, 'reported'],
  [/\bjudg(e|es|ed|ing|ment)\b/i, 'check'],
  [/\bwarners?\b|\bfinishers?\b/i, 'row check'],
];

/** Where pointers lead that only their author could follow. */
const OUTSIDE = [
  /\binterface \d+\.\d/,
  /\bdecisions, sections? \d/,
  /(?<![\w/.-])(tsv|interface|decisions|page|style|brief)\.md\b/,
  /\/\*\* [A-I]\d\b/,
  /(it|test|describe)(\.\w+)*\(\s*['"`][A-I]\d\b/,
];

/** Migrations are never edited; the column keeps its name (docs/decisions/0014); rules of the linter have theirs. */
const allowed = (path: string, line: string): boolean =>
  /\/(search-)?migrations\//.test(path) || /\btwin_of\b/.test(line) || /biome-ignore|lint\/suspicious/.test(line);

const THIS = 'test/docs/words.test.ts';
const ROOMS = ['src', 'workers', 'web/src', 'docs', 'test', 'bench', 'scripts', 'samples-tsv'];
const FILES = ROOMS.flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`),
)
  .concat('README.md', 'CONTRIBUTING.md', 'SECURITY.md')
  .filter((path) => /\.(tsx?|mjs|md|sql|css)$/.test(path) && path !== THIS);

function linesWith(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) && !allowed(path, line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
  );
}

describe('a word that was given up is not used again', () => {
  it.each(RETIRED)('%s: write %s', (pattern) => {
    expect(linesWith(FILES, pattern)).toEqual([]);
    expect(FILES.filter((path) => pattern.test(path.replace(/[-_./]/g, ' ')))).toEqual([]);
  });
});

it.each(OUTSIDE)('comments and titles of tests point at nothing outside the project: %s', (pattern) => {
  expect(linesWith(FILES, pattern)).toEqual([]);
});

it('documents that comments point at are there', () => {
  const gone = FILES.filter((path) => !path.endsWith('.md')).flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/(?<![\w/])(docs\/[\w/.-]+\.md)\b/g)]
      .map(([, target]) => target as string)
      .filter((target) => !existsSync(join(ROOT, target)))
      .map((target) => `${path}: ${target}`),
  );
  expect(gone).toEqual([]);
});
