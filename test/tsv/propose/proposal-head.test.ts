/** Which row of a foreign sheet is its header, what parts its cells, and which rows below are of samples. */
import { describe, expect, it } from 'vitest';
import type { RegistryError } from '../../../src/registry/errors.js';
import { findTable, isPlainlyOurs } from '../../../src/tsv/propose/sheet-head.js';
import { proposeText } from './propose-text.js';

describe('the header row of a sheet that names nothing by itself', () => {
  const lineOf = (...rows: string[][]): number =>
    proposeText(rows.map((row) => `${row.join('\t')}\n`).join('')).headerLine;
  const groups = ['Subject', '', 'Sample', '', 'Measurement'];
  const header = ['ID', 'Sex', 'Tube', 'Organism', 'pH'];
  const samples = [
    ['d1', 'M', 'a1', 'Homo sapiens', '7.1'],
    ['d2', 'F', 'a2', 'Homo sapiens', '7.2'],
  ];

  it('is the one below a row of groups', () => {
    expect(lineOf(groups, header, ...samples)).toBe(2);
    expect(lineOf(['Subject', '', '', 'Sample', ''], header, ...samples)).toBe(2);
    expect(lineOf(['Our samples'], groups, header, ...samples)).toBe(3);
    expect(lineOf(groups, header)).toBe(2);
    expect(lineOf(['Subject', ' ', 'Sample', ' ', 'Measurement'], header, ...samples)).toBe(2);
    expect(lineOf([' ', 'Sample', '', '', 'pH'], header, ...samples)).toBe(2);
    expect(lineOf(groups, header, ...samples, ['d3', ' Sex ', 'a3', 'x', '7'])).toBe(1);
    expect(lineOf([...groups, ''], [...header, ''], ...samples.map((row) => [...row, '']))).toBe(2);
  });

  it('is not the first sample, where columns have no header', () => {
    expect(lineOf(header, ...samples)).toBe(1);
    expect(lineOf(groups, ...samples)).toBe(1);
    expect(lineOf(['', '', 'Sex', 'Tube', 'pH'], ['d1', 'x1', 'M', 'a1', 'acid'], ['d2', 'x2', 'F', 'a2', 'low'])).toBe(
      1,
    );
    expect(lineOf(['', 'Sex', 'Tube', 'Organism', 'pH'], ...samples)).toBe(1);
    expect(lineOf(['ID', 'Sex', 'Tube', 'Organism', ''], ...samples)).toBe(1);
  });
});

const TWELVE = `${Array.from({ length: 12 }, (_, at) => `h${at}`).join('\t')}\n`;
const tableOf = (text: string, options: { headerLine?: number; profiles?: [] } = {}) => findTable(text, true, options);

describe('the header row', () => {
  it.each([
    [
      'below titles that are narrower than the table',
      'Survey\nmade in\tOslo\nbox\torgan\tsite\tdepth\nb1\tliver\tx\t3\n',
      3,
    ],
    [
      'that is narrower than the table by two columns of five',
      'box\torgan\tsite\nb1\tliver\tx\t3\t4\nb2\tliver\ty\t3\t4\n',
      1,
    ],
    ['of which one text in five is a number', 'box\torgan\tsite\tday\t2024\nb1\tx\ty\tz\tw\n', 1],
    ['of which one text in five is there twice', 'box\torgan\tsite\tday\tday\nb1\tx\ty\tz\tw\n', 1],
    ['below a row of numbers and dates', '1.5\t2024-05-01\t-3\nbox\torgan\tsite\nb1\tliver\tx\n', 2],
    ['in a table of numbers alone is the first that is wide enough', '1\n1\t2\t3\n4\t5\t6\n', 2],
    ['of words with numbers', '1st\t2nd\tday 3\tday 4\nx\ty\tz\tw\n', 1],
    ['below a title with blanks behind it', '1\t \t \n1\t2\t3\n4\t5\t6\n', 2],
    ['below a title whose words are there twice', 'made\tmade\tin\nbox\torgan\tsite\nb1\tx\ty\n', 2],
    ['of twelve columns below titles of two', `Survey\tOslo\nmade\tMay\n${TWELVE}${TWELVE.replaceAll('h', 'x')}`, 3],
    [
      'of a table with many short rows at its end',
      `Survey\nbox\torgan\tsite\n${'b\tx\ty\n'.repeat(18)}${'1\n'.repeat(60)}`,
      2,
    ],
    ['below blank rows', '\n\t\t\nbox\torgan\nb1\tliver\n', 3],
  ])('%s is found', (_, text, line) => {
    expect(tableOf(text).headerLine).toBe(line);
  });

  it('is the line that somebody names, and the rows are those below it', () => {
    const text = 'Survey\nbox\torgan\nb1\tliver\nb2\tlung\n';
    expect(tableOf(text, { headerLine: 3 })).toMatchObject({
      headerLine: 3,
      header: ['b1', 'liver'],
      rows: [['b2', 'lung']],
      known: false,
    });
  });

  it.each([
    [{ headerLine: 2 }, 'Line 2 of the sheet is empty or not among its first 200 rows.', 2],
    [{ headerLine: 9 }, 'Line 9 of the sheet is empty or not among its first 200 rows.', 9],
  ])('%j that is no row of the sheet is refused', (options, message, line) => {
    const failing = () => tableOf('box\torgan\n\nb1\tliver\n', options);
    expect(failing).toThrow(message);
    try {
      failing();
    } catch (error) {
      expect(error).toMatchObject({
        code: 'file.header',
        detail: { extra: { line } },
      } satisfies Partial<RegistryError>);
    }
  });

  it('of a text without any is refused', () => {
    expect(() => tableOf('\n\t\n')).toThrow('The sheet has no row with text in it.');
  });

  it('is the line that is named also of a sheet that is one of ours', () => {
    const text = 'Sample Name\torgan\nTube\torgan\nt1\tliver\n';
    expect(tableOf(text, { headerLine: 2 })).toMatchObject({ known: false, header: ['Tube', 'organ'] });
  });

  it('is looked for among the first 20 rows', () => {
    const numbers = (rows: number) => '1\t2\t3\n'.repeat(rows);
    expect(tableOf(`${numbers(19)}box\torgan\tsite\nb1\tliver\tx\n`).headerLine).toBe(20);
    expect(tableOf(`${numbers(20)}box\torgan\tsite\nb1\tliver\tx\n`).headerLine).toBe(1);
  });

  it('ends at its last text', () => {
    expect(tableOf('box\torgan\t\t \nb1\tliver\t\t\n').header).toEqual(['box', 'organ']);
  });
});

