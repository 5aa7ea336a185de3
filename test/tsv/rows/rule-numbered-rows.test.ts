/** Forms whose rows are numbered before anybody has filled them in. */
import { describe, expect, it } from 'vitest';
import { readPassedOver } from '../read-passed-over.js';
import { planOf, table } from '../read-sheet.js';

const D = '2024-05-01';
const H = ['Nr.', 'Sample Name', 'Release Date', 'organism', 'tissue'];
const FILLED = [
  ['1', 'a', D, 'Homo sapiens', 'liver'],
  ['2', 'b', D, 'Homo sapiens', 'skin'],
  ['3', 'c', D, 'Homo sapiens', 'blood'],
];
const numbered = (from: number, to: number, rest: string[] = ['', '', '', '']): string[][] =>
  Array.from({ length: to - from + 1 }, (_, at) => [String(from + at), ...rest]);

const THREE = { names: ['a', 'b', 'c'], rejected: [], rows: 3 };

describe('rows of a form that hold nothing but their number', () => {
  it.each([
    'Nr.',
    'No.',
    '#',
    'Lfd. Nr.',
    'lfd.Nr',
    'Laufende Nummer',
    'Row',
    'Pos',
    'Pos.',
    'S. No.',
    'N°',
    'Zeile',
    '',
  ])('are blank below "%s"', async (header) => {
    const [, ...others] = H;
    const { passed, ...found } = await readPassedOver([[header, ...others], ...FILLED, ...numbered(4, 30)]);
    expect(found).toEqual(THREE);
    expect(passed).toEqual([expect.stringMatching(/^27 rows \(lines 5 to 31\) hold nothing but .* were passed over/)]);
  });

  it.each([
    ['with dots', FILLED.map(([number, ...row]) => [`${number}.`, ...row]), [['4.'], ['5.'], ['6.']]],
    ['sorted, the blank ones first', numbered(4, 9), FILLED],
    ['some of whose lines were deleted', FILLED, [['5'], ['6'], ['9']]],
    ['with a longer form behind the first 200 rows', FILLED, numbered(4, 400)],
  ])('are blank in a form %s', async (_, first, rest) => {
    const { passed, ...found } = await readPassedOver([H, ...first, ...rest]);
    expect(found).toEqual(THREE);
    expect(passed).toHaveLength(1);
  });

  it('are counted once each, however the file is parted and wherever its reading goes on', async () => {
    const rows = [H, ...FILLED, ...numbered(4, 6), ['7', 'd', D, 'x', 'y'], ...numbered(8, 9)];
    const parted = await readPassedOver(rows, { read: { batchRows: 2 }, pieces: [7] });
    expect(parted.names).toEqual(['a', 'b', 'c', 'd']);
    expect(parted.passed).toEqual([
      expect.stringMatching(/^3 rows \(lines 5 to 7\)/),
      expect.stringMatching(/^2 rows \(lines 9 to 10\)/),
    ]);
    const later = await readPassedOver(rows, { read: { fromLine: 8 } });
    expect(later.passed).toEqual([expect.stringMatching(/^2 rows \(lines 9 to 10\)/)]);
    const none = await readPassedOver(rows, { read: { fromLine: 10 } });
    expect(none.passed).toEqual([]);
  });

  it('make a file with no other rows one without samples', () => {
    expect(() => planOf(table(H, ...numbered(1, 30)))).toThrow('no sample rows below it');
  });

  it('of a rows-to-fix sheet of before count as blank, too', async () => {
    const header = [...H, 'Error Line', 'Error Code'];
    const rows = [...FILLED, ['4', '', '', '', '', '5', 'name.missing'], ['5', '', '', '', '', '6', 'name.missing']];
    expect(await readPassedOver([header, ...rows])).toMatchObject(THREE);
  });
});

