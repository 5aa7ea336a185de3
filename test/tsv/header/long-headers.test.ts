/** A header may be as long as the head of a file: what is said of it stays short, in the message and beside it. */
import { describe, expect, it } from 'vitest';
import type { RegistryError } from '../../../src/registry/errors.js';
import type { KnownProfile } from '../../../src/tsv/header/profile.js';
import { planOf, type SheetSettings, table } from '../read-sheet.js';

const LONG = 'x'.repeat(50_000);
const profile = (columns: KnownProfile['document']['columns'], name = 'lab'): KnownProfile => ({
  name,
  rank: 'own',
  document: { profile: 1, title: 'Lab', columns },
});
const many = Array.from({ length: 300 }, (_, at) => `${at}${LONG.slice(0, 500)}`);

it.each<[string, string[], NonNullable<SheetSettings['header']> | 'undated']>([
  ['is broken', ['Sample Name', `Characteristics[${LONG}`], {}],
  ['is not known', ['Sample Name', LONG], { unknownColumns: 'reject' }],
  ['is one of many that are not known', ['Sample Name', ...many], { unknownColumns: 'reject' }],
  ['names nothing', [LONG, `${LONG}y`], {}],
  ['could name the samples', [LONG, 'organ'], { unknownColumns: 'characteristics' }],
  ['lacks the column that is said to', ['a', LONG], { nameColumn: LONG.slice(1) }],
  ['lacks the column of keys', ['Sample Name', LONG], { key: LONG.slice(1) }],
  ['has the column of keys twice', ['Sample Name', LONG, LONG], { key: LONG }],
  ['has no date', ['Sample Name', LONG], 'undated'],
  ['lacks the profile that is asked for', ['Sample Name', LONG], { profile: LONG }],
  [
    'lacks what its profile names the samples by',
    ['a', LONG],
    { profile: 'lab', profiles: [profile(many.map((header) => ({ header, as: 'name' })))] },
  ],
  [
    'is of two columns that a profile reads as one thing',
    ['t', `a${LONG}`, `b${LONG}`],
    {
      profiles: [
        profile([
          { header: 't', as: 'name' },
          { header: `a${LONG}`, as: 'release' },
          { header: `b${LONG}`, as: 'release' },
        ]),
      ],
    },
  ],
  [
    'is nearly what a profile reads',
    ['t', ...many.slice(0, 250), LONG],
    {
      profiles: [
        profile([{ header: 't', as: 'name' }, ...many.map((header) => ({ header, as: 'characteristic' as const }))]),
      ],
    },
  ],
])('a header that %s', (_, header, options) => {
  const settings = options === 'undated' ? {} : { releaseDate: 0, ...options };
  let refused: RegistryError | undefined;
  try {
    planOf(
      table(
        header,
        header.map((__, at) => `v${at}`),
      ),
      settings,
    );
  } catch (error) {
    refused = error as RegistryError;
  }
  expect(refused?.code).toMatch(/^file\./);
  expect(refused?.message.length).toBeLessThan(2_500);
  expect(JSON.stringify(refused?.detail.extra).length).toBeLessThan(100_000);
});

describe('of many columns', () => {
  const lettered = (count: number): string => {
    try {
      planOf(table(['Sample Name', ...Array.from({ length: count }, () => 'Release Date')], ['a']));
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  it('a dozen are named, and of more how many', () => {
    expect(lettered(2)).toContain('in columns B and C;');
    expect(lettered(12)).toContain(' and L and M;');
    expect(lettered(13)).toContain(', L, M and 1 more;');
  });
});
