/** The map of a plate is no list of samples: it is refused with what to do, and its rows are not proposed as samples. */
import { describe, expect, it } from 'vitest';
import { findTable } from '../../../src/tsv/propose/sheet-head.js';
import { planOf, refusal, table } from '../read-sheet.js';

const header = { releaseDate: Date.UTC(2025, 0, 1), unknownColumns: 'characteristics', isNew: true } as const;
const numbers = (columns: number): string[] => Array.from({ length: columns }, (_, at) => String(at + 1));
const wells = (titles: string, columns = 12): string[][] =>
  [...titles].map((title) => [title, ...numbers(columns).map((column) => `well ${title}${column}`)]);
const PLATE = [['', ...numbers(12)], ...wells('ABCDEFGH')];
const ROWS = numbers(4).map((n) => [n, ...[...'ABCDEFGH'].map((column) => `${column} of ${n}`)]);
const turned = (rows: string[][]): string[][] => (rows[0] ?? []).map((_, at) => rows.map((row) => row[at] ?? ''));
const beside = (left: string[][], right: string[][]): string[][] =>
  right.map((row, at) => [...(left[at] ?? numbers(13).map(() => '')), '', '', ...row]);

describe('the map of a plate', () => {
  it.each<[string, string[][], number, string]>([
    ['of 96 wells', PLATE, 1, 'rows A to H and columns 1 to 12'],
    ['of 24 wells', [['', ...numbers(6)], ...wells('ABCD', 6)], 1, 'rows A to D and columns 1 to 6'],
    [
      'of 1536 wells',
      [
        ['', ...numbers(48)],
        ...wells('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 48),
        ...wells('ABCDEF', 48).map(([t, ...r]) => [`A${t}`, ...r]),
      ],
      1,
      'rows A to AF and columns 1 to 48',
    ],
    ['with a title and a remark', [['Plate 7', 'of Monday'], ...PLATE, ['* empty wells: water']], 2, 'rows A to H'],
    ['with a word in its corner', [['Row', ...numbers(12)], ...wells('AB')], 1, 'rows A to B'],
    ['with zeros and small letters', [['', '01', '02', '03', '04', '05', '06'], ...wells('abcd', 6)], 1, 'rows A to D'],
    ['of empty wells', [['', ...numbers(12)], ['A', 'x'], ['B'], ['C']], 1, 'rows A to C'],
    ['above another', [['Plate 1'], ...PLATE, [''], ['Plate 2'], ...PLATE], 2, 'rows A to H'],
    ['away from the edge', [['', ''], ...PLATE.map((row) => ['', ...row])], 2, 'rows A to H'],
    ['on its side', turned(PLATE), 1, 'rows 1 to 12 and columns A to H'],
    ['beside the same on its side', beside(PLATE, turned(PLATE)), 1, 'rows A to H and columns 1 to 12'],
    ['without names of its rows', PLATE.map((row) => row.slice(1)), 1, 'in columns 1 to 12'],
  ])('%s is refused with what to do, and nothing is proposed for it', async (_, rows, line, what) => {
    const text = table(...rows);
    expect(await refusal(text, { header })).toMatchObject({
      code: 'file.wrong-kind',
      line,
      message: expect.stringMatching(
        new RegExp(`^Line ${line}: this is the map of a plate, .*${what}.*Make a list of it`),
      ),
    });
    expect(() => findTable(text, true, {})).toThrow('this is the map of a plate');
  });

  it.each<[string, string[][]]>([
    ['of one row', [['', ...numbers(12)], ...wells('A')]],
    ['of which a column is passed over', [['', '1', '2', '3', '4', '6', '7', '8'], ...wells('ABCD', 7)]],
    ['whose rows are called otherwise', [['', ...numbers(12)], ...wells('BCDE')]],
    ['with a list below it', [...PLATE, [''], ['Probe', 'Well', 'Gewebe'], ['P1', 'A1', 'Leber']]],
    ['of few columns', [['', '1', '2', '3'], ...wells('ABCD', 3)]],
    ['with numbered rows and columns that are called by letters', [['No', ...'ABCDEFGH'], ...ROWS]],
    ['of few columns that are called by letters, as R writes it', [['', ...'ABCDEF'], ...ROWS]],
    ['of ten numbered columns, whose rows have no names', [numbers(10), ...wells('AB', 9)]],
    ['of as many rows as no plate has', [numbers(6), ...'abcde'.split('').map((x) => wells(x, 5)[0] ?? [])]],
    ['below a list of tubes', [['Probe', 'Gewebe', 'Box'], ['P1', 'Leber', '7'], [''], ...PLATE]],
  ])('is not seen in a table %s', async (_, rows) => {
    const { code } = await refusal(table(...rows), { header });
    expect(code).toBe('file.header');
  });

  it('is seen amid what a plate reader writes of itself, where nothing could name samples', async () => {
    const read = [
      ['User: lab', 'Path: C:\\data', 'Run: 44'],
      ['Test: ELISA', 'Date: 5/14/2024', 'Time: 3:29'],
      ['', ...numbers(12)],
      ...[...'ABCDEFGH'].map((title) => [title, ...numbers(12).map((n) => `0.0${n}`)]),
      ['Plate', 'Label', 'Signal', 'Flashes'],
      ['1', 'LUM', '40', '0.1'],
    ];
    expect(await refusal(table(...read), { header })).toMatchObject({
      code: 'file.wrong-kind',
      line: 3,
      message: expect.stringMatching(/this is the map of a plate, with its wells in rows A to H and columns 1 to 12/),
    });
  });

  it('is seen between commas below a title that has none, as the page sees it', async () => {
    const text = ['Plate 7', ...PLATE.map((row) => row.join(','))].join('\n');
    const said = 'Line 2: this is the map of a plate';
    expect((await refusal(text, { header })).message).toContain(said);
    expect(() => findTable(text, true, {})).toThrow(said);
    const numbered = text.replaceAll(/well [A-H](\d+)/g, '0.$1');
    const amid = `Plate information\nPlate,Repeat,Barcode\n1,1,2/3\n\n${numbered}`;
    expect((await refusal(amid, { header })).message).toContain('Line 6: this is the map of a plate');
  });

  it('is a table where somebody says which column names the samples, or which row is the header', () => {
    expect(
      planOf(table(['strain', ...numbers(12)], ...wells('ABCD')), { ...header, nameColumn: 'strain' }).nameColumn,
    ).toBe(0);
    expect(findTable(table(...PLATE), true, { headerLine: 1 })).toMatchObject({ headerLine: 1 });
  });

  it('is a table where a column names the samples', () => {
    expect(planOf(table(['Sample Name', ...numbers(12)], ...wells('ABCD')), header).nameColumn).toBe(0);
  });
});
