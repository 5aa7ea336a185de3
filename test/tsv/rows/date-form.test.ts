import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IMPORT_PROFILE } from '../../../src/profiles/schema.js';
import { dateReader } from '../../../src/tsv/rows/date-form.js';
import { runs } from '../../support/seeds.js';

const two = (number: number): string => String(number).padStart(2, '0');

describe('dates of a named form', () => {
  it.each([
    ['DD.MM.YYYY', '03.04.2020', '2020-04-03'],
    ['DD-MM-YYYY', '3-4-2020', '2020-04-03'],
    ['YYYY-MM-DD hh:mm', '2020-04-03 7:05', '2020-04-03T07:05:00Z'],
    ['DD MMM YYYY', '3 April 2020', '2020-04-03'],
    ['YYYY年MM月DD日', '2020年4月3日', '2020-04-03'],
    ['DDMMYYYY', '01122024', '2024-12-01'],
    ['YYYYMMDDhhmm', '202411210930', '2024-11-21T09:30:00Z'],
    ['DDMMMYYYY', '1Dec2024', '2024-12-01'],
    // A spreadsheet has taken the nought of 01122024 away, or has not.
    ['DDMMYYYY', '1122024', undefined],
    ['YYYYMMDD', '2024112', undefined],
    ['YYYYMMDDhhmm', '20241121930', undefined],
    ['MM/DD/YYYY', '04/31/2020', undefined],
    ['DD.MM.YYYY', '03x04x2020', undefined],
  ])('%s reads %s', (form, text, date) => {
    expect(dateReader(form)?.(text)).toBe(date);
  });

  it('may be parted by any sign, which a profile may say', () => {
    const sign = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 3 })
      .filter((text) => /^[^A-Za-z0-9\s]+$/u.test(text));
    const day = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(sign, day, (by, date) => {
        const form = `DD${by}MM${by}YYYY`;
        const [year, month, of] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
        expect(dateReader(form)?.(`${two(of)}${by}${two(month)}${by}${year}`)).toBe(`${year}-${two(month)}-${two(of)}`);
        const columns = [
          { header: 'Tube', as: 'name' },
          { header: 'Taken', as: 'characteristic', date: form },
        ];
        expect(IMPORT_PROFILE.safeParse({ profile: 1, title: 'x', columns }).success).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });
});
