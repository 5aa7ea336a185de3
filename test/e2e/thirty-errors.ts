/** A good sheet of 200 rows, and some thirty kinds of errors that people make in one. */
import { Random } from '../support/random.js';
import type { Table } from './sheets.js';

export const HEADERS = [
  'Sample Name',
  'Sample Identifier',
  'Release Date',
  'Characteristics[organism]',
  'Characteristics[host sex]',
  'Characteristics[host age]',
  'Unit',
  'Characteristics[collection date]',
  'Characteristics[geographic location (country and/or sea)]',
  'Characteristics[geographic location (latitude)]',
  'Characteristics[geographic location (longitude)]',
  'Characteristics[host body site]',
  'Characteristics[smoker]',
  'Characteristics[host body-mass index]',
  'Unit',
  'Characteristics[checklist]',
  'Comment[bsd_relationship:derived from]',
];

export interface Error {
  /** Column that must be named, by header; a second `Unit` is `Unit`, too. */
  column: number;
  /** What is put in the place of the good value. */
  wrong: (good: string, row: number, rows: Table) => string;
  code: string;
  /** What the errors file must suggest; absent where only the submitter can know. */
  suggests?: (good: string) => string;
}

const same = (good: string): string => good;

export const ERRORS_IN_SHEET: Error[] = [
  { column: 0, wrong: () => '', code: 'name.missing' },
  { column: 0, wrong: (_, row, rows) => (rows[row - 1] as string[])[0] as string, code: 'name.repeated' },
  { column: 1, wrong: (_, row) => `SAMR99999${row}`, code: 'identifier.unknown' },
  { column: 1, wrong: (_, row) => `SAMEA12345${row}`, code: 'identifier.unknown' },
  { column: 2, wrong: () => '', code: 'release.missing' },
  { column: 2, wrong: () => '31/01/2024', code: 'release.invalid', suggests: () => '2024-01-31' },
  { column: 2, wrong: () => '31.01.2024', code: 'release.invalid', suggests: () => '2024-01-31' },
  { column: 2, wrong: () => '31 Jan 2024', code: 'release.invalid', suggests: () => '2024-01-31' },
  { column: 2, wrong: () => '2024-13-31', code: 'release.invalid' },
  { column: 2, wrong: () => 'soon', code: 'release.invalid' },
  { column: 3, wrong: () => '', code: 'checklist.missing' },
  { column: 4, wrong: () => 'femal', code: 'checklist.value', suggests: () => 'female' },
  { column: 4, wrong: () => 'FEMALE', code: 'checklist.value', suggests: () => 'female' },
  { column: 4, wrong: () => 'f', code: 'checklist.value', suggests: () => 'female' },
  { column: 4, wrong: () => 'N/A', code: 'checklist.value', suggests: () => 'not applicable' },
  { column: 4, wrong: () => 'not_provided', code: 'checklist.value', suggests: () => 'not provided' },
  { column: 5, wrong: (good) => `${good} years`, code: 'checklist.form', suggests: same },
  { column: 5, wrong: () => '37,5', code: 'checklist.form', suggests: () => '37.5' },
  { column: 5, wrong: () => 'thirty', code: 'checklist.form' },
  { column: 6, wrong: () => 'year', code: 'checklist.unit', suggests: () => 'years' },
  { column: 6, wrong: () => '', code: 'checklist.unit' },
  { column: 7, wrong: () => '21/11/2024', code: 'checklist.form', suggests: () => '2024-11-21' },
  { column: 7, wrong: () => 'Nov 21, 2024', code: 'checklist.form', suggests: () => '2024-11-21' },
  { column: 7, wrong: () => '3/4/2024', code: 'checklist.form' },
  { column: 8, wrong: () => 'Germny', code: 'checklist.value', suggests: () => 'Germany' },
  { column: 8, wrong: () => 'germany', code: 'checklist.value', suggests: () => 'Germany' },
  { column: 8, wrong: () => '', code: 'checklist.missing' },
  { column: 9, wrong: () => '52,5163', code: 'checklist.form', suggests: () => '52.5163' },
  { column: 9, wrong: () => '99.5', code: 'checklist.form' },
  { column: 10, wrong: () => '13.3777°', code: 'checklist.form', suggests: () => '13.3777' },
  { column: 11, wrong: () => '', code: 'checklist.missing' },
  { column: 12, wrong: () => 'Non Smoker', code: 'checklist.value', suggests: () => 'non-smoker' },
  { column: 14, wrong: () => 'kg/m^2', code: 'checklist.unit', suggests: () => 'kg/m2' },
  { column: 15, wrong: () => 'human-asociated', code: 'checklist.unknown', suggests: () => 'human-associated' },
  { column: 16, wrong: () => 'nobody', code: 'relationship.unknown' },
];

/** Somewhere in each of the countries. */
const PLACES = { Germany: [50, 10], France: [46, 2], Kenya: [0, 37] } as const;

/** Rows without the header. The last column refers to an earlier row, which stays good. */
export function goodRows(count: number): Table {
  const random = new Random(30);
  const places = Object.keys(PLACES) as (keyof typeof PLACES)[];
  return Array.from({ length: count }, (_, n) => {
    const place = random.pick(places);
    const [latitude, longitude] = PLACES[place];
    return [
      `sample ${n}`,
      '',
      '2024-01-31',
      'human gut metagenome',
      random.pick(['female', 'male', 'not provided']),
      String(20 + random.below(50)),
      'years',
      `2023-0${1 + random.below(9)}-1${random.below(10)}`,
      place,
      (latitude + random.next()).toFixed(4),
      (longitude + random.next()).toFixed(4),
      'gut',
      random.pick(['smoker', 'non-smoker', 'ex-smoker']),
      (18 + random.next() * 12).toFixed(1),
      'kg/m2',
      random.pick(['human-associated', '']),
      n < 3 ? '' : `sample ${n % 3}`,
    ];
  });
}

export interface Seeded extends Error {
  /** Line of the file. */
  line: number;
  good: string;
}

/** Puts each kind of error into `times` rows, one error a row. The first three rows stay good. */
export function seed(rows: Table, times: number): Seeded[] {
  const seeded: Seeded[] = [];
  let row = 4;
  for (let time = 0; time < times; time++) {
    for (const error of ERRORS_IN_SHEET) {
      const cells = rows[row] as string[];
      const good = cells[error.column] as string;
      cells[error.column] = error.wrong(good, row, rows);
      seeded.push({ ...error, line: row + 2, good });
      row += 2;
    }
  }
  return seeded;
}
