/** Formulas of workbooks that a program wrote which never calculates: what it leaves for their results is none. */
import { afterEach, describe, expect, it } from 'vitest';
import { binaryWorkbook, f64, label, record, u16, u32 } from './raw-binary-workbook.js';
import { HEADER, rawWorkbook, removeScratch, textRow, zip } from './raw-workbook.js';
import { readWorkbook as read } from './read-workbook.js';

afterEach(removeScratch);

/** A row with a formula of each of the cells. */
const xlsx = (calculation: string, ...cells: string[]): Promise<string> =>
  rawWorkbook(
    [
      {
        data:
          HEADER +
          cells
            .map((cell, at) =>
              textRow(at + 2, `S${at}`).replace('</row>', `${cell.replace('<c', `<c r="B${at + 2}"`)}</row>`),
            )
            .join(''),
      },
    ],
    {},
    calculation,
  );

const ON_LOADING = '<calcPr calcId="124519" fullCalcOnLoad="1"/>';

describe('a formula of an .xlsx workbook that is to be calculated on loading', () => {
  it('has no result where it has a zero, as a program leaves it that never calculates', async () => {
    const sum = '<c><f>1/4</f><v>0.25</v></c>';
    await expect(read(await xlsx(ON_LOADING, sum, '<c><f>A2&amp;"x"</f><v>0</v></c>'))).rejects.toMatchObject({
      code: 'file.not-understood',
      message: expect.stringContaining('B3'),
    });
    const calculated = await xlsx(ON_LOADING, sum, '<c t="str"><f>A2&amp;0</f><v>0</v></c>', '<c><v>0</v></c>');
    expect((await read(calculated)).tsv).toBe('Sample Name\tCharacteristics[a]\nS0\t0.25\nS1\t0\nS2\t0\n');
  });

  it('anywhere else a zero is one', async () => {
    for (const calculation of ['', '<calcPr calcId="191029"/>', '<calcPr fullCalcOnLoad="0"/>'])
      expect((await read(await xlsx(calculation, '<c><f>1-1</f><v>0</v></c>'))).tsv).toContain('S0\t0\n');
  });
});

describe('a link that is a formula and has no result', () => {
  const links: [formula: string, shown: string | undefined][] = [
    ['HYPERLINK("https://x.org/1","S-1")', 'S-1'],
    ['hyperlink( "https://x.org/1" , "a ""b""" )', 'a "b"'],
    ['HYPERLINK("https://x.org/1")', 'https://x.org/1'],
    ['HYPERLINK("https://x.org/1",A2)', undefined],
    ['HYPERLINK("https://x.org/"&amp;A2,"S-1")', undefined],
    ['HYPERLINK("https://x.org/1","S")&amp;"-1"', undefined],
  ];

  it.each(links)('%s shows %s', async (formula, shown) => {
    const xml = formula.replaceAll('"', '&quot;');
    const made = [
      await xlsx('', `<c><f>${xml}</f></c>`),
      await xlsx(ON_LOADING, `<c><f>${xml}</f><v>0</v></c>`),
      await ods(`of:=${xml.replace(',', ';')}`),
    ];
    for (const path of made)
      if (shown === undefined) await expect(read(path)).rejects.toMatchObject({ code: 'file.not-understood' });
      else expect((await read(path)).tsv.split('\n')[1]).toBe(`S0\t${shown}`);
  });

  const ods = (formula: string): Promise<string> => {
    const text = (value: string) =>
      `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`;
    const rows = [text('Sample Name') + text('a'), `${text('S0')}<table:table-cell table:formula="${formula}"/>`];
    return zip(
      {
        mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
        'content.xml': `<?xml version="1.0"?><office:document-content><office:body><office:spreadsheet><table:table table:name="S">${rows
          .map((row) => `<table:table-row>${row}</table:table-row>`)
          .join('')}</table:table></office:spreadsheet></office:body></office:document-content>`,
      },
      'book.ods',
    );
  };
});

describe('formulas of a binary workbook that no program says to have calculated', () => {
  const CALCULATED = record(0x1c1, u16(0x1c1, 0), u32(191_029));
  const EMPTY = Buffer.concat([Buffer.from([3, 0, 0, 0, 0, 0]), u16(0xffff)]);
  const book = (globals: Buffer[], ...results: Buffer[]): string =>
    binaryWorkbook(
      [
        {
          records: [
            label(0, 0, 'Sample Name'),
            label(0, 1, 'a'),
            ...results.flatMap((result, at) => [
              label(at + 1, 0, `S${at}`),
              record(0x06, u16(at + 1, 1, 0), result, u16(0), u32(0), u16(0)),
            ]),
          ],
        },
      ],
      globals,
    );

  it.each([
    ['zeros', f64(0)],
    ['empty texts', EMPTY],
  ])('have no results where all of them are %s', async (_, nothing) => {
    await expect(read(book([], nothing, nothing))).rejects.toMatchObject({
      code: 'file.not-understood',
      message: expect.stringContaining('B2'),
    });
    expect((await read(book([CALCULATED], nothing))).tsv).toMatch(/^Sample Name\ta\nS0(\t0)?\n$/);
    expect((await read(book([], nothing, f64(2)))).tsv).toMatch(/\nS1\t2\n$/);
  });
});
