/** What a row is suspected of does not hang on how much of its text is looked at at once. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isSuspect, suspectsIn } from '../../src/tsv/quality/damage.js';
import '../support/seeds.js';

const DAMAGED = [
  '2-Sep',
  'Sep-2',
  '2. sept.',
  '1.2E+11',
  '1234567890123450',
  '1234567890123456700000',
  '#N/A',
  '####',
  'Err:502',
  'caf\u00c3\u00a9',
  'a\u00a0b',
];
const RIGHT = [
  '',
  'x',
  'Homo sapiens',
  '34',
  '34 years',
  'liver #2',
  'E',
  'Err',
  'café',
  'SEPT2',
  '12345',
  '2024-01-15',
  '-',
];

it('in one row and in the text of many', () => {
  const cell = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...DAMAGED) },
    { weight: 9, arbitrary: fc.constantFrom(...RIGHT) },
  );
  const row = fc.array(cell, { minLength: 1, maxLength: 6 }).map((cells) => cells.join('\t'));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
      const suspects = suspectsIn(rows.join(''));
      for (const each of rows) {
        expect(suspects(each), JSON.stringify(rows)).toBe(isSuspect(each));
      }
    }),
    { numRuns: 2_000 },
  );
  // Alone: in a row, a cell is suspected with any other.
  for (const one of DAMAGED) expect([isSuspect(one), suspectsIn(one)(one)], one).toEqual([true, true]);
});
