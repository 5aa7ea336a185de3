import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/output.js';
import { notHeld } from './held-by.js';
import { document, tableRows } from './section.js';

const rows = tableRows(document('SECURITY.md')).filter(([item]) => /^\d+\.\d+\.\d+$/.test(item ?? ''));

it('SECURITY.md says of each requirement what holds it', () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(new Set(rows.map(([item]) => item)).size).toBe(rows.length);
});

it.each(rows.filter(([, , held]) => held?.startsWith('`')))(
  'the test that holds %s is there (%s)',
  (_item, _asks, held) => {
    const [, path, name] = /^`([^`]+)`: (.+?)(?: \(.+\))?$/.exec(held as string) ?? [];
    const file = join(ROOT, path as string);
    expect(existsSync(file), file).toBe(true);
    expect(notHeld(readFileSync(file, 'utf8'), name as string), path).toBeUndefined();
  },
);

it.each(rows.filter(([, , held]) => !held?.startsWith('`')))(
  '%s is held by words that are there (%s)',
  (_item, _asks, held) => {
    const section = /\*(.+)\*/.exec(held as string)?.[1];
    expect(document('SECURITY.md')).toContain(`## ${section}`);
  },
);

it.each([
  ["describe('a', () => {\n  it('b c', () => {});\n});", undefined],
  ["describe('a', () => {\n  it.each([\n    ['b c', 1],\n  ])('%s', (x) => {});\n});", undefined],
  ["describe.skipIf(without('redis'))('a', () => {\n  it('b c', () => {});\n});", undefined],
  ["describe('a', () => {\n  it.skip('b c', () => {});\n});", /^skips/],
  ["describe.skip('a', () => {\n  it('b c', () => {});\n});", /^skips/],
  ["describe.runIf(PROOF)('a', () => {\n  it('b c', () => {});\n});", /^skips/],
  [
    "describe.skip('z', () => {\n  it('y', () => {});\n});\ndescribe('a', () => {\n  it('b c', () => {});\n});",
    undefined,
  ],
  ["it.skipIf(!existsSync(file))('b c', () => {});", /^skips/],
  ["describe('b c', () => {\n  it('d', () => {});\n});", /^has no test/],
  ["// b c\nit('d', () => {});", /^has no test/],
])('a test that is skipped, or only mentioned, holds nothing: %s', (text, why) => {
  if (why === undefined) expect(notHeld(text, 'b c')).toBeUndefined();
  else expect(notHeld(text, 'b c')).toMatch(why);
});
