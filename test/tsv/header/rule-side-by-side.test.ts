/** Two lists of samples beside each other, as on a printed page. */
import { describe, expect, it } from 'vitest';
import { refusal } from '../read-sheet.js';

const refused = async (...rows: string[]): Promise<string> => {
  const text = rows.map((row) => `${row.replaceAll('|', '\t')}\n`).join('');
  return (await refusal(text, { header: { releaseDate: 0, unknownColumns: 'characteristics' } })).message;
};

describe('a header that has Sample Name twice', () => {
  it.each([
    ['an empty column between', 'Sample Name|organ||Sample Name|organ', 'a|liver||b|skin', 'c|liver'],
    ['none', 'Sample Name|organ|sample_name|Organ', 'a|liver|b|skin', 'c|liver|d|skin'],
    ['numbers in front of each', 'Nr.|Sample Name|organ|Nr.|Sample Name|organ', '1|a|liver|3|b|skin', '2|c|liver'],
    ['a column for both in front', 'plate|Sample Name|organ|Sample Name|organ', 'p|a|liver|b|skin', 'p|c|liver|d|skin'],
    ['a third list', 'Sample Name|x|Sample Name|x|Sample Name|x', 'a|1|b|1|c|1'],
  ])('over lists, with %s, says to put them below each other', async (_, header, ...rows) => {
    expect(await refused(header, ...rows)).toMatch(/lists of samples stand side by side .* Put them below each other/);
  });

  it.each([
    ['the same names', 'Sample Name|organ|Sample Name|organ', 'a|liver|a|liver', 'b|skin|b|skin'],
    ['names without values of their own', 'Sample Name|Sample Name', 'a|b', 'c|d'],
    ['other columns', 'Sample Name|organ|Sample Name|weight', 'a|liver|b|3', 'c|skin|d|4'],
    ['nothing below the second', 'Sample Name|organ|Sample Name|organ', 'a|liver', 'b|skin'],
  ])('over %s says to keep one of them', async (_, header, ...rows) => {
    expect(await refused(header, ...rows)).toMatch(
      /Sample Name is there 2 times, in columns .*; keep one of them, or give the others another header/,
    );
  });
});
