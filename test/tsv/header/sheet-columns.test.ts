/** The columns that samples of any number and kind share, and the short way for those that came from one sheet. */
import { describe, expect, it } from 'vitest';
import { emptyLayout, type SampleLayout, unpackSample } from '../../../src/registry/samples/packed-sample.js';
import { emptyContent, type SampleContent } from '../../../src/registry/samples/sample.js';
import { printRow } from '../../../src/tsv/print/print-row.js';
import { directCells, SheetColumns, TooManyColumns } from '../../../src/tsv/print/sheet-columns.js';
import { readSheet } from '../read-sheet.js';

const RICH: SampleContent = {
  ...emptyContent(),
  characteristics: { dose: [{ text: '5', unit: 'mg', unitOntologyTerms: ['UO:1'] }, { text: '6' }] },
  relationships: [{ type: 'derived from', target: 'SAMR2' }],
  contact: [{ name: 'Ada', email: 'a@x.org' }, { name: 'Bob' }],
};

describe('columns of a sheet of any number of samples', () => {
  const layout = (more: Partial<SampleLayout>): SampleLayout => ({ ...emptyLayout(), ...more });
  const PLAIN = layout({
    cells: 3,
    characteristics: [
      { name: 'a', text: 0, unit: 1 },
      { name: 'b', text: 2 },
    ],
  });
  const FULL = layout({
    cells: 13,
    characteristics: [
      { name: 'b', text: 0, terms: [{ source: 1, accession: 2 }], prefixes: true },
      { name: 'a', text: 3, unit: 4, unitTerms: [{ accession: 5 }] },
      { name: 'b', text: 6 },
    ],
    relationships: [{ type: 'of', target: 7 }],
    externalReferences: [8],
    contact: [{ name: 9, email: 10 }],
    organization: [{ name: 11 }],
    publications: [{ doi: 12 }],
  });
  const BACKWARDS = layout({
    cells: 3,
    characteristics: [
      { name: 'a', text: 2, unit: 0 },
      { name: 'b', text: 1 },
    ],
  });
  const FIXED = layout({ cells: 1, characteristics: [{ name: 'a', text: 0, fixedUnit: 'kg' }] });
  const SOURCE = layout({ cells: 2, characteristics: [{ name: 'a', text: 0, terms: [{ source: 1 }] }] });
  const docOf = ({ cells }: SampleLayout, empty: readonly number[] = []): string =>
    Array.from({ length: cells }, (_, at) => (empty.includes(at) ? '' : `v${at}`)).join('\t');
  const sheetOf = (...layouts: SampleLayout[]) => {
    const columns = new SheetColumns();
    for (const one of layouts) columns.addLayout(one);
    return columns.finish('SAMR');
  };

  it('puts the cells of a layout where its samples, placed one by one, have them', () => {
    const sheet = sheetOf(PLAIN, FULL, BACKWARDS);
    for (const one of [PLAIN, FULL, BACKWARDS]) {
      const direct = sheet.directOf(one);
      expect(direct).toBeDefined();
      expect(sheet.directOf(one)).toBe(direct);
      const doc = docOf(one);
      const placed = sheet.place(unpackSample(one, doc));
      expect(placed).toHaveLength(sheet.header.length - 3);
      // A source is taken up in its term when a content is made of the cells.
      const cells = directCells(direct as NonNullable<typeof direct>, doc);
      if (one !== FULL) expect(cells).toEqual(placed);
      expect(cells.filter((text) => text !== '')).toHaveLength(one.cells);
    }
  });

  it.each([
    ['in its own order', PLAIN, [PLAIN], true],
    [
      'with columns of others before',
      PLAIN,
      [PLAIN, layout({ cells: 1, characteristics: [{ name: 'z', text: 0 }] })],
      false,
    ],
    [
      'in its own order, with columns of others behind',
      PLAIN,
      [layout({ cells: 1, characteristics: [{ name: 'z', text: 0 }] }), PLAIN],
      true,
    ],
    ['in another order', BACKWARDS, [BACKWARDS], false],
  ])('%s', (_, one, layouts, inOrder) => {
    expect(sheetOf(...layouts).directOf(one)?.inOrder).toBe(inOrder);
  });

  it('is read as what each layout says, in the sheet that all of them share', async () => {
    const sheet = sheetOf(PLAIN, FULL, BACKWARDS);
    const rows = [PLAIN, FULL, BACKWARDS].flatMap((one, at) =>
      [[], [one.cells - 1], [1]].map((empty, turn) => {
        const direct = sheet.directOf(one) as NonNullable<ReturnType<typeof sheet.directOf>>;
        const cells = directCells(direct, docOf(one, empty)).map((text) => text.replace('v7', 'SAMEA1'));
        const want = unpackSample(one, docOf(one, empty).replace('v7', 'SAMEA1'));
        return { cells: ['', `n${at}${turn}`, '2024-05-01', ...cells], want };
      }),
    );
    const { samples, rejected } = await readSheet(
      [sheet.header, ...rows.map(({ cells }) => cells)].map(printRow).join(''),
    );
    expect(rejected).toEqual([]);
    expect(samples.map((one) => JSON.parse(JSON.stringify(one.content)))).toEqual(
      rows.map(({ want }) => JSON.parse(JSON.stringify(want))),
    );
  });

  it('has no direct way for cells that are made of something else', () => {
    const sheet = sheetOf(FIXED);
    expect(sheet.directOf(FIXED)).toBeUndefined();
    expect(sheet.directOf(FIXED)).toBeUndefined();
    expect(sheet.header.slice(3)).toEqual(['Characteristics[a]', 'Unit']);
    expect(sheet.place(unpackSample(FIXED, '7'))).toEqual(['7', 'kg']);
  });

  it.each([{ terms: [{ source: 1, accession: 2 }] }, { unit: 0, unitTerms: [{ source: 1, accession: 2 }] }])(
    'has no direct way for terms of before accessions could name their ontology themselves, and keeps them: %j',
    async (cells) => {
      const old = layout({ cells: 3, characteristics: [{ name: 'a', text: 0, ...cells }] });
      const sheet = sheetOf(old, FULL);
      expect(sheet.directOf(old)).toBeUndefined();
      const want = unpackSample(old, 'x\tEFO\tEFO_1');
      const row = ['', 'n', '2024-05-01', ...(sheet.place(want) as string[])];
      const { samples } = await readSheet([sheet.header, row].map(printRow).join(''));
      expect(samples[0]?.content).toEqual(want);
    },
  );

  it('has no column for a source without its term', () => {
    expect(sheetOf(SOURCE).header.slice(3)).toEqual(['Characteristics[a]']);
  });

  it('holds contents that were no rows, where it says the same', () => {
    const columns = new SheetColumns();
    columns.addContent(RICH);
    const sheet = columns.finish('SAMR');
    expect(sheet.place(RICH)).toHaveLength(sheet.header.length - 3);
    expect(sheet.place({ ...emptyContent(), taxId: 9606 })).toBeUndefined();
    expect(sheet.place({ ...emptyContent(), characteristics: { dose: [{ text: '[clear]' }] } })).toBeUndefined();
  });

  it('is refused when there are more columns than are read', () => {
    const wide = layout({
      cells: 16_381,
      characteristics: Array.from({ length: 16_381 }, (_, at) => ({ name: `c${at}`, text: at })),
    });
    const columns = new SheetColumns();
    columns.addLayout(wide);
    expect(() => columns.addContent({ ...emptyContent(), externalReferences: [{ url: 'x' }] })).toThrow(TooManyColumns);
  });
});
