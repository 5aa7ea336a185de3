/** What the page says of wide rows and of release dates, without a browser. */
import { afterAll, describe, expect, it } from 'vitest';
import { notShown, shownColumns } from '../../web/src/sheet/shown-columns.js';
import { publicFrom } from '../../web/src/show/words.js';

describe('of a wide row', () => {
  it.each([
    [60, 0, 60, 0, undefined],
    [61, 0, 60, 0, 'Columns A to BH are shown; of 61 columns the others are not.'],
    [10_000, 5_000, 60, 4_970, 'Columns GIE to GKL are shown; of 10000 columns the others are not.'],
    [10_000, 9_999, 60, 9_940, 'Columns NRI to NTP are shown; of 10000 columns the others are not.'],
    [0, 0, 0, undefined, undefined],
  ])('with %i columns, looked at in column %i, so many are shown', (width, at, many, first, words) => {
    const places = shownColumns(width, at);
    expect([places.length, places[0], notShown(width, places)]).toEqual([many, first, words]);
    if (places.length > 0) expect(places).toContain(at);
  });
});

describe('a release date', () => {
  const zone = process.env.TZ;
  afterAll(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it.each([
    ['UTC', '2026-11-21', 'Public from midnight in UTC.'],
    [
      'America/New_York',
      '2026-11-21',
      'Public from midnight in UTC: 20 Nov 2026 19:00 where you are (America/New_York).',
    ],
    ['Europe/Berlin', '2026-07-01', 'Public from midnight in UTC: 1 Jul 2026 02:00 where you are (Europe/Berlin).'],
    [
      'Europe/Berlin',
      '2026-07-01T23:30:00.000Z',
      'Public from 1 Jul 2026 23:30 UTC: 2 Jul 2026 01:30 where you are (Europe/Berlin).',
    ],
    ['Europe/Berlin', '', 'Public from midnight in UTC.'],
  ])('is said in %s: %s', (timeZone, date, words) => {
    process.env.TZ = timeZone;
    expect(publicFrom(date)).toBe(words);
  });
});
