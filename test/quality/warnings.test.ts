import { describe, expect, it } from 'vitest';
import { fixture, fixturesIn, withoutFixtures } from '../support/fixtures.js';
import { Random } from '../support/random.js';
import { warningsOf } from './sheet.js';

const HEADERS = [
  'Sample Name',
  'Characteristics[organism]',
  'Characteristics[tissue]',
  'Characteristics[gene]',
  'Characteristics[barcode]',
  'Characteristics[plate]',
  'Characteristics[collection date]',
  'Characteristics[weight]',
  'Characteristics[note]',
  'Characteristics[well]',
];
const GENES = ['TP53', 'BRCA1', 'SEPT2', 'MARCH1', 'EGFR', 'DEC1', 'KRAS', 'MYC', 'OCT4', 'ACTB', 'GAPDH', 'SEPT9'];
const TISSUES = ['blood', 'liver', 'brain', 'skeletal muscle'];

function cleanRow(i: number, random: Random): string[] {
  return [
    `S-${i}`,
    random.pick(['Homo sapiens', 'Mus musculus']),
    random.pick(TISSUES),
    random.pick(GENES),
    String(23_100_000_000_000 + i * 7919),
    String(i % 400).padStart(5, '0'),
    `20${10 + (i % 14)}-0${1 + (i % 9)}-1${i % 10}`,
    (1 + random.next() * 40).toFixed(random.below(4)),
    `taken by the night's shift, tray "${i}"`,
    `${1 + (i % 12)}E${10 + (i % 80)}`,
  ];
}

/** Column, what the spreadsheet makes of a value, and the code under which it must be reported. */
const DAMAGE: [column: number, damage: (value: string) => string, code: string][] = [
  [3, () => '2-Sep', 'suspect.date'],
  [3, () => '1-Mar', 'suspect.date'],
  [3, () => 'Oct-04', 'suspect.date'],
  [3, () => '2024-09-02', 'suspect.date'],
  [3, () => '1.Dez', 'suspect.date'],
  [4, (value) => `${Number(value).toExponential(2).toUpperCase()}`, 'suspect.scientific'],
  [9, () => '1.00E+05', 'suspect.scientific'],
  [5, (value) => String(Number(value)), 'suspect.leading-zeros'],
  [6, () => '45252', 'suspect.serial-date'],
  [6, () => '39508.5', 'suspect.serial-date'],
  [6, () => '2-Sep', 'suspect.date'],
  [7, () => '#REF!', 'suspect.error-value'],
  [1, () => '#N/A', 'suspect.error-value'],
  [8, () => '#DIV/0!', 'suspect.error-value'],
  [6, () => '########', 'suspect.error-value'],
  [7, () => 'Err:502', 'suspect.error-value'],
  [8, (value) => value.replace("'", '’').replace(/"(\d+)"/, '“$1”'), 'suspect.quotes'],
  [1, (value) => value.replace(' ', '\u00a0'), 'suspect.blanks'],
  [2, (value) => `${value.slice(0, 2)}\u200b${value.slice(2)}`, 'suspect.blanks'],
  [2, (value) => value[0]?.toUpperCase() + value.slice(1), 'suspect.case'],
  [1, (value) => value.toUpperCase(), 'suspect.case'],
  [8, () => 'rÃ©gion parisienne', 'suspect.encoding'],
  [0, () => '3-Mar', 'suspect.date'],
  [0, () => '2.31E+13', 'suspect.scientific'],
];

