/** Which sheet of a workbook is read where nobody says which, alike in every form of workbook. */
import { afterEach, describe, expect, it } from 'vitest';
import { binaryWorkbook, label } from './raw-binary-workbook.js';
import { rawWorkbook, removeScratch, textRow, zip } from './raw-workbook.js';
import { readWorkbook as read } from './read-workbook.js';

afterEach(removeScratch);

type Rows = readonly (readonly string[])[];
type Sheets = Readonly<Record<string, Rows>>;

const tableOf = (name: string, rows: Rows): string =>
  `<table:table table:name="${name}">${rows
    .map(
      (cells) =>
        `<table:table-row>${cells.map((cell) => `<table:table-cell office:value-type="string"><text:p>${cell}</text:p></table:table-cell>`).join('')}</table:table-row>`,
    )
    .join('')}</table:table>`;

const FORMS: Record<string, (sheets: Sheets) => Promise<string> | string> = {
  xlsx: (sheets) =>
    rawWorkbook(
      Object.entries(sheets).map(([name, rows]) => ({
        name,
        data: rows.map((cells, at) => textRow(at + 1, ...cells)).join(''),
      })),
    ),
  ods: (sheets) =>
    zip(
      {
        mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
        'content.xml': `<?xml version="1.0"?><office:document-content><office:body><office:spreadsheet>${Object.entries(
          sheets,
        )
          .map(([name, rows]) => tableOf(name, rows))
          .join('')}</office:spreadsheet></office:body></office:document-content>`,
      },
      'book.ods',
    ),
  xls: (sheets) =>
    binaryWorkbook(
      Object.entries(sheets).map(([name, rows]) => ({
        name,
        records: rows.flatMap((cells, row) => cells.map((cell, column) => label(row, column, cell))),
      })),
    ),
};

const SAMPLES: Rows = [
  ['Sample Name', 'organism', 'tissue'],
  ['P1', 'Homo sapiens', 'liver'],
  ['P2', 'Homo sapiens', 'lung'],
];
const LEGEND: Rows = [
  ['Field', 'What it means', 'Required'],
  ['Sample Name', 'unique in the file', 'yes'],
  ['organism', 'the full name', 'yes'],
  ['tissue', 'where it was taken', 'no'],
];
const UNKNOWN: Rows = [
  ['Proben-ID', 'Gewebe'],
  ['P1', 'Leber'],
];
const INSTRUCTIONS: Rows = [
  ['How to fill in this template'],
  ['Sample Name'],
  ['A name that is unique in the file'],
  ['organism'],
  ['The full name of the organism'],
];
const OWN: Rows = [
  ['Sample Name', 'batch code', 'weight'],
  ['P1', 'b7', '12'],
];
const OWN_LEGEND: Rows = [
  ['Sample Name', 'unique in the file'],
  ['Batch_Code', 'of the lab'],
];
/** A sample stands behind what is looked at. */
const MANY: Rows = [['Sample Name', 'dose'], ...Array.from({ length: 60 }, () => ['weight', '1']), ['P1', '2']];
const DISTANCES: Rows = [
  ['Sample Name', 'P1', 'P2'],
  ['P1', '0', '3'],
  ['P2', '3', '0'],
];
const LONG: Rows = [['Sample Name', 'organism'], ...Array.from({ length: 200 }, (_, n) => [`L${n}`, 'x'.repeat(500)])];
const EMPTY: Rows = [['Sample Name', 'organism']];
const NAMES: Rows = [['Sample Name'], ['N1'], ['N2']];
const TITLES: Rows = [['Study of livers'], ['2024']];

