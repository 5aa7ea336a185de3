/** What programs and people write above a table that names nothing by itself: none of it is taken for the header, and the samples are those below. */
import { describe, expect, it } from 'vitest';
import { findTable } from '../../src/tsv/propose/sheet-head.js';
import { planOf, readSheet, refusal } from './read-sheet.js';

const header = { releaseDate: Date.UTC(2025, 0, 1), unknownColumns: 'characteristics', isNew: true } as const;
/** Cells between bars, rows between blanks: as a text with TABs. */
const text = (...rows: string[]): string => rows.map((row) => `${row.replaceAll('|', '\t')}\n`).join('');

const DONORS = ['DONOR|SEX|AGE|SITE', 'D-1|Female|39.5|lung', 'D-2|Male|61|lung', 'D-3|Male|44|liver'];
const CORES = ['Event|Depth [m]|Temp [°C]|Comment', 'core-1|5|3.1|', 'core-2|60|2.2|disturbed', 'core-3|8|1.9|'];
const BOXES = ['box|organ|weight', 'b1|liver|12', 'b2|lung|13', 'b3|lung|11'];
const DESCRIBED = [
  '#Donor|Sex|Age at surgery|Site of the tumour',
  '#Who gave the tissue|Sex|In years|Where it was',
  '#STRING|STRING|NUMBER|STRING',
  '#1|1|1|9',
];
const COMMENT = ['/* DATA DESCRIPTION:', 'Citation:|Doe, J (2020): Cores', 'Parameter(s):|DEPTH [m] * GEOCODE'];
const PARAMETERS = Array.from({ length: 30 }, (_, at) => `|Parameter ${at} [m] * PI: Doe, J`);

describe('what stands in front of a table', () => {
  it.each([
    ['rows marked by # that say of each column what it holds', [...DESCRIBED, ...DONORS], 5, 'DONOR', 3],
    ['two of these', [...DESCRIBED.slice(2), ...DONORS], 3, 'DONOR', 3],
    ['these below a remark', ['# Donors of 2024', ...DESCRIBED, ...DONORS], 6, 'DONOR', 3],
    ['numbers of the columns behind ##', ['# Table 7', '#', '##|v1|v2|v3', ...DONORS], 4, 'DONOR', 3],
    [
      'a header marked by # below what is said behind ##',
      ['##made|2024', '#box|organ|weight', ...BOXES.slice(1)],
      2,
      '#box',
      3,
    ],
    ['a comment of many rows', [...COMMENT, ...PARAMETERS, '*/', ...CORES], 35, 'Event', 3],
    ['a comment of one row', ['/* Cores of 2020 */', ...CORES], 2, 'Event', 3],
    ['names with colons, and what they are', ['Project:|Boxes', 'By:|Doe', 'Date:|2024-05-01', ...BOXES], 4, 'box', 3],
    ['all of it', ['Project:|Boxes', ...COMMENT, '*/', ...DESCRIBED, ...DONORS], 10, 'DONOR', 3],
  ])('%s', async (_, rows, line, name, samples) => {
    const sheet = text(...(rows as string[]));
    expect(findTable(sheet, true, {}).headerLine).toBe(line);
    const found = await refusal(sheet, { header });
    expect(found.line).toBe(line);
    expect(found.message).toMatch(new RegExp(`the option nameColumn: (?:[^.]*, )?${name}[,.]`));
    const read = await readSheet(sheet, { header: { ...header, nameColumn: name as string } });
    expect([read.plan.headerLine, read.samples.length, read.rejected]).toEqual([line, samples, []]);
  });

  it.each([
    ['a header marked by #', ['#box|organ|weight', ...BOXES.slice(1)]],
    [
      'one above a remark of as many words',
      ['#box|organ|site', '#of them|all|shown', 'b1|liver|left', 'b2|lung|right'],
    ],
    ['one above a row of units', ['#box|organ|weight', '#|in words|in g', ...BOXES.slice(1)]],
    ['one above words that are there again', ['#box|organ|sex', '#text|text|text', 'b1|liver|male', 'b2|lung|male']],
    ['a header of which each text ends in a colon', ['box:|organ:|weight:', ...BOXES.slice(1)]],
    ['a header of one text with a colon', ['box:', 'b1', 'b2']],
    ['a header of which the first text ends in one', ['box:|organ', 'b1|liver', 'b2|lung']],
    ['a wider one', ['box:|organ|weight', ...BOXES.slice(1)]],
  ])('is not %s', async (_, rows) => {
    const sheet = text(...rows);
    expect(findTable(sheet, true, {}).headerLine).toBe(1);
    expect((await refusal(sheet, { header })).line).toBe(1);
  });

  it('is passed over above a sheet that is one of ours, too, however many rows it has', () => {
    const sheet = text(...COMMENT, ...PARAMETERS, '*/', 'Sample Name|Depth [m]', 'core-1|5');
    expect(planOf(sheet, header)).toMatchObject({ headerLine: 35, fromPlainHeaders: ['Depth [m]'] });
  });

  it('may be all that a file has', async () => {
    for (const rows of [['##a|b', '##c|d'], COMMENT, ['Project:|Boxes']])
      expect((await refusal(text(...rows), { header })).code).toBe('file.header');
  });
});
