import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';
import { linesAlike } from './lines-alike.js';

/** What is left is each store's own order of calls: 319 before the rules were taken out of the adapters. */
const MOST = 150;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function alike(one: string, other: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'alike-'));
  folders.push(folder);
  for (const [path, text] of [
    ['one/a.ts', one],
    ['other/a.ts', other],
  ] as const) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return linesAlike(join(folder, 'one'), join(folder, 'other')).map(({ text }) => text);
}

it('rules stand once, not in each of the two stores', () => {
  const found = linesAlike(join(ROOT, 'src/store/sqlite'), join(ROOT, 'src/store/postgres'));
  expect(found.length, found.map(({ file, text }) => `${file}: ${text}`).join('\n')).toBeLessThanOrEqual(MOST);
});

it('a rule is found though one store waits for its database and the other does not', () => {
  const rule = (wait: string, handle: string) =>
    `${wait ? 'async ' : ''}function f() {\n  const count = ${wait}read(${handle});\n  if (count > limit) throw tooMany(count);\n}\n`;
  expect(alike(rule('', 'database'), rule('await ', 'session'))).toEqual([
    'const count = read(store)',
    'if (count > limit) throw tooMany(count)',
  ]);
});

it('neither SQL nor heads nor types count', () => {
  const text = `export function first(database: Database, id: number): number {\n  database.sql(\n    'select one from two',\n  );\n}\n`;
  expect(alike(text, text)).toEqual([]);
});
