import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDateTime, parseDateTime } from '../../src/registry/date-time.js';
import '../support/seeds.js';

describe('dates are read', () => {
  it.each([
    ['2021-01-01', '2021-01-01T00:00:00.000Z'],
    ['2021-01-01T09:30', '2021-01-01T09:30:00.000Z'],
    ['2021-01-01 09:30:15', '2021-01-01T09:30:15.000Z'],
    ['2021-01-01T09:30:15.5', '2021-01-01T09:30:15.500Z'],
    ['2021-01-01T09:30:15.123456789Z', '2021-01-01T09:30:15.123Z'],
    ['2021-01-01t09:30:15z', '2021-01-01T09:30:15.000Z'],
    ['2021-01-01T00:30:00+01:00', '2020-12-31T23:30:00.000Z'],
    ['2021-01-01T00:30:00-0530', '2021-01-01T06:00:00.000Z'],
    ['2021-01-01T12:00:00+02', '2021-01-01T10:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ])('%s', (text, wanted) => {
    const read = parseDateTime(text);
    expect(typeof read === 'number' ? formatDateTime(read) : read).toBe(wanted);
  });

  it('what is written is read back, whatever the moment', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (ms) => {
        expect(parseDateTime(formatDateTime(ms))).toBe(ms);
      }),
    );
  });

  it.each([
    ['21/11/2024', '2024-11-21'],
    ['11/21/2024', '2024-11-21'],
    ['21.11.2024', '2024-11-21'],
    ['5/5/2024', '2024-05-05'],
    ['2024/11/21', '2024-11-21'],
    ['2024-1-5', '2024-01-05'],
    ['20241121', '2024-11-21'],
    ['21 Nov 2024', '2024-11-21'],
    ['21-November-2024', '2024-11-21'],
    ['1st March 2024', '2024-03-01'],
    ['March 1st, 2024', '2024-03-01'],
    // With dots the day comes first; a number of days is how a spreadsheet keeps a date.
    ['05.06.2024', '2024-06-05'],
    ['45617', '2024-11-21'],
    ['45617.5', '2024-11-21'],
  ])('%s is refused and %s suggested', (text, suggestion) => {
    expect(parseDateTime(text)).toEqual({ suggestion });
  });

  it.each([
    '05/06/2024',
    '2024-02-30',
    '2023-02-29',
    '2024-13-01',
    '2024-11-21T24:00:00Z',
    '2024-11-21T10:60',
    '2024-11-21T10:00:00+25:00',
    '31/02/2024',
    '21 Smarch 2024',
    '21-11-24',
    '202411',
    'yesterday',
    '12345',
    '99999',
    '',
    '2024-11-21Z',
    '2024-11-21T10',
  ])('%j is refused and nothing is guessed', (text) => {
    expect(parseDateTime(text)).toEqual({});
  });

  it('any text is a time, a suggestion that is a time, or nothing', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (text) => {
        const read = parseDateTime(text);
        if (typeof read === 'number') expect(Number.isFinite(read)).toBe(true);
        else if (read.suggestion !== undefined) expect(typeof parseDateTime(read.suggestion)).toBe('number');
      }),
    );
  });
});
