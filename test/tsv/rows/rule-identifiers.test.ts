import { describe, expect, it } from 'vitest';
import { codes, issuesOf, readSheet, table } from '../read-sheet.js';

const HEADER = ['Sample Name', 'Release Date', 'Sample Identifier'];
const D = '2024-05-01';

describe('Sample Identifier', () => {
  it('a filled cell updates, a blank one registers, in one file', async () => {
    const { samples } = await readSheet(table(HEADER, ['a', D, 'SAMR12'], ['b', D, ' '], ['c', D, ' SAMR13 ']));
    expect(samples.map(({ id }) => id)).toEqual([12, 0, 13]);
  });

  it.each(['SAMEA100033', 'SAMR', 'SAMR007', 'samr7', '7', 'SAMR12x', 'SAMR99999999999999999999'])(
    '%s is no accession of ours: a row error',
    async (accession) => {
      const { samples, rejected } = await readSheet(table(HEADER, ['a', D, accession], ['b', D]));
      expect(samples).toHaveLength(1);
      expect(issuesOf(rejected)).toMatchObject([
        { line: 2, code: 'identifier.unknown', column: 'Sample Identifier', columnLetter: 'C', value: accession },
      ]);
    },
  );

  it.each([
    ['samr7', 'SAMR7'],
    ['SamR 12', 'SAMR12'],
    ['SAMR-12', 'SAMR12'],
    ['SAMR\u200b12', 'SAMR12'],
    ['ＳＡＭＲ12', 'SAMR12'],
    ['samea7', undefined],
    ['SAMR007', undefined],
    ['7', undefined],
  ])('%s: what is meant is suggested (%s), in the message too', async (accession, meant) => {
    const { rejected } = await readSheet(table(HEADER, ['a', D, accession], ['b', D]));
    const [issue] = issuesOf(rejected);
    expect(issue?.suggestion).toBe(meant);
    const ownOnes = 'identifiers of your own, call it Characteristics[Sample Identifier], and they are kept';
    expect(issue?.message).toContain(meant ? `write ${meant}` : ownOnes);
  });

  it('one sample on two rows: the second is a row error naming the first', async () => {
    const { rejected } = await readSheet(table(HEADER, ['a', D, 'SAMR1'], ['b', D, 'SAMR1'], ['c', D, 'SAMR2']));
    expect(codes(rejected)).toEqual(['3 identifier.repeated']);
    expect(issuesOf(rejected)[0]?.message).toContain('line 2');
  });

  it('a survey that may ask the store tells unknown samples and those of others', async () => {
    const ownersOf = async (ids: number[]) =>
      new Map([[1, 'me'] as const, [2, 'you'] as const].filter(([id]) => ids.includes(id)));
    const text = table(HEADER, ['a', D, 'SAMR1'], ['b', D, 'SAMR2'], ['c', D, 'SAMR3']);
    const mine = await readSheet(text, { survey: { ownersOf, account: 'me' } });
    expect(codes(mine.rejected)).toEqual(['3 identifier.not-yours', '4 identifier.unknown']);
    expect(mine.survey.rejected).toBe(2);
    const admin = await readSheet(text, { survey: { ownersOf, account: 'root', admin: true } });
    expect(codes(admin.rejected)).toEqual(['4 identifier.unknown']);
  });
});
