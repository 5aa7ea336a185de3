import { describe, expect, it } from 'vitest';
import { issuesOf, readSheet, table } from '../read-sheet.js';

const sheet = (...dates: string[]) =>
  table(['Sample Name', 'Release Date'], ...dates.map((date, at) => [`s${at}`, date]));

describe('Release Date', () => {
  it.each([
    ['2024-11-21', '2024-11-21T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-11-21T10:30', '2024-11-21T10:30:00.000Z'],
    ['2024-11-21T10:30:15Z', '2024-11-21T10:30:15.000Z'],
    ['2024-11-21T10:30:15.123456Z', '2024-11-21T10:30:15.123Z'],
    ['2024-11-21T10:30:15+02:00', '2024-11-21T08:30:15.000Z'],
    [' 2024-11-21 ', '2024-11-21T00:00:00.000Z'],
    ['1969-12-31', '1969-12-31T00:00:00.000Z'],
  ])('%j is %s', async (date, release) => {
    const { samples } = await readSheet(sheet(date, date));
    expect(samples.map((sample) => sample.release)).toEqual([release, release]);
  });

  it.each([
    ['21/11/2024', '2024-11-21'],
    ['11/21/2024', '2024-11-21'],
    ['21.11.2024', '2024-11-21'],
    ['2024/11/21', '2024-11-21'],
    ['20241121', '2024-11-21'],
    ['21 Nov 2024', '2024-11-21'],
    ['03/04/2024', undefined],
    ['2024-02-30', undefined],
    ['2023-02-29', undefined],
    ['2024-13-01', undefined],
    ['soon', undefined],
    ['21/11/24', undefined],
    ['45617', '2024-11-21'],
    ['99999', undefined],
    ['2024-11-2x', undefined],
  ])('%j is a row error with the suggestion %j', async (date, suggestion) => {
    const { samples, rejected } = await readSheet(sheet(date, '2024-05-01'));
    expect(samples).toHaveLength(1);
    const [issue] = issuesOf(rejected);
    expect(issue).toMatchObject({
      line: 2,
      code: 'release.invalid',
      column: 'Release Date',
      columnLetter: 'B',
      value: date,
    });
    expect(issue?.suggestion).toBe(suggestion);
    expect(issue?.message).toContain(date);
  });

  it('each row has its own, however many there are', async () => {
    const dates = Array.from({ length: 6000 }, (_, day) => new Date(Date.UTC(2010, 0, 1 + day)).toISOString());
    const spelled = dates.map((date, at) => (at % 3 === 0 ? date : date.slice(0, 10)));
    const { samples } = await readSheet(sheet(...spelled, ...spelled));
    expect(samples.map(({ release }) => release)).toEqual([...dates, ...dates]);
  });

  it('a blank cell takes the option releaseDate, and without it is a row error', async () => {
    const releaseDate = Date.UTC(2030, 0, 1);
    const { samples } = await readSheet(sheet('', '2024-05-01'), { header: { releaseDate } });
    expect(samples.map(({ release }) => release.slice(0, 10))).toEqual(['2030-01-01', '2024-05-01']);
    const { rejected } = await readSheet(sheet('', '2024-05-01'));
    expect(issuesOf(rejected)).toMatchObject([{ line: 2, code: 'release.missing' }]);
    expect(issuesOf(rejected)[0]?.message).toContain('releaseDate');
  });

  describe('of a row that names its sample', () => {
    const identified = (...rows: string[][]) => table(['Sample Identifier', 'Sample Name', 'Release Date'], ...rows);
    const releases = async (text: string, header: object = {}) => {
      const { samples, rejected } = await readSheet(text, { header, read: header });
      expect(issuesOf(rejected)).toEqual([]);
      return samples.map(({ release }) => release.slice(0, 10));
    };
    const rows = identified(['SAMR1', 'a', ''], ['', 'b', '2024-05-01'], ['SAMR3', 'c', '2024-05-02']);

    it('is its own, or else the sample keeps the one it has', async () => {
      expect(await releases(rows)).toEqual(['', '2024-05-01', '2024-05-02']);
    });

    it('is not that of the upload, unless the upload says so of existing samples', async () => {
      const releaseDate = Date.UTC(2030, 0, 1);
      expect(await releases(rows, { releaseDate })).toEqual(['', '2024-05-01', '2024-05-02']);
      expect(await releases(rows, { releaseDate, releaseExisting: true })).toEqual([
        '2030-01-01',
        '2024-05-01',
        '2024-05-02',
      ]);
    });

    it('is not asked for by a header without the column', async () => {
      const text = table(['Sample Identifier', 'Sample Name'], ['SAMR1', 'a'], ['SAMR2', 'b']);
      expect(await releases(text)).toEqual(['', '']);
      const { rejected } = await readSheet(table(['Sample Identifier', 'Sample Name'], ['SAMR1', 'a'], ['', 'b']));
      expect(issuesOf(rejected)).toMatchObject([{ line: 3, code: 'release.missing' }]);
      expect(issuesOf(rejected)[0]?.message).toContain('no Release Date');
    });
  });

  it('a sheet without the column takes the option for every row', async () => {
    const { samples } = await readSheet(table(['Sample Name'], ['a'], ['b']), { header: { releaseDate: 0 } });
    expect(samples.map(({ release }) => release)).toEqual(Array(2).fill('1970-01-01T00:00:00.000Z'));
  });
});
