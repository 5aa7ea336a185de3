import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addTo } from '../../src/registry/lists.js';
import { parseSampleBody } from '../../src/registry/samples/sample-body.js';

it('what is added under a key stands in one list, in order', () => {
  const lists = new Map<string, number[]>();
  for (const [at, key] of ['a', '__proto__', 'a', 'b', 'a'].entries()) addTo(lists, key, at);
  expect([...lists]).toEqual([
    ['a', [0, 2, 4]],
    ['__proto__', [1]],
    ['b', [3]],
  ]);
});

it('no list under a key of a map is made anew for each thing that is added to it', () => {
  const anew = /\.set\(\s*([^,]+),\s*\[\s*\.\.\.\(\s*[\w.#]+\.get\(\s*\1\s*\)\s*\?\?/;
  expect(anew.test('lists.set(key, [...(lists.get(key) ?? []), one]);')).toBe(true);
  const src = join(import.meta.dirname, '../../src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  expect(files.filter((name) => anew.test(readFileSync(join(src, name), 'utf8')))).toEqual([]);
});

it('characteristics whose names are one but for the blanks around them are read in proportion to them', () => {
  const blanks = [...' \t\u00a0\u2002\u2003\u2004\u2005\u3000'];
  const around = blanks.flatMap((before) => blanks.map((behind) => [before, behind] as const));
  const names = around.flatMap(([a, b]) => around.map(([c, d]) => `${a}${b}x${c}${d}`));
  let copied = 0;
  const iterate = Array.prototype[Symbol.iterator];
  const characteristics = Object.fromEntries(names.map((name, at) => [name, [{ text: `${at}` }]]));
  const body = { name: 'blanks', release: '2020-01-01', characteristics };
  let read: ReturnType<typeof parseSampleBody>;
  try {
    Array.prototype[Symbol.iterator] = function (this: unknown[]) {
      copied += this.length;
      return iterate.call(this) as ArrayIterator<unknown>;
    };
    read = parseSampleBody(body, { release: true, accession: false }, []);
  } finally {
    Array.prototype[Symbol.iterator] = iterate;
  }
  expect(read.content.characteristics.x?.map(({ text }) => text)).toEqual(names.map((_, at) => `${at}`));
  expect(copied).toBeLessThan(100 * names.length);
});
