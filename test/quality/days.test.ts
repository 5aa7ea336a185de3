/** Days of collection that are still to come, or that come after the release. */
import { expect, it } from 'vitest';
import { saidOf } from './sensed.js';

const TO_COME = 'is still to come; is the year right?';
const AFTER = 'is after the sample became public on 2024-05-02; is one of the two wrong?';

/** The day, the release, and what is said of the day on the first of June 2025 at noon. */
const DAYS: readonly (readonly [day: string, release: string, said?: string])[] = [
  ['2025-06-02T12:00:00Z', '2030-01-01'],
  ['2025-06-02T12:00:01Z', '2030-01-01', TO_COME],
  ['2024-05-03', '2024-05-02', AFTER],
  ['2024-05-02T23:59:59Z', '2024-05-02T09:30:00Z'],
  ['2024-05-03T09:30:00Z', '2024-05-02T09:30:00Z', AFTER],
  ['2031', '2030-01-01', TO_COME],
  ['2025-07', '2030-01-01', TO_COME],
  ['2025-07-01/2025-08-01', '2030-01-01', TO_COME],
  ['2024-01-01/2025-08-01', '2030-01-01'],
  ['1 Jul 2025', '2030-01-01', TO_COME],
  ['50000', '2030-01-01'],
  ['50000.5', '2030-01-01'],
  ['2031-01-01                                                   x', '2030-01-01'],
  ['to 2031-01-01', '2030-01-01'],
  ['2025-12/x', '2030-01-01', TO_COME],
  ['x2031-/y', '2030-01-01'],
  ['24/12/2024', '2024-05-02', AFTER],
  ['A44444', '2024-05-02'],
];

it.each(DAYS)('%s with the release %s', async (day, release, said) => {
  const issues = await saidOf(['collection date|Release Date', `${day}|${release}`]);
  expect(issues.map(({ code, message }) => [code, message])).toEqual(
    said === undefined ? [] : [['suspect.time', `"${day}" in collection date ${said}`]],
  );
});

it('a row without a date of its own has that of its upload', async () => {
  const issues = await saidOf(['collection date', '2025-12-31', '2024-01-01']);
  expect(issues.map(({ line, message }) => [line, message])).toEqual([
    [2, `"2025-12-31" in collection date ${TO_COME}`],
  ]);
});
