/** Which profile reads a sheet, when several have its name, its version is another one, or a row above says which. */
import { describe, expect, it } from 'vitest';
import type { KnownProfile } from '../../../src/tsv/header/profile.js';
import { resultHeader } from '../../../src/tsv/print/write.js';
import { planOf, table } from '../read-sheet.js';

const known = (name: string, rank: KnownProfile['rank'], title: string, version?: number): KnownProfile => ({
  name,
  rank,
  ...(version === undefined ? {} : { version }),
  document: {
    profile: 1,
    title,
    columns: [
      { header: 'tube', as: 'name' },
      { header: 'x', as: 'characteristic' },
    ],
  },
});
const SHEET = table(['tube', 'x'], ['a', '1']);
const OWN = known('lab', 'own', 'Mine', 4);
const SHARED = known('lab', 'shared', 'Of all', 2);
const read = (text: string, profiles: readonly KnownProfile[], profile?: string) =>
  planOf(text, { releaseDate: 0, profiles, ...(profile === undefined ? {} : { profile }) });

describe('the profile of a sheet', () => {
  it.each([
    ['one of the account before one that is shared', [SHARED, OWN], 'Mine'],
    ['one that is shared before one that ships', [known('terra', 'shared', 'Our Terra')], 'Our Terra'],
  ])('is by its name %s', (_, profiles, title) => {
    const [{ name }] = profiles as [KnownProfile];
    expect(read(SHEET, profiles, name).profile).toMatchObject({ title, named: true });
  });

  it('is by its columns one of the account before one that is shared', () => {
    expect(read(SHEET, [SHARED, OWN]).profile).toEqual({
      name: 'lab',
      rank: 'own',
      title: 'Mine',
      version: 4,
      named: false,
    });
  });

  it('is the one that a row above names, with the version that it asks for', () => {
    const above = (...cells: string[]) => read(table(cells, ['tube', 'x'], ['a', '1']), [OWN]).profile;
    const lab = { name: 'lab', rank: 'own', title: 'Mine', version: 4, named: true };
    expect(above('#profile', 'lab')).toEqual(lab);
    expect(above(' #Profile ', ' lab ', '4')).toEqual(lab);
    expect(above('#profile', 'lab', '3')).toEqual({ ...lab, asked: 3 });
    for (const version of ['03', 'x', '-1', '1234567890']) expect(above('#profile', 'lab', version)).toEqual(lab);
  });

  it('is what the option says, whatever a row above says', () => {
    const text = table(['#profile', 'lab', '3'], ['tube', 'x'], ['a', '1']);
    expect(read(text, [OWN, known('other', 'own', 'Other')], 'other').profile).toMatchObject({ name: 'other' });
    expect(read(text, [OWN, known('other', 'own', 'Other')], 'other').profile).not.toHaveProperty('asked');
  });

  it('is none where none is asked for', () => {
    const text = table(['Sample Name', 'tube', 'x'], ['n', 'a', '1']);
    expect(read(text, [OWN], 'none').profile).toBeUndefined();
  });

  it('is written above the sheet that comes back, so that it is read the same again', () => {
    const plan = read(SHEET, [OWN]);
    expect(resultHeader(plan, true)).toBe('#profile\tlab\t4\ntube\tx\tRelease Date\tSample Identifier\n');
    expect(read(`${resultHeader(plan, true)}a\t1\n`, [OWN]).profile).toMatchObject({ name: 'lab', named: true });
    const named = read(SHEET, [known('lab', 'own', 'Mine')], 'lab');
    expect(resultHeader(named, false)).toBe('#profile\tlab\ntube\tx\tSample Identifier\n');
  });
});
