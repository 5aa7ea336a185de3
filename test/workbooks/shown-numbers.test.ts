/** Numbers with what their cells show beside them: the same in every form of workbook, to the last digit, and nothing of rounding. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sectionsOf } from '../../src/workbooks/format-code.js';
import { builtInMeaning, formatMeaning, numberText } from '../../src/workbooks/number-format.js';
import { shownNumber } from '../../src/workbooks/open-document/open-document-numbers.js';
import { Random } from '../support/random.js';
import { newSeed, runs } from '../support/seeds.js';
import { readWorkbook as read } from './read-workbook.js';

const made = (name: string): string => join(import.meta.dirname, 'made-by-libreoffice', name);
const textOf = (code: string, raw: string): string => numberText(raw, formatMeaning(code), false);

describe('a number and what its cell shows beside it', () => {
  it.each(['xlsx', 'xls', 'ods'])('saved by LibreOffice as .%s', async (form) => {
    const { tsv } = await read(made(`numbers.${form}`));
    const values = tsv
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t')[2]);
    expect(values).toEqual([
      '25%',
      '25.67%',
      '25.6%',
      '5.25 mg',
      '-80 °C',
      '37 °C',
      '0.5',
      '1500000',
      '1234567',
      '-3.5',
      '-3.5',
      '€ 12.5',
      '€ 12.5',
      '12.5 €',
      '0 €',
      '-7 €',
      '30:00:00',
      '00:01:02.5',
      '00042',
      '<0.5',
      'n.d.',
      'yes',
      'no',
      '12.3M',
      '1234.567',
      '5 mg',
      'day 7',
      'P7',
      '050 ml',
      '<1',
      '5',
      '555-1234',
      '40x',
      '2024-11-21T12:00:01.25',
      '3+',
      '3',
      '2.5×10⁶',
      '1:30',
      '%3',
      '12.5% v/v',
      '-$4.5',
      'down 3',
      '1.5 × 10^6/mL',
      'n=12',
      '25000 cells',
      '12 - 34',
      '1230000 CFU',
      '9',
      '0',
      '0.5‰',
      '25 %',
    ]);
  });

  it.each(['xlsx', 'xls', 'ods'])(
    'and the unit of which the cell behind it says, has it there, as .%s',
    async (form) => {
      const { tsv } = await read(made(`measured.${form}`));
      expect(tsv.trimEnd().split('\n')).toEqual([
        'Sample Name\tmass\tUnit\tpurity\tUnit\tnote',
        'm1\t5.25\tmg\t25\t%',
        // Another unit; a cell between them; a text that somebody typed; none behind it.
        'm2\t5 mg\tkg\t50%\t\t%',
        'm3\t5 mg\tmg\t50%',
        'm4\t7 mg\t\t\t\t10%',
      ]);
    },
  );

  it.each([
    ['0%', '0.285', '28.5%'],
    ['0%', '0.07', '7%'],
    ['0.00%', '1.1', '110%'],
    ['0%', '-0.25', '-25%'],
    ['0.0"%"', '25', '25%'],
    ['0\\%', '25', '25%'],
    ['0.0 "mg/L"', '0.30000000000000004', '0.3 mg/L'],
    ['0" ng"', '12345678901234567890', '12345678901234567890 ng'],
    ['0.0" mg";\\-0.0" mg";"n/a"', '-2', '-2 mg'],
    ['0.0" mg";\\-0.0" mg";"n/a"', '0', 'n/a'],
    ['0.0" mg";"loss of "0.0" mg"', '-2', 'loss of 2 mg'],
    ['$#,##0.00_);[Red]($#,##0.00)', '-1234.5', '-$1234.5'],
    ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', '-12.5', '-$ 12.5'],
    ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', '0', '$ 0'],
    ['_(* #,##0_);_(* \\(#,##0\\);_(* "-"??_);_(@_)', '0', '0'],
    ['#,##0.00;(#,##0.00)', '-5', '-5'],
    ['0;0', '-5', '-5'],
    ['[Red][<0.1]"trace";[>=100]"> "0;0.0" µg"', '0.05', 'trace'],
    ['[Red][<0.1]"trace";[>=100]"> "0;0.0" µg"', '250', '> 250'],
    ['[Red][<0.1]"trace";[>=100]"> "0;0.0" µg"', '3', '3 µg'],
    ['#,##0.0,"k"', '1500', '1.5k'],
    ['"a;b "0', '5', 'a;b 5'],
    ['# ??/??" in"', '0.125', '0.125 in'],
    ['# ?/16', '0.0625', '0.0625'],
    ['0.00E+00', '1230000', '1230000'],
    ['"-"', '5', '5'],
    [';;;', '5', '5'],
    [`0" mg${' '.repeat(1_000)}"`, '5', '5'],
    ['@" mg"', '5', '5 mg'],
    ['0.0 kg', '5', '5'],
    ['[$-409]0.0', '5', '5'],
    ['[$CHF] 0.00', '5', 'CHF 5'],
    ['mm:ss.0', '0.0007233796296', '00:01:02.5'],
    ['mm:ss', '0.0007233796296', '00:01:02'],
    ['yyyy-mm-dd hh:mm:ss.000', '45617.39583391204', '2024-11-21T09:30:00.05'],
    ['yyyy-mm-dd hh:mm', '45617.39583391204', '2024-11-21T09:30:00'],
  ])('the format %s makes of %s: %s', (code, raw, wanted) => {
    expect(textOf(code, raw)).toBe(wanted);
  });

  it('the formats of percentages that every workbook has', () => {
    expect([9, 10, 3, 11].map((id) => numberText('0.125', builtInMeaning(id), false))).toEqual([
      '12.5%',
      '12.5%',
      '0.125',
      '0.125',
    ]);
  });

  it('whatever the number, its digits are all there, and an OpenDocument that shows it reads the same', () => {
    const seed = newSeed();
    const random = new Random(seed);
    const beside: [before: string, after: string][] = [
      ['', ' mg'],
      ['', '°C'],
      ['€ ', ''],
      ['n=', ''],
      ['~', ' cells/mL'],
      ['', ' × 10^6'],
    ];
    for (let run = 0; run < runs(2_000); run++) {
      const places = random.below(7);
      const value =
        (random.below(2) === 0 ? 1 : -1) * Number((random.below(10_000_000) / 10 ** places).toPrecision(12));
      const [before, after] = beside[random.below(beside.length)] as [string, string];
      const code = `"${before}"#,##0.${'0'.repeat(places)}"${after}"`;
      const wanted = `${value < 0 ? '-' : ''}${before}${Math.abs(value)}${after}`;
      const why = `${code} of ${value}, seed ${seed}`;
      expect(textOf(code, String(value)), why).toBe(wanted);
      const shown = `${value < 0 ? '-' : ''}${before}${Math.abs(value).toFixed(Math.min(places, 2))}${after}`;
      expect(shownNumber(String(value), shown, false), `${shown}: ${why}`).toBe(wanted);
    }
  });

  it('any code at all is read, and never says more than two texts around a number', () => {
    const seed = newSeed();
    const random = new Random(seed);
    const parts = [
      '"',
      '\\',
      '_',
      '*',
      '[',
      ']',
      '$',
      '-',
      '0',
      '#',
      '?',
      '.',
      ',',
      'E+',
      '/',
      '%',
      ';',
      '@',
      ' mg',
      '<1',
      'h',
      'µ',
    ];
    for (let run = 0; run < runs(5_000); run++) {
      const code = Array.from({ length: random.below(12) }, () => parts[random.below(parts.length)]).join('');
      expect(() => sectionsOf(code), `${code}, seed ${seed}`).not.toThrow();
      expect(typeof textOf(code, '12.5'), `${code}, seed ${seed}`).toBe('string');
    }
  });
});
