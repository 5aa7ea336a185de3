/** A table with a row for each value of a sample is refused before one of those rows is given an accession. */
import { describe, expect, it } from 'vitest';
import { refuseLongTable } from '../../../src/tsv/propose/long-proposal.js';
import { findTable } from '../../../src/tsv/propose/sheet-head.js';
import { proposeText } from '../propose/propose-text.js';
import { planOf, refusal, table } from '../read-sheet.js';

const header = { releaseDate: Date.UTC(2025, 0, 1), unknownColumns: 'characteristics', isNew: true } as const;

const proposed = (text: string) => refuseLongTable(findTable(text, true, {}), proposeText(text));

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
    ['gene', 'count'],
    ['Target Name', 'CT'],
    ['Test', 'Result'],
    ['species', 'Abundance'],
  ])('is refused where most samples have several: %s and %s', async (what, value) => {
    const rows = ['S1', 'S2', 'S3'].flatMap((name) => [
      [name, 'a', '12'],
      [name, 'b', '7'],
    ]);
    const { code, message } = await refusal(table(['Sample Name', what, value], ...rows), { header });
    expect([code, message]).toEqual(['file.wrong-kind', expect.stringContaining(`called by "${what}"`)]);
    const once = [...rows.slice(0, 2), ['S4', 'a', '3'], ['S5', 'a', '4'], ['S6', 'b', '5']];
    expect(planOf(table(['Sample Name', what, value], ...once), header).header).toHaveLength(3);
  });

  it('is refused with all samples of one thing in a row', async () => {
    const rows = ['a', 'b'].flatMap((gene) => Array.from({ length: 250 }, (_, at) => [`S${at}`, gene, '1']));
    const { code } = await refusal(table(['Sample Name', 'gene', 'count'], ...rows), { header });
    expect(code).toBe('file.wrong-kind');
  });

  it('is refused without names, too, and before its columns are asked about', async () => {
    const rows = [
      ['River A', 'pH', '7.1'],
      ['River A', 'Nitrate', '2.3'],
      ['River B', 'pH', '6.9'],
      ['River B', 'Nitrate', '1.1'],
    ];
    const long = table(['Site', 'Parameter', 'Value'], ...rows);
    const { code, message } = await refusal(long, { header });
    expect([code, message]).toEqual(['file.wrong-kind', expect.stringContaining('called by "Parameter"')]);
    expect(() => proposed(long)).toThrow('called by "Parameter"');
    expect(() => proposed(table(['sample', 'gene', 'count'], ...rows))).toThrow('called by "gene"');
    const numbered = rows.map((row, at) => [...row, `R-${at}`]);
    expect(proposed(table(['Site', 'Parameter', 'Value', 'Sample No'], ...numbered))).toBeUndefined();
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
