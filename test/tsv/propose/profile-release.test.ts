/** The date of release that a profile says: which texts say one, and whose samples it makes public. */
import { describe, expect, it } from 'vitest';
import type { KnownProfile } from '../../../src/tsv/header/profile.js';
import { isRelease, releaseBy, saidRelease } from '../../../src/tsv/header/profile-release.js';
import { planOf, refusal, table } from '../read-sheet.js';

const NOW = Date.parse('2024-05-01T17:30:00Z');
const known = (rank: KnownProfile['rank'], release?: string): KnownProfile => ({
  name: 'lab',
  rank,
  document: {
    profile: 1,
    title: 'Lab',
    columns: [
      { header: 'tube', as: 'name' },
      { header: 'x', as: 'characteristic' },
    ],
    ...(release === undefined ? {} : { release }),
  },
});

describe('the release that a profile says', () => {
  it.each([
    ['today', true],
    ['2031-01-02', true],
    ['2024-02-30', false],
    ['2031-01-02T00:00:00Z', false],
    ['x2031-01-02', false],
    ['2.1.2031', false],
    ['tomorrow', false],
    ['', false],
  ])('may be %j: %s', (text, may) => {
    expect(isRelease(text)).toBe(may);
  });

  it('is midnight of its day, or of the day of the upload, by UTC', () => {
    expect(releaseBy(known('own', '2031-01-02'), NOW)).toBe(Date.UTC(2031, 0, 2));
    expect(releaseBy(known('own', 'today'), NOW)).toBe(Date.UTC(2024, 4, 1));
    expect(releaseBy(known('own'), NOW)).toBeUndefined();
  });

  it.each(['shared', 'shipped'] as const)('holds nobody else: of a %s profile it says nothing', (rank) => {
    expect(saidRelease(known(rank, '2031-01-02'))).toBeUndefined();
    expect(releaseBy(known(rank, '2031-01-02'), NOW)).toBeUndefined();
  });

  it('spares the sheet of its owner a Release Date, and no other', async () => {
    const sheet = table(['tube', 'x'], ['a', '1']);
    expect(planOf(sheet, { profiles: [known('own', 'today')] }).profile?.name).toBe('lab');
    for (const profile of [known('own'), known('shared', 'today')])
      expect(await refusal(sheet, { header: { profiles: [profile] } })).toMatchObject({
        code: 'file.header',
        column: 'Release Date',
      });
  });
});
