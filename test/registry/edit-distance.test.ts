import { expect, it } from 'vitest';
import { editDistance } from '../../src/registry/edit-distance.js';
import { Random } from '../support/random.js';
import { newSeed, runs } from '../support/seeds.js';

it.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['sex', 'sex', 0],
  ['sex', 'se', 1],
  ['sex', 'sext', 1],
  ['sex', 'six', 1],
  ['sex', 'esx', 1],
  ['age', 'gae', 1],
  ['kitten', 'sitting', 3],
  ['abcd', 'badc', 2],
  ['ca', 'abc', 3],
])('%s and %s are %i letters apart', (a, b, apart) => {
  expect(editDistance(a, b)).toBe(apart);
  expect(editDistance(b, a)).toBe(apart);
});

/** By the whole table. */
function distance(a: string, b: string): number {
  const table: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = [];
    for (let j = 0; j <= b.length; j++) {
      const of = (up: number, left: number): number => (up === 0 ? row[j - left] : table[i - up]?.[j - left]) as number;
      if (i === 0 || j === 0) row.push(i + j);
      else {
        let least = Math.min(of(1, 0) + 1, of(0, 1) + 1, of(1, 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, of(2, 2) + 1);
        row.push(least);
      }
    }
    table.push(row);
  }
  return table[a.length]?.[b.length] as number;
}

it('words of any letters are as far apart as the whole table says, up to the limit', () => {
  const seed = newSeed();
  const random = new Random(seed);
  const word = (): string => Array.from({ length: random.below(9) }, () => random.pick(['a', 'b', 'c'])).join('');
  for (let run = 0; run < runs(3_000); run++) {
    const [a, b, limit] = [word(), word(), random.below(5)];
    const apart = distance(a, b);
    expect(editDistance(a, b), `${a} ${b}, RANDOM_SEED=${seed}`).toBe(apart);
    const within = editDistance(a, b, limit);
    expect(apart <= limit ? within : within > limit, `${a} ${b} within ${limit}, RANDOM_SEED=${seed}`).toBe(
      apart <= limit ? apart : true,
    );
  }
});