describe('what parts the cells', () => {
  it.each([
    ['\t', 'box\torgan\nb1\tliver, left; cut\nb2\tliver, right; cut\n'],
    [',', 'box,organ\nb1,liver\nb2,lung\n'],
    ['\t', 'box\tgenes\nb1\ta,b,c,d\nb2\ta,b,c,d\n'],
    [';', 'box;organ;pH\nb1;liver;7,4\nb2;lung;7,2\n'],
    ['|', 'box|organ|site\nb1|liver|x\nb2|lung|y\n'],
    [',', 'box,genes\nb1,A|B|C|D\nb2,A|B|C|E\n'],
    ['|', 'box|genes|organ\nb1|A,B|x\nb2|A,B|y\n'],
    [',', 'box,organ\n"b, 1",liver\n"b, 2",lung\n'],
    ['\t', 'box\nb1\nb2\n'],
    ['|', 'Survey, made in Oslo\nbox|organ|site\nb1|liver|x\nb2|lung|y\n'],
  ])('is %j', (delimiter, text) => {
    expect(tableOf(text).delimiter).toBe(delimiter);
  });
});

describe('the rows of samples', () => {
  const rowsOf = (...rows: string[]) => tableOf(['tube\torgan', ...rows, ''].join('\n')).rows;

  it('are not remarks, rows of types or units', () => {
    expect(rowsOf('# of May', 't1\tliver', '#q2:types\tcategorical', '#units\tg', '', 't2\tlung')).toEqual([
      ['t1', 'liver'],
      ['t2', 'lung'],
    ]);
    expect(tableOf('tube\tdepth\ttemperature\n\tm\t°C\nt1\t5\t6\n').rows).toEqual([['t1', '5', '6']]);
  });

  it('may be of names that begin with #', () => {
    expect(rowsOf('#1\tliver', '#2\tlung')).toEqual([
      ['#1', 'liver'],
      ['#2', 'lung'],
    ]);
  });

  it('of a table that is drawn are not its lines', () => {
    const drawn = '| tube | organ |\n|------|:-----:|\n| t1 | liver |\n| t2 | lung |\n';
    expect(tableOf(drawn).rows.map((cells) => cells.map((cell) => cell.trim()))).toEqual([
      ['', 't1', 'liver', ''],
      ['', 't2', 'lung', ''],
    ]);
    expect(rowsOf('---\t---', 't1\tliver')).toHaveLength(2);
  });

  it('are 200 at most, and 30 from the top are shown', () => {
    const { rows, top } = tableOf(`tube\torgan\n${Array.from({ length: 300 }, (_, at) => `t${at}\tliver\n`).join('')}`);
    expect([rows.length, rows.at(-1)?.[0], top.length, top[0]]).toEqual([
      200,
      't199',
      30,
      { line: 1, cells: ['tube', 'organ'] },
    ]);
  });

  it('are fewer of a very wide table, yet more than the rows among which its header is', () => {
    const wide = (width: number) => `${Array.from({ length: width }, (_, at) => `h${at}`).join('\t')}\n`.repeat(60);
    expect(tableOf(wide(400)).rows).toHaveLength(49);
    expect(tableOf(wide(2_000)).rows).toHaveLength(19);
  });

  it('end before a quote that is never closed', () => {
    expect(rowsOf('t1\tliver', 't2\t"lung', 't3\tx')).toEqual([['t1', 'liver']]);
  });

  it('of one of our own sheets are read as it says', () => {
    expect(tableOf('# remark\nSample Name\torgan\na\tliver\n', { profiles: [] })).toMatchObject({
      known: true,
      headerLine: 2,
      header: ['Sample Name', 'organ'],
      rows: [['a', 'liver']],
    });
  });
});

describe('a sheet of which nothing has to be said', () => {
  it.each([
    ['Sample Name\tRelease Date\tCharacteristics[organ]\na\t2030-01-01\tx\n', true],
    ['Sample Name\torgan\na\tx\n', false],
    ['tube\tCharacteristics[organ]\na\tx\n', false],
  ])('%j: %s', (text, plainly) => {
    expect(isPlainlyOurs(tableOf(text))).toBe(plainly);
  });
});
