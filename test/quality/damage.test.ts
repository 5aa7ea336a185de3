/** What a spreadsheet did to a value shows by the value itself, in any column of words. */
import { describe, expect, it } from 'vitest';
import { warningsOf } from './sheet.js';

type Case = readonly [value: string, suggestion?: string];

const DAMAGED: Record<string, readonly Case[]> = {
  'suspect.error-value': [
    ...[
      '#REF!',
      '#N/A',
      '#VALUE!',
      '#DIV/0!',
      '#NAME?',
      '#NULL!',
      '#NUM!',
      '#SPILL!',
      '#CALC!',
      '#GETTING_DATA',
      '#ERROR!',
    ],
    ...['###', '########', 'Err:502', 'err:508', '#n/a', 'Loading...', 'loading…'],
  ].map((value) => [value] as const),
  'suspect.date': [
    ...['2-Sep', '02-Sep', '31-Dec', '2.Sep', '2. Sep', '01. Dez', '2 Dec', '1-mars', '1-sept.', '4-févr', '1-août'],
    ...['1-mei', '1-set', '3-gen', 'Mar-01', 'Sep 2', 'déc-12'],
  ].map((value) => [value] as const),
  'suspect.scientific': [['2.31E+13'], ['1,5e+12'], ['1.00E+05'], ['1E+5'], ['-1.2E+100']],
  'suspect.precision': [['123456789012345000'], ['12345678901234500000']],
  'suspect.ditto': [
    ...[
      '"',
      "''",
      '〃',
      '″',
      '”',
      '-"-',
      '— " —',
      'ditto',
      'Dito',
      'do.',
      'dto.',
      'Dto',
      'idem',
      'same as above',
      'As above',
      's. o.',
    ],
    ...['siehe oben'],
  ].map((value) => [value] as const),
  'suspect.unchosen': [
    ...['-- please select --', 'Please choose one', '<select>', '[choose]', 'Select…', 'Select...', '--Select--'],
    ...['Choose an item.', 'select from list', 'bitte wählen', 'Bitte auswählen!', '- bitte einen Wert wählen -'],
    ...['Wählen Sie ein Element aus.', 'Veuillez sélectionner', 'Choisissez un élément.', 'Seleccione una opción'],
  ].map((value) => [value] as const),
  'suspect.formula': [
    ['="00042"', '00042'],
    ['="a ""b"" c"', 'a "b" c'],
    ["'00042", '00042'],
    ["'-5.3", '-5.3'],
    ['=A2&"x"'],
    ['=$B$3'],
    ['=SUM(B2:B3)'],
    ['=VLOOKUP(A2;Lists!A:B;2;0)'],
  ],
  'suspect.encoding': [
    ['rÃ©gion', 'région'],
    ['StraÃŸe', 'Straße'],
    ['Ã–sterreich', 'Österreich'],
    ['Ã„pfel', 'Äpfel'],
    ['TGF-Î²', 'TGF-β'],
    ['mÄ™ska', 'męska'],
    ['â‰¥ 65', '≥ 65'],
    ['lâ€™Å“uvre', 'l’œuvre'],
    ['37 Â°C', '37 °C'],
    ['ä¸\u00adæ–‡', '中文'],
    ['ï»¿liver', 'liver'],
    ['rÃƒÂ©gion', 'région'],
    ['rÃ©gion ≥ 3'],
    ['r\ufffdgion'],
  ],
  'suspect.blanks': [
    ['Homo\u00a0sapiens', 'Homo sapiens'],
    ['li\u200bver', 'liver'],
    ['li\u00adver\u2009right', 'liver right'],
    ['li\u0007ver', 'liver'],
    ['right\u000bliver', 'right liver'],
    ['right\u2028liver\ufeff', 'right liver'],
    ['two\u00a0words\non two\r\nlines', 'two words\non two\r\nlines'],
  ],
  'suspect.quotes': [
    ['the patient’s', "the patient's"],
    ['“wild type” ‘A’', '"wild type" \'A\''],
    ['‹5› 5′ 3″', "'5' 5' 3\""],
  ],
};

