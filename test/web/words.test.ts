/** What the page says of wide rows and of release dates, without a browser. */
import { afterAll, describe, expect, it } from 'vitest';
import { filterWords } from '../../web/src/samples/filter-words.js';
import { spellFilter } from '../../web/src/samples/spell-filter.js';
import { notShown, shownColumns } from '../../web/src/sheet/shown-columns.js';
import { typedDayProblem } from '../../web/src/show/typed-day.js';
import { dayAndTime, publicFrom } from '../../web/src/show/words.js';

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

describe('a day that is typed', () => {
  it.each([
    ['2027-12-31', false],
    ['1900-01-01', false],
    ['', false],
    ['0027-12-31', true],
    ['0202-07-01', true],
  ])('as a release, %j, is asked about where its year has lost digits: %s', (day, problem) => {
    expect(typedDayProblem(day) !== undefined).toBe(problem);
  });
});

describe('the day of a last change', () => {
  const zone = process.env.TZ;
  afterAll(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  // The last has a day of 25 hours.
  it.each([
    ['UTC', '2026-11-29', '2026-11-29T00:00:00.000Z', '2026-11-29T23:59:59.999Z'],
    ['Pacific/Apia', '2026-11-29', '2026-11-28T11:00:00.000Z', '2026-11-29T10:59:59.999Z'],
    ['America/St_Johns', '2026-11-29', '2026-11-29T03:30:00.000Z', '2026-11-30T03:29:59.999Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
  ])('is in %s the day that the list shows: %s', (here, day, from, until) => {
    process.env.TZ = here;
    const filter = spellFilter('update', day, day) as string;
    expect(filter).toBe(`dt:update:from=${from}until=${until}`);
    const shown = dayAndTime(from).replace(' 00:00', '');
    expect(filterWords(filter)).toBe(`changed from ${shown} 00:00 until ${shown} 23:59`);
    expect(spellFilter('release', day, day)).toBe(`dt:release:from=${day}until=${day}`);
    expect(filterWords(`dt:release:from=${day}`)).toBe(`released from ${day}`);
    expect(spellFilter('update', '', '')).toBeUndefined();
  });
});
