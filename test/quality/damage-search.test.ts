/** The search over runs of rows finds what the expression finds over each row. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SampleBatch } from '../../src/registry/sample-batch.js';
import { ROW_SUSPECT } from '../../src/tsv/quality/damage.js';
import { DamageSearch } from '../../src/tsv/quality/damage-search.js';
import { runs } from '../support/seeds.js';

const digits = (least: number, most: number) =>
  fc.array(fc.constantFrom(...'0123456789'), { minLength: least, maxLength: most }).map((parts) => parts.join(''));
const word = fc.constantFrom('jan', 'Sept', 'march', 'marchs', 'ab', 'Juil', 'E', 'e', 'cm');
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''));
/** Dates, numbers and what looks like them, without what the search finds at once. */
const plain = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('', 'liver', 'Homo sapiens', '2023-05-10', 'donor_12', 'x\ny', 'ERS1000000'),
  },
  joined(digits(0, 3), fc.constantFrom('-', '.', ' ', '', '/'), word, fc.constantFrom('', '.', '..')),
  joined(word, fc.constantFrom('-', '.', ' ', ''), digits(0, 3)),
  joined(digits(9, 19), fc.constantFrom('000', '00', '0001')),
);
const any = fc.oneof(
  { weight: 20, arbitrary: plain },
  joined(
    fc.constantFrom('', '+', '-'),
    digits(1, 2),
    fc.constantFrom('', '.5', ',25'),
    fc.constantFrom('E', 'e'),
    fc.constantFrom('+', '-', ''),
    digits(0, 3),
  ),
  fc.constantFrom('#REF', '#ref', '##', '#1', 'Err:502', 'Err', 'CD4+', 'août', '5 août', 'é', 'â', 'Ã¼'),
  fc.constantFrom('\u00a0', '\u2019', '\u200b', '\ufffd', '日本'),
);
const rowsOf = (cell: fc.Arbitrary<string>) =>
  fc.array(fc.record({ name: cell, cells: fc.array(cell, { maxLength: 6 }), anew: fc.integer({ min: 0, max: 12 }) }), {
    maxLength: 80,
  });
interface Row {
  name: string;
  cells: string[];
  /** 0 for one that was spelled anew. */
  anew: number;
}

/** Rows as they stand in a file, and those that were spelled anew behind all others. */
function batchOf(rows: readonly Row[], filler: number): SampleBatch {
  let text = '';
  const spans: number[] = new Array(rows.length * 4);
  const place = (at: number, { name, cells }: Row, between: string): void => {
    const packed = cells.join('\t');
    const start = text.length + name.length + between.length;
    spans.splice(at * 4, 4, text.length, text.length + name.length, start, start + packed.length);
    text += `${name}${between}${packed}`;
  };
  rows.forEach((each, at) => {
    if (each.anew === 0) return;
    place(at, each, '\t2024-05-01\t');
    text += `\t${'-'.repeat(filler)}\n`;
  });
  rows.forEach((each, at) => {
    if (each.anew === 0) place(at, each, '');
  });
  return { text, count: rows.length, spans: Uint32Array.from(spans) } as SampleBatch;
}

describe('the search for damaged values', () => {
  it('finds the rows that the expression finds, wherever they stand', () => {
    let found = 0;
    fc.assert(
      fc.property(fc.oneof(rowsOf(plain), rowsOf(any)), fc.constantFrom(0, 0, 40, 2100), (rows, filler) => {
        const batch = batchOf(rows, filler);
        const search = new DamageSearch(batch);
        for (let at = 0; at < batch.count; at++) {
          for (const span of [at * 4 + 2, at * 4]) {
            const [from, to] = [batch.spans[span] as number, batch.spans[span + 1] as number];
            const expected = ROW_SUSPECT.test(batch.text.substring(from, to));
            expect(search.isSuspect(at, from, to)).toBe(expected);
            if (expected) found++;
          }
        }
      }),
      { numRuns: runs(1000) },
    );
    expect(found).toBeGreaterThan(1000);
  });

  it.each([
    '1-jan',
    '12.Sept',
    '3 march.',
    'sep-2',
    'march 12',
    '1E+5',
    '-2,5e+12',
    '123456789012000',
    '12345678901234567000',
  ])('finds %s among rows that are plain', (value) => {
    const other: Row = { name: 'donor', cells: ['liver', '2023-05-10', '14 cm'], anew: 1 };
    const rows = Array.from({ length: 100 }, (_, at) => (at === 70 ? { ...other, cells: ['x', value] } : other));
    const batch = batchOf(rows, 0);
    const search = new DamageSearch(batch);
    const suspect = rows.map((_, at) =>
      search.isSuspect(at, batch.spans[at * 4 + 2] as number, batch.spans[at * 4 + 3] as number),
    );
    expect(suspect.map((is, at) => (is ? at : -1)).filter((at) => at >= 0)).toEqual([70]);
  });
});
