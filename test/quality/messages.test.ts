/** What a warning says of a value: what probably happened to it, and what to do. */
import { expect, it } from 'vitest';
import { warningsOf } from './sheet.js';

it.each([
  ['date', '2-Sep', 'is a date without its year; write it whole, such as 2024-09-02.'],
  [
    'gene',
    '2-Sep',
    'looks like an id or a gene name that the spreadsheet took for a date (SEPT2 becomes 2-Sep); enter it again in a column formatted as text.',
  ],
  ['date', '45294', 'is the number by which a spreadsheet keeps a date; 2024-01-03?'],
  [
    'gene',
    '#REF!',
    'is what a spreadsheet shows when a formula failed or a column is too narrow; enter the value itself.',
  ],
  [
    'id',
    '2.31E+13',
    'is a long number or an id that the spreadsheet wrote in scientific notation, which lost its last digits; enter it again in a column formatted as text.',
  ],
  [
    'id',
    '123456789012345000',
    'has more than the 15 digits that a spreadsheet keeps and ends in zeros; its last digits may be lost.',
  ],
  ['id', '“A”', 'holds typographic quotes, which a spreadsheet puts in place of plain ones.'],
  ['town', 'KÃ¶ln', 'was read in another encoding than it was written in at some point; Köln?'],
  ['town', 'K\ufffdln', 'was read in another encoding than it was written in at some point.'],
])('in %s, %s %s', (header, value, what) => {
  const [warning] = warningsOf(['Sample Name', header], [['S1', value]]);
  expect(warning).toMatchObject({ message: `"${value}" in ${header} ${what}`, columnLetter: 'B', severity: 'warning' });
});

it.each([
  [
    ['a', 'b', 'c', 'd', '2024-09-02'],
    'is a date among values that are none; did the spreadsheet turn an id into it? Enter it again in a column formatted as text.',
  ],
  [['001', '012', '7'], 'is shorter than the other numbers of its column; a spreadsheet drops leading zeros: 007?'],
  [['Blood', 'blood', 'blood'], 'differs only in case from blood, which its column has more often.'],
])('among %j one %s', (values, what) => {
  const said = warningsOf(
    ['Sample Name', 'note'],
    values.map((value, at) => [`S${at}`, value]),
  );
  expect(said.map(({ message }) => message.replace(/^".*" in note /, ''))).toEqual([what]);
});

it('a message quotes the value as it stands, with its own question marks and full stops', () => {
  const [warning] = warningsOf(['Sample Name', 'why?.'], [['S1', 'liver?.\u00a0x']]);
  expect(warning?.message).toBe(
    '"liver?.\u00a0x" in why?. holds a blank or an invisible character of another kind than the space bar gives.',
  );
});