describe.each(Object.keys(FORMS))('of a workbook in the form %s', (form) => {
  const chosen = async (sheets: Sheets, wanted = {}) => {
    const { sheetName, tables } = await read(await (FORMS[form] as (typeof FORMS)[string])(sheets), wanted);
    return [sheetName, tables];
  };

  it.each<[string, Sheets, string, string[] | undefined]>([
    ['a sheet that says what columns mean is passed over', { LEGEND, SAMPLES }, 'SAMPLES', undefined],
    ['wherever it stands', { TITLES, SAMPLES, LEGEND }, 'SAMPLES', undefined],
    ['and read where no other names samples', { TITLES, LEGEND }, 'LEGEND', undefined],
    ['instructions yield to samples', { INSTRUCTIONS, SAMPLES }, 'SAMPLES', ['INSTRUCTIONS', 'SAMPLES']],
    ['a short one that explains the columns of another', { OWN_LEGEND, OWN }, 'OWN', undefined],
    ['wherever that stands', { OWN, OWN_LEGEND, NAMES }, 'OWN', ['OWN', 'NAMES']],
    ['not where the other has them for samples, too', { SAMPLES, DISTANCES }, 'SAMPLES', ['SAMPLES', 'DISTANCES']],
    [
      'nor where not all are columns',
      { SAMPLES, OWN_LEGEND, OWN: [...OWN, ['batch code', 'b8', '1']] },
      'SAMPLES',
      ['SAMPLES', 'OWN_LEGEND', 'OWN'],
    ],
    ['nor where not all of its rows are seen', { MANY, OWN }, 'MANY', ['MANY', 'OWN']],
    ['and read alone it is a table', { OWN_LEGEND }, 'OWN_LEGEND', undefined],
    ['names yield to samples', { NAMES, TITLES, SAMPLES }, 'SAMPLES', ['NAMES', 'SAMPLES']],
    ['names do not yield to a header without rows', { NAMES, EMPTY }, 'NAMES', undefined],
    ['a header without rows is not passed over for what may be an example', { EMPTY, SAMPLES }, 'EMPTY', ['SAMPLES']],
    ['of several that describe samples the first', { TITLES, SAMPLES, LONG }, 'SAMPLES', ['SAMPLES', 'LONG']],
    ['also behind one that is long', { LONG, TITLES, SAMPLES, NAMES }, 'LONG', ['LONG', 'SAMPLES', 'NAMES']],
    ['the first with cells where none names samples', { TITLES }, 'TITLES', undefined],
  ])('%s', async (_, sheets, sheet, tables) => {
    expect(await chosen(sheets)).toEqual([sheet, tables]);
  });

  it.each([
    'Read me',
    'README',
    'Lies mich',
    '0_Readme',
    'Instructions (read first)',
    'Example',
    'example-samples',
    'Beispiele',
    'Drop-downs',
    'Lists',
    'Data dictionary',
  ])('a sheet that is called %s yields to others', async (name) => {
    expect(await chosen({ [name]: SAMPLES, OWN })).toEqual(['OWN', [name, 'OWN']]);
    expect(await chosen({ [name]: SAMPLES, EMPTY })).toEqual(['EMPTY', [name]]);
    expect(await chosen({ [name]: SAMPLES, TITLES })).toEqual([name, undefined]);
    expect(await chosen({ [name]: TITLES, Tubes: TITLES })).toEqual(['Tubes', undefined]);
  });

  it.each<[string, Rows]>([
    ['what somebody has written down', [['Please fill in'], ['one row a tube'], [''], ['call 4711']]],
    [
      'the map of a plate',
      [
        ['', '1', '2', '3', '4', '5', '6'],
        ['A', 'x'],
        ['B', 'y'],
      ],
    ],
  ])('%s yields to a table of which nobody knows yet what its columns are', async (_, aside) => {
    expect(await chosen({ Overview: aside, TITLES: UNKNOWN })).toEqual(['TITLES', undefined]);
    expect(await chosen({ Overview: aside, SAMPLES })).toEqual(['SAMPLES', undefined]);
    expect(await chosen({ Overview: aside })).toEqual(['Overview', undefined]);
  });

  it.each(['Readmeters', 'List', 'Exemplary', 'Samples', 'About 5'])(
    'a sheet that is called %s does not',
    async (name) => {
      expect(await chosen({ [name]: SAMPLES, OWN })).toEqual([name, [name, 'OWN']]);
    },
  );

  it('a list of the other sheets, as Apple Numbers begins a workbook with one, yields to the tables that it lists', async () => {
    const summary = (...names: string[]): Rows => [
      ['This document was exported from Numbers.'],
      ['Numbers Sheet Name', 'Numbers Table Name', 'Excel Worksheet Name'],
      ['Sheet 1', '', ''],
      ...names.map((name) => ['', 'Table 1', name]),
    ];
    const [one, two] = ['Sheet 1 - Table 1', 'Sheet 1 - Boxes'];
    expect(await chosen({ 'Export Summary': summary(one), [one]: UNKNOWN })).toEqual([one, undefined]);
    expect(
      await chosen({
        Zusammenfassung: summary(one, two),
        [one]: UNKNOWN,
        [two]: [
          ['Box', 'Freezer'],
          ['B1', 'F1'],
        ],
      }),
    ).toEqual([one, undefined]);
    expect(await chosen({ 'Export Summary': summary(one, two), [one]: UNKNOWN, [two]: SAMPLES })).toEqual([
      two,
      undefined,
    ]);
    expect(await chosen({ Tubes: summary(one), [one]: UNKNOWN, [two]: UNKNOWN })).toEqual(['Tubes', undefined]);
    expect(await chosen({ Tubes: summary(one) })).toEqual(['Tubes', undefined]);
  });

  it('sheets with the header of one whose column of names nobody knows are tables like it: one for each year', async () => {
    const year = (...rows: Rows): Rows => [['Specimen No', 'Length (mm)'], ...rows];
    const [first, second] = [year(['2021-1', '9']), year(['2022-1', '8'], ['2022-2', '7'])];
    const titled: Rows = [['Catches of 2023'], ['', ''], ['SPECIMEN NO', 'Length (mm)', ''], ['2023-1', '6']];
    const other: Rows = [
      ['Specimen No', 'Length (cm)'],
      ['x', '1'],
    ];
    const list: Rows = [['Specimen No'], ['2021-1']];
    expect(await chosen({ TITLES, 2021: first, other, 2022: second, UNKNOWN, titled, list })).toEqual([
      '2021',
      ['2021', '2022', 'titled'],
    ]);
    expect(await chosen({ 2021: first, other, list })).toEqual(['2021', undefined]);
    expect(await chosen({ 2021: first, 2022: second, SAMPLES })).toEqual(['SAMPLES', undefined]);
    expect(await chosen({ 2021: first, 2022: second }, { sheet: '2022' })).toEqual(['2022', undefined]);
  });

  it('the one that is asked for is read, and of the others nothing is said', async () => {
    expect(await chosen({ LEGEND, SAMPLES, LONG }, { sheet: 'legend' })).toEqual(['LEGEND', undefined]);
  });
});
