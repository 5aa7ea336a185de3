/** The table of names against a map, however many names it was reported to expect. */
import { describe, expect, it } from 'vitest';
import { NameTable } from '../../src/tsv/rows/name-table.js';

const NAMES = 60_000;
const nameOn = (line: number): string => (line % 7 === 0 ? `name ${(line * 31) % 5000}` : `name ${line}`);
const identified = (line: number): boolean => line % 3 === 0;
const at = (table: NameTable, name: string): NameTable => table.hash(name, 0, name.length);

/** Name → its first line; what the table answered otherwise is in `wrong`. */
function enterAll(table: NameTable, wrong: string[]): Map<string, number> {
  const lines = new Map<string, number>();
  for (let line = 1; line <= NAMES; line++) {
    const name = nameOn(line);
    const first = at(table, name).add(line, identified(line));
    if (first !== (lines.get(name) ?? 0)) wrong.push(`${name} on line ${line}: ${first}`);
    if (first === 0) lines.set(name, line);
  }
  return lines;
}

describe('the table of names', () => {
  it.each([
    ['nothing', undefined],
    ['far too few names', 10],
    ['the right number', NAMES],
    ['far too many', 10 * NAMES],
  ])('reported to expect %s, knows the first line of every name and no other name', (_, expected) => {
    const table = new NameTable();
    if (expected !== undefined) table.expect(expected);
    const wrong: string[] = [];
    for (const [name, line] of enterAll(table, wrong)) {
      if (at(table, name).find() !== line || table.firstIdentified !== identified(line)) wrong.push(name);
      if (at(table, `${name}x`).find() !== 0) wrong.push(`${name}x`);
    }
    expect(wrong).toEqual([]);
  });

  it('takes no room for names that a few short rows at the top of a large file only promise', () => {
    const table = new NameTable();
    table.expect(1e12);
    const wrong: string[] = [];
    expect(enterAll(table, wrong).size).toBeGreaterThan(NAMES / 2);
    expect(wrong).toEqual([]);
    expect(table.bytes).toBeLessThan(100e6);
  });

  it('keeps marks of names that entered long before', () => {
    const table = new NameTable();
    at(table, 'early').add(1, false);
    enterAll(table, []);
    at(table, 'early').markSeveral();
    expect(at(table, 'early').several).toBe(true);
    expect(at(table, 'name 2').several).toBe(false);
  });
});
