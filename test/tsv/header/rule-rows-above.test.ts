/** Rows at the top of a sheet that are no header: of other formats, and those that say how the sheet is read. */
import { describe, expect, it } from 'vitest';
import { pointedName } from '../../../src/tsv/header/name-column.js';
import { bare, firstText, isBelowHeader, isDirective, Preamble } from '../../../src/tsv/header/preamble.js';
import { pointedProfile } from '../../../src/tsv/header/profile.js';

describe('rows that stand above the header of another format', () => {
  const taken = (...rows: string[]): boolean[] => {
    const preamble = new Preamble();
    return rows.map((row) => preamble.takes(row.split('|')));
  };

  it.each([
    [
      'the head of a SampleTab file, to its table',
      ['[MSI]', 'Title|x', '[SCD]', 'Sample Name|x'],
      [true, true, true, false],
    ],
    ['the same without brackets', ['MSI', 'Title', 'SCD', 'Sample Name'], [true, true, true, false]],
    ['the mark of its table alone', ['[SCD]', 'Sample Name'], [true, false]],
    ['the checklist of an ENA sheet', ['Checklist|ERC000011|x', 'alias|title'], [true, false]],
    ['with blanks', [' |check list | ERC000011 '], [true]],
  ])('%s: are passed over', (_, rows, expected) => {
    expect(taken(...rows)).toEqual(expected);
  });

  it.each([
    'Sample Name|organ',
    'Checklist|organ',
    'Checklist|ERC',
    'Checklist|xERC1',
    'Checklist|ERC1x',
    'organ|ERC000011',
    'MSI 2|x',
    'old SCD|x',
    '',
  ])('%s is none of them', (row) => {
    expect(taken(row)).toEqual([false]);
  });

  it('are known by their first text, without brackets around it', () => {
    expect(firstText(['', ' ', ' a ', 'b'])).toBe('a');
    expect(firstText([' '])).toBe('');
    expect(bare([' [SCD] '])).toBe('SCD');
    expect(bare(['x [SCD]'])).toBe('x [SCD]');
    expect(bare(['[SCD] x'])).toBe('[SCD] x');
    expect(bare(['x'.repeat(201)])).toHaveLength(200);
  });
});

describe('rows below the header that are no samples', () => {
  it.each([
    ['#q2:types', true],
    ['#units', true],
    ['#Units', true],
    ['#units of x', false],
    ['q2:types', false],
    ['# remark', false],
  ])('begin with %s: %s', (first, directive) => {
    expect(isDirective(first)).toBe(directive);
    expect(isBelowHeader(first)).toBe(directive);
  });

  it.each([
    ['#template', true],
    ['#Template', true],
    ['#template 2', false],
    ['template', false],
  ])('begin with %s right below the header: %s', (first, below) => {
    expect(isBelowHeader(first)).toBe(below);
    expect(isDirective(first)).toBe(false);
  });
});

describe('a row that names the column of the names', () => {
  it.each([
    [['#nameColumn', 'tube'], 'tube'],
    [[' #NAME_COLUMN ', ' tube no '], 'tube no'],
    [['#nameColumn', ' '], undefined],
    [['#nameColumn'], undefined],
    [['nameColumn', 'tube'], undefined],
    [[], undefined],
  ])('%j: %s', (cells, column) => {
    expect(pointedName(cells)).toBe(column);
  });
});

describe('a row that names the profile', () => {
  it.each([
    [['#profile', 'lab'], { name: 'lab' }],
    [[' #Profile ', ' lab ', ' 12 '], { name: 'lab', version: 12 }],
    [['#profile', 'lab', '123456789'], { name: 'lab', version: 123_456_789 }],
    [['#profile', 'lab', '0'], { name: 'lab' }],
    [['#profile', 'lab', '1x'], { name: 'lab' }],
    [['#profile', ''], undefined],
    [['#profile'], undefined],
    [['profile', 'lab'], undefined],
    [[], undefined],
  ])('%j: %j', (cells, profile) => {
    expect(pointedProfile(cells)).toEqual(profile);
  });
});