describe('rows of which something was filled in are never passed over', () => {
  it.each([
    ['a value', ['4', '', '', '', 'liver'], H],
    ['a value behind the last header', ['4', '', '', '', '', 'x'], H],
    ['a remark in place of the number', ['please return to room 4'], H],
    ['a value without a number', ['', '', '', '', 'liver'], H],
    ['a number that is a value', ['', '', '', '', '4'], ['Nr.', 'Sample Name', 'Release Date', 'organism', 'No.']],
    ['an age, which is no number of its row', ['4'], ['Age', ...H.slice(1)]],
    ['the number of a box, which is no number of its row', ['4'], ['Box no.', ...H.slice(1)]],
  ])('%s', async (_, row, header) => {
    const found = await readPassedOver([header, ...FILLED, row]);
    expect(found).toMatchObject({ names: THREE.names, rows: 4, passed: [] });
    expect(found.rejected).toContain('5 name.missing');
  });

  it.each([
    ['numbers that come twice', [['3']]],
    ['numbers far apart, as of a catalogue', [['517'], ['904']]],
    ['numbers with words among them', [['4', 'd', D, 'x', 'y'], ['x7', 'e', D, 'x', 'y'], ['5']]],
  ])('where the column holds %s', async (_, rows) => {
    const found = await readPassedOver([H, ...FILLED, ...rows]);
    expect(found.passed).toEqual([]);
    expect(found.rejected.filter((code) => code.endsWith('name.missing'))).not.toEqual([]);
  });

  it('where the numbers are the names, or identify the rows', async () => {
    const options = { nameColumn: 'Nr.', releaseDate: 0 };
    const named = await readPassedOver(
      [
        ['Nr.', 'tissue'],
        ['1', 'liver'],
        ['2', 'skin'],
        ['3', ''],
      ],
      { header: options },
    );
    expect(named).toMatchObject({ names: ['1', '2', '3'], passed: [] });
    const keyed = await readPassedOver([H, ...FILLED, ['4']], { header: { key: 'Nr.' } });
    expect(keyed).toMatchObject({ rejected: ['5 name.missing'], passed: [] });
  });
});

describe('rows that hold what all rows of the form hold', () => {
  const prefilled = (from: number, to: number) => numbered(from, to, ['', D, 'Homo sapiens', '']);

  it('are blank below the last that was filled in', async () => {
    const { passed, ...found } = await readPassedOver([H, ...FILLED, ...prefilled(4, 30)]);
    expect(found).toEqual(THREE);
    expect(passed).toEqual([expect.stringMatching(/^27 rows \(lines 5 to 31\)/)]);
  });

  it('are blank above a word that stands alone below the form, which is no sample and not passed over', async () => {
    const found = await readPassedOver([H, ...FILLED, ...prefilled(4, 9), ['Signature:']]);
    expect(found).toMatchObject({ names: THREE.names, rejected: ['11 name.missing', '11 release.missing'], rows: 4 });
    expect(found.passed).toHaveLength(1);
  });

  it('are blank where all rows have one date and the samples only names', async () => {
    const header = H.slice(0, 3);
    const rows = FILLED.map((row) => row.slice(0, 3));
    expect(await readPassedOver([header, ...rows, ...numbered(4, 9, ['', D])])).toMatchObject(THREE);
  });

  it.each([
    ['a row between others lacks its name', [FILLED[0], ['2', '', D, 'Homo sapiens', ''], FILLED[2]], '3'],
    ['one value is another', [...FILLED, ...prefilled(4, 5), ['6', '', D, 'Mus musculus', '']], '7'],
    ['a row further down was begun', [...FILLED, ...prefilled(4, 5), ['6', '', D, 'Homo sapiens', 'skin']], '5'],
    ['a row has no number', [...FILLED, ['', '', D, 'Homo sapiens', '']], '5'],
  ])('are rejected where %s', async (_, rows, line) => {
    const found = await readPassedOver([H, ...(rows as string[][])]);
    expect(found.rejected).toContain(`${line} name.missing`);
    expect(found.passed).toEqual([]);
  });

  it('are rejected where the samples have nothing beside it but their names', async () => {
    const rows = FILLED.map((row) => row.slice(0, 4));
    const found = await readPassedOver([H.slice(0, 4), ...rows, ['4', '', D, 'Homo sapiens']]);
    expect(found).toMatchObject({ rejected: ['5 name.missing'], passed: [] });
  });

  it('are rejected in a form that is too long to be seen whole', async () => {
    const found = await readPassedOver([H, ...FILLED, ...prefilled(4, 240)]);
    expect(found.rejected).toHaveLength(237);
  });
});