const FULL_DATES = ['2024-09-02', '9/2/2024', '02.09.2024', '2-9-2024', '2024-09-02 00:00:00', '9/2/24 0:00'];

const CASES = Object.entries(DAMAGED).flatMap(([code, cases]) =>
  cases.map(([value, suggestion]) => ({ code, value, suggestion })),
);

const HARMLESS = [
  ...['#1', '#tag', '##', 'Error: 502', 'Err:50', '# N/A'],
  ...['Set 1', 'gen 2', 'Gen-2', '2 set', '10 mag', '32-Dec', '45-Mar', '0-Jan', 'rep 2-Sep', '2-Sept B', 'Sep-2024'],
  ...['1E5', '12.5E+10', 'A1E+5', '1.2E-10', '123456789012345', '123456789012345600', '1234567890123450'],
  ...['SÃO PAULO', 'ÂGE', 'Ångström', 'naïve', 'Ø 5 mm', 'BLÅ', 'Übergrößenträger', '5 µm', 'خانه‌ها', '肝　臓'],
  ...[
    '=',
    '=5',
    '=<5',
    "'a'",
    "3'",
    '5"',
    '5" "',
    'same',
    'above',
    'ditto mark',
    '--',
    ',',
    'do',
    '= high',
    'select',
    'choose',
    'Select Agent',
    'select 5',
    'please see notes',
    'other, please select',
    'bitte kühlen',
    '<selected>',
    'selection…',
    '="x" or "y',
  ],
  ...['the patient\'s "A"', 'a\ttab', 'two\nlines'],
];

const said = (rows: readonly string[][]) =>
  warningsOf(['Sample Name', 'note'], rows).map(({ code, value, suggestion }) => ({ code, value, suggestion }));

/** Rows of an undamaged sheet with a text of its own in each. */
const rowsOf = (count: number): string[][] =>
  Array.from({ length: count }, (_, at) => [`S${at}`, `tissue ${at} of the night`]);

describe('a value that a spreadsheet has damaged', () => {
  it.each(CASES)('$value is $code', ({ code, value, suggestion }) => {
    expect(said([...rowsOf(3), ['last', value]])).toEqual([{ code, value, suggestion }]);
  });

  it('marks of direction are named, for nobody sees them', () => {
    const value = ['left', 'right'].join(String.fromCharCode(0x2067));
    expect(said([...rowsOf(3), ['last', value]])).toEqual([
      { code: 'suspect.blanks', value: 'left<U+2067>right', suggestion: 'leftright' },
    ]);
  });

  it('is found as well behind the rows that show what the column is like, but for what costs more there than it is worth', () => {
    const unsought = [
      'err:508',
      'Loading...',
      'loading…',
      'li\u0007ver',
      'right\u000bliver',
      'suspect.ditto',
      'suspect.unchosen',
      'suspect.formula',
    ];
    const rows = CASES.map(({ value }, at) => [`B${at}`, value]);
    const sought = CASES.filter(
      ({ code, value }) => !unsought.includes(value) && (!unsought.includes(code) || /^[″”]$/.test(value)),
    );
    expect(said([...rowsOf(2000), ...rows])).toEqual(sought);
  });

  it.each(FULL_DATES)('%s among words is suspect.date', (value) => {
    expect(said([...rowsOf(9), ['last', value]])).toEqual([{ code: 'suspect.date', value, suggestion: undefined }]);
  });

  it('is found in the name as well, in the first rows and behind them', () => {
    const damaged = [['2-Sep', 'a'], ...rowsOf(2000), ['1-Mar', 'b'], ['S\u00a01', 'c']];
    expect(
      warningsOf(['Sample Name', 'note'], damaged).map(({ line, column, value }) => [line, column, value]),
    ).toEqual([
      [2, 'Sample Name', '2-Sep'],
      [2003, 'Sample Name', '1-Mar'],
      [2004, 'Sample Name', 'S\u00a01'],
    ]);
  });
});

it.each(HARMLESS)('%s is as it was written', (value) => {
  expect(said([...rowsOf(3), ['last', value]])).toEqual([]);
});
