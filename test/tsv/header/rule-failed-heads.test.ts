/** Sheets that a formula fills, of which nothing came but what a spreadsheet shows in place of its result. */
import { describe, expect, it } from 'vitest';
import { readSheet, refusal, table } from '../read-sheet.js';

const ABOVE = 'Sample Name,Release Date,organism\nS1,2024-05-01,Mus\n';

describe('a sheet of which nothing came but what a formula shows without a result', () => {
  it.each([
    ['#REF!', '#REF!\n', 1],
    ['#REF!', '#REF!,,,\r\n,,,\r\n,,,', 1],
    ['#N/A', '\n;;\n#N/A;#N/A;#N/A\n', 3],
    ['#ERROR!', table(['', '#ERROR!'], ['', '']), 1],
    ['Loading...', 'Loading...,,,\r\n,,,\r\n', 1],
    ['Loading...', table(['Loading...', '', ''], ['', '#N/A']), 1],
  ])('is refused with what stands there: %s in %j', async (shown, text, line) => {
    const found = await refusal(text);
    expect([found.code, found.line]).toEqual(['file.wrong-kind', line]);
    expect(found.message).toContain(`Line ${line}: "${shown}" stands where the header should`);
    expect(found.message).toContain('wait until its values are there');
  });

  it.each([
    ['a remark', '# REF!\n'],
    ['a sheet that has something else, too', '#REF!,,\nAnimal,Genotype\nm1,wt\n'],
    ['one word that is none of these', 'Loading bay\n'],
    ['blank rows', ',,\n,,\n'],
  ])('%s is refused as before', async (_, text) => {
    expect((await refusal(text)).message).not.toContain('stands where the header should');
  });

  it('a failed formula above a header refuses nothing', async () => {
    expect((await readSheet(`#REF!,,\n${ABOVE}`)).samples.map(({ name }) => name)).toEqual(['S1']);
  });
});
