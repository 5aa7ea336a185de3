/** Samples of different content share the columns of one sheet. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ColumnList, SharedColumns } from '../../../src/tsv/header/column-list.js';
import { runs } from '../../support/seeds.js';

const cell = fc.constantFrom('value', 'term', 'term', 'unit').map((role) => ({ role, header: role }));
const list: fc.Arbitrary<ColumnList> = fc
  .array(
    fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), cells: fc.array(cell, { minLength: 1, maxLength: 4 }) }),
    { maxLength: 8 },
  )
  .map((groups) =>
    groups.map(({ key, cells }, group) => ({
      key,
      cells: cells.map((one, at) => ({ ...one, header: `${key} ${one.role}`, text: `${group}.${at}` })),
    })),
  );

describe('shared columns', () => {
  it('hold every value of every sample once, in its own order, under its own header', () => {
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 8 }), (lists) => {
        const columns = new SharedColumns();
        for (const one of lists) columns.add(one);
        const headers = columns.headers();
        expect(columns.width).toBe(headers.length);
        for (const one of lists) {
          const texts = columns.place(one);
          expect(texts).toHaveLength(headers.length);
          const filled = texts.flatMap((text, at) => (text === '' ? [] : [[headers[at], text]]));
          expect(filled).toEqual(one.flatMap(({ cells }) => cells.map(({ header, text }) => [header, text])));
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('of equal samples are those of one', () => {
    fc.assert(
      fc.property(list, (one) => {
        const columns = new SharedColumns();
        columns.add(one);
        const once = columns.headers();
        columns.add(one);
        expect(columns.headers()).toEqual(once);
      }),
    );
  });

  it('have a unit behind the terms of their values, whichever sample has it first', () => {
    const group = (...roles: string[]): ColumnList => [
      {
        key: 'a',
        cells: roles.map((role) => ({
          role,
          header: role,
          text: `${roles.length} ${role}`,
          ...(role === 'unit' ? { order: 1 } : {}),
        })),
      },
    ];
    const columns = new SharedColumns();
    const [first, second] = [group('value', 'unit'), group('value', 'source', 'term')];
    columns.add(first);
    expect(columns.headers()).toEqual(['value', 'unit']);
    columns.add(second);
    expect([columns.headers(), columns.width]).toEqual([['value', 'source', 'term', 'unit'], 4]);
    expect(columns.place(first)).toEqual(['2 value', '', '', '2 unit']);
    expect(columns.place(second)).toEqual(['3 value', '3 source', '3 term', '']);
  });
});
