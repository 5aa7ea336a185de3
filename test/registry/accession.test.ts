import { describe, expect, it } from 'vitest';
import { formatAccession, nearAccession, parseAccession } from '../../src/registry/accession.js';

describe('an accession', () => {
  it.each([1, 10, 9_007_199_254_740_991])('of %i comes back as its number', (id) => {
    expect(parseAccession('SAMR', formatAccession('SAMR', id))).toBe(id);
  });

  it.each([
    'SAMR',
    'SAMR0',
    'SAMR01',
    'SAMR9007199254740992',
    'SAMR99999999999999999',
    'SAMR1x',
    'SAMR1 ',
    'SAMR1.0',
    'SAMR1e3',
    'SAMRx1',
    'SAMR-1',
    'SAMEA1',
    'xSAMR1',
    'samr1',
    '1',
    '',
  ])('of ours is not %j', (text) => expect(parseAccession('SAMR', text)).toBeUndefined());
});

describe('what is nearly an accession', () => {
  it.each(['samr12', ' SAMR12', 'SAMR 12', 'SAM-R_12', 'SAMR12\u200b', 'ＳＡＭＲ１２', 'SaMr\u00a012'])(
    '%j',
    (text) => {
      expect(nearAccession('SAMR', text)).toBe('SAMR12');
    },
  );

  it('has the prefix as it is written here', () => expect(nearAccession('SamR', 'SAMR12')).toBe('SamR12'));

  it.each(['SAMR12', 'SAMR012', 'samr012', 'SAMEA12', 'ABCD12', '12', '', 'SAMR12.1', `SAMR12${' '.repeat(95)}`])(
    'is not %j',
    (text) => {
      expect(nearAccession('SAMR', text)).toBeUndefined();
    },
  );

  it('is no longer than 100 characters', () => expect(nearAccession('SAMR', `SAMR12${' '.repeat(94)}`)).toBe('SAMR12'));
});
