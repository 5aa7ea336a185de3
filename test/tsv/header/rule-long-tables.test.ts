/** A table with a row for each value of a sample is refused before one of those rows is given an accession. */
import { describe, expect, it } from 'vitest';
import { planOf, refusal, table } from '../read-sheet.js';

const header = { releaseDate: Date.UTC(2025, 0, 1), unknownColumns: 'characteristics', isNew: true } as const;

describe('a table with a row for each value', () => {
  it.each([
    ['attribute', 'value'],
    ['Characteristic Name', 'Value'],
    ['tag', 'VALUE'],
    ['Merkmal', 'Wert'],
  ])('is refused: %s and %s', async (what, value) => {
    const rows = [
      ['S1', 'organism', 'mouse'],
      ['S1', 'age', '3'],
      ['S2', 'organism', 'mouse'],
    ];
    const { code, message, line } = await refusal(table(['Sample Name', what, value], ...rows), { header });
    expect([code, line]).toEqual(['file.wrong-kind', 1]);
    expect(message).toContain(`called by "${what}" and given in "${value}". Turn it so that each sample has one row`);
  });

  it.each([
    ['a row for each sample', ['S1', 'age', '3'], ['S2', 'organism', 'mouse']],
    ['a name that is there twice', ['S1', 'age', '3'], ['S1', 'age', '4']],
    ['rows without what is said', ['S1', '', '3'], ['S1', 'age', '4']],
  ])('is not what has %s', (_, ...rows: string[][]) => {
    expect(planOf(table(['Sample Name', 'attribute', 'value'], ...rows), header).header).toHaveLength(3);
  });

  it('nor one without both columns, or whose rows say which samples they are of', () => {
    const rows = [
      ['S1', 'organism', 'mouse'],
      ['S1', 'age', '3'],
    ];
    for (const names of [
      ['Sample Name', 'attribute', 'amount'],
      ['Sample Name', 'tissue', 'value'],
    ])
      expect(planOf(table(names, ...rows), header).header).toEqual(names);
    const identified = rows.map((row, at) => [...row, `SAMR${at + 1}`]);
    expect(
      planOf(table(['Sample Name', 'attribute', 'value', 'Sample Identifier'], ...identified), header).header,
    ).toHaveLength(4);
  });
});
