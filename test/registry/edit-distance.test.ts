import { expect, it } from 'vitest';
import { editDistance } from '../../src/registry/edit-distance.js';

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