describe('what spreadsheets do to data', () => {
  it('at least 150 damaged cells in a sheet of 1 000 rows: at least 95 % reported at their line and column, with the right code', () => {
    const random = new Random(11);
    const rows = Array.from({ length: 1000 }, (_, i) => cleanRow(i, random));
    const expected: string[] = [];
    for (let round = 0; round < 8; round++) {
      DAMAGE.forEach(([column, damage, code], kind) => {
        const at = 7 + round * 120 + kind * 4;
        const row = rows[at] as string[];
        const was = row[column] as string;
        row[column] = damage(was);
        if (row[column] !== was) expected.push(`${at + 2} ${HEADERS[column]} ${code}`);
      });
    }
    expect(expected.length).toBeGreaterThanOrEqual(150);
    const warnings = warningsOf(HEADERS, rows);
    const found = new Set(warnings.map(({ line, column, code }) => `${line} ${column} ${code}`));
    const missed = expected.filter((each) => !found.has(each));
    expect(missed.length / expected.length, missed.join('\n')).toBeLessThanOrEqual(0.05);
    const planted = new Set(expected);
    expect(
      [...found].filter((each) => !planted.has(each)),
      'false warnings',
    ).toEqual([]);
    for (const warning of warnings)
      expect(warning).toMatchObject({ severity: 'warning', columnLetter: expect.any(String) });
  });

  it('damage far behind the rows that taught is found as well', () => {
    const random = new Random(12);
    const rows = Array.from({ length: 6000 }, (_, i) => cleanRow(i, random));
    DAMAGE.forEach(([column, damage], kind) => {
      const row = rows[4000 + kind * 50] as string[];
      row[column] = damage(row[column] as string);
    });
    const found = new Set(warningsOf(HEADERS, rows).map(({ line }) => line));
    const missed = DAMAGE.filter((_, kind) => !found.has(4002 + kind * 50)).map(
      ([column, , code]) => `${column} ${code}`,
    );
    expect(missed).toEqual([]);
  });

  it('a clean sheet has no warning, whatever the size of the batches', () => {
    const random = new Random(13);
    const rows = Array.from({ length: 2500 }, (_, i) => cleanRow(i, random));
    for (const batchRows of [7, 5000]) expect(warningsOf(HEADERS, rows, batchRows)).toEqual([]);
  });

  it('suggests what was probably there', () => {
    const rows = [
      ['S1', '00012', '2024-01-02', 'blood', "the patient's"],
      ['S2', '00345', '2024-01-03', 'blood', 'x'],
      ['S3', '77', '45294', 'Blood', 'the patient’s'],
      ['S4', '01000', '2024-01-05', 'blood', 'rÃ©gion'],
      ['S5', '01001', '2024-01-05', 'blood', 'lâ€™Å“uvre'],
    ];
    const warnings = warningsOf(['Sample Name', 'Characteristics[id]', 'Characteristics[date]', 'C', 'D'], rows);
    expect(warnings.map(({ line, columnLetter, suggestion }) => [line, columnLetter, suggestion])).toEqual([
      [4, 'B', '00077'],
      [4, 'C', '2024-01-03'],
      [4, 'D', 'blood'],
      [4, 'E', "the patient's"],
      [5, 'E', 'région'],
      [6, 'E', 'l’œuvre'],
    ]);
    expect(warnings[0]?.message).toBe(
      '"77" in Characteristics[id] is shorter than the other numbers of its column; a spreadsheet drops leading zeros: 00077?',
    );
  });

  it('numbers, measurements, persian and accented text are left alone', () => {
    const rows = Array.from({ length: 40 }, (_, i) => [
      `S${i}`,
      `1.${i}E+06`,
      String(i * 37),
      'خانه‌ها',
      'Île-de-France, Âge',
      i % 2 ? 'A' : 'a',
      `${i}-${i + 3}`,
    ]);
    expect(warningsOf(['Sample Name', 'cells per ml', 'n', 'fa', 'fr', 'allele', 'range'], rows)).toEqual([]);
  });

  it('stops listing when a sheet is damaged throughout', () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => [`S${i}`, '#REF!']);
    const warnings = warningsOf(['Sample Name', 'x'], rows);
    expect(warnings.length).toBe(20_000);
  });
});

describe.skipIf(withoutFixtures('false warnings on real tables'))('real tables of the field', () => {
  const unquote = (cell: string): string =>
    (/^".*"$/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell).trim();

  it('have under 1 % of their cells, and of their rows, warned about', () => {
    let cells = 0;
    let rowCount = 0;
    const warned: string[] = [];
    const warnedRows = new Set<string>();
    for (const file of fixturesIn('isa')) {
      const [header = [], ...rows] = fixture(`isa/${file}`)
        .toString('latin1')
        .split(/\r\n|\n|\r/)
        .map((line) => line.split('\t').map(unquote))
        .filter((row) => row.some((cell) => cell !== ''));
      const name = header.findIndex((text) => /^sample ?name$/i.test(text));
      const order = [name, ...header.keys()].filter((column, i) => i === 0 || column !== name);
      const reordered = rows.map((row) => order.map((column) => row[column] ?? ''));
      cells += reordered.flat().filter((cell) => cell !== '').length;
      rowCount += rows.length;
      for (const { line, column, code, value } of warningsOf(
        order.map((column) => header[column] ?? ''),
        reordered,
      )) {
        warned.push(`${file} line ${line} ${column} ${code} ${value}`);
        warnedRows.add(`${file} ${line}`);
      }
    }
    expect(cells).toBeGreaterThan(10_000);
    expect(warned.length / cells, warned.slice(0, 40).join('\n')).toBeLessThan(0.01);
    expect(warnedRows.size / rowCount, warned.slice(0, 40).join('\n')).toBeLessThan(0.01);
  });
});
