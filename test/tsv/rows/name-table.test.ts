/** The table of names against a map, however many names it was reported to expect. */
import { describe, expect, it } from 'vitest';
import { NameTable } from '../../../src/tsv/rows/name-table.js';

const NAMES = 60_000;
const nameOn = (line: number): string => (line % 7 === 0 ? `name ${(line * 31) % 5000}` : `name ${line}`);
const identified = (line: number): boolean => line % 3 === 0;
const at = (table: NameTable, name: string): NameTable => table.hash(name, 0, name.length);

/** Name → its first line; what the table answered otherwise is in `wrong`. */
function enterAll(table: NameTable, wrong: string[]): Map<string, number> {
  const lines = new Map<string, number>();
  for (let line = 1; line <= NAMES; line++) {
    const name = nameOn(line);
    const first = table.add(name, 0, name.length, line, identified(line));
    if (first !== (lines.get(name) ?? 0)) wrong.push(`${name} on line ${line}: ${first}`);
    if (first === 0) lines.set(name, line);
  }
  return lines;
}

interface Named {
  name: string;
  line: number;
  identified: boolean;
}

/** Names in their order on lines that follow each other, all of one kind. */
const rising = (count: number): Named[] =>
  Array.from({ length: count }, (_, at) => ({ name: `sample_${at}`, line: at + 2, identified: false }));

/** What the table answers for each of them, and then knows of all, beside a map. */
function differences(rows: readonly Named[], expected?: number): string[] {
  const table = new NameTable();
  if (expected !== undefined) table.expect(expected);
  const wrong: string[] = [];
  const firsts = new Map<string, Named>();
  for (const row of rows) {
    const text = `\t${row.name}\t`;
    const first = table.add(text, 1, text.length - 1, row.line, row.identified);
    const known = firsts.get(row.name);
    if (first !== (known?.line ?? 0)) wrong.push(`${row.name} on line ${row.line}: ${first}`);
    if (known && table.firstIdentified !== known.identified) wrong.push(`${row.name}: another kind of row`);
    if (!known) firsts.set(row.name, row);
  }
  for (const { name, line, identified } of firsts.values()) {
    if (at(table, name).find() !== line || table.firstIdentified !== identified) wrong.push(name);
  }
  if (at(table, 'sample_').find() !== 0) wrong.push('sample_');
  return wrong;
}

/** What ends an order, after so many names that kept to it. */
const BROKEN: readonly [string, (after: Named) => Named[]][] = [
  ['the last name again', (after) => [{ ...after, line: after.line + 1 }]],
  ['the first name again', ({ line }) => [{ name: 'sample_0', line: line + 1, identified: false }]],
  ['a shorter name', ({ line }) => [{ name: 'a', line: line + 1, identified: false }]],
  [
    'one as long that stands before it',
    ({ name, line }) => [{ name: `A${name.slice(1)}`, line: line + 1, identified: false }],
  ],
  ['no name', ({ line }) => [{ name: '', line: line + 1, identified: false }]],
  [
    'lines without a row, and then the same name',
    ({ name, line }) => [
      { name: `${name}0`, line: line + 5, identified: false },
      { name, line: line + 6, identified: false },
    ],
  ],
  [
    'a row of the other kind, twice',
    ({ name, line }) => [
      { name: `${name}0`, line: line + 1, identified: true },
      { name: `${name}0`, line: line + 2, identified: true },
    ],
  ],
  [
    'a name of 10 000 letters, twice',
    ({ line }) => [
      { name: 'x'.repeat(10_000), line: line + 1, identified: false },
      { name: 'x'.repeat(10_000), line: line + 2, identified: false },
    ],
  ],
  [
    'a letter outside of ASCII, twice',
    ({ name, line }) => [
      { name: `${name}\uffff`, line: line + 1, identified: false },
      { name: `${name}\uffff`, line: line + 2, identified: false },
    ],
  ],
];

describe('names in their order', () => {
  it.each(BROKEN)('and then %s: as a map has it, wherever that comes', (_, broken) => {
    for (const count of [1, 2, 255, 256, 257, 511, 512, 513, 5000]) {
      const rows = rising(count);
      const end = broken(rows[count - 1] as Named);
      const more = rising(300).map((row) => ({ ...row, name: `${row.name}_`, line: row.line + count + 10 }));
      expect(differences([...rows, ...end, ...more, ...rows.slice(-1)]), `after ${count}`).toEqual([]);
    }
  });

  it('are known when they are asked for, and so are those that follow', () => {
    for (const expected of [undefined, 10, NAMES, 1e9]) expect(differences(rising(NAMES), expected)).toEqual([]);
    const table = new NameTable();
    for (const { name, line } of rising(1000)) {
      expect(table.add(name, 0, name.length, line, false)).toBe(0);
      if (line % 250 === 0) expect(at(table, `sample_${line - 102}`).find()).toBe(line - 100);
    }
  });

  it.each([
    ['of another script', (at: number) => `проба ${at}`],
    ['whose letters come from two', (at: number) => `${'sample'.slice(at % 7)}é${String.fromCharCode(0x100 + at)}`],
    ['of 100 to 140 characters', (at: number) => `${'x'.repeat(100 + at / 50)}${String(at).padStart(4, '0')}`],
    ['that are pictures, and halves of them', (at: number) => `\ud83e${String.fromCharCode(0xdd00 + (at >> 1))}${at}`],
  ])('%s are known as a map has them', (_, nameAt) => {
    const rows = Array.from({ length: 2000 }, (_, at) => ({ name: nameAt(at), line: at + 2, identified: true }));
    expect(differences(rows)).toEqual([]);
    expect(differences([...rows, ...rows])).toEqual([]);
  });

  it('take 3 bytes each', () => {
    const table = new NameTable();
    for (const { name, line } of rising(200_000)) table.add(name, 0, name.length, line, false);
    expect(table.bytes / 200_000).toBeLessThan(4);
  });
});

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
    table.add('early', 0, 5, 1, false);
    enterAll(table, []);
    at(table, 'early').markSeveral();
    expect(at(table, 'early').several).toBe(true);
    expect(at(table, 'name 2').several).toBe(false);
  });
});
