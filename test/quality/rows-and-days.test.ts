/** Rows that are equal or no samples, and days that cannot be right: what is said of them. */
import { expect, it } from 'vitest';
import type { Issue } from '../../src/registry/samples/sample-batch.js';
import { processorMsOf } from '../support/processor-time.js';
import { inWords, saidOf } from './sensed.js';

/** A sheet, header first, and what is said of its lines, with what is proposed. */
const SHEETS: readonly (readonly [sheet: readonly string[], said: readonly string[]])[] = [
  [
    ['barcode|sex', 'A91|f', 'B17|m', 'C44|f', 'D02|f', 'D02|f', 'E66|m'],
    ['6: "S5" in Sample Name has the values of line 5 in every other column; was that row copied and not filled in?'],
  ],
  [['weight|sex', '1.2|f', '1.3|m', '1.4|f', '1.2|f'], []],
  [
    ['weight|sex', '1.2|f', '1.3|m', '1.4|f', '1.5|f', '1.2|f'],
    ['6: "S5" in Sample Name has the values of line 2 in every other column; was that row copied and not filled in?'],
  ],
  [['weight|sex', '1.2|f', '1.3|m', '1.4|f', '1.5|f', '1.6|f', '1.2|f', '1.3|m'], []],
  [
    [
      'weight|kind',
      '0.5|blank b',
      '1.5|blank b',
      '2.5|blank b',
      '3.5|blank b',
      '4.5|blank b',
      '5.5|blank b',
      '6.5|blank b',
      '7.5|blank b',
      '8.5|blank b',
      '3.5|blank b',
    ],
    [],
  ],
  [
    [
      'weight|kind',
      '0.5|the blank',
      '1.5|the blank',
      '2.5|the blank',
      '3.5|the blank',
      '4.5|the blank',
      '5.5|the blank',
      '6.5|the blank',
      '7.5|the blank',
      '8.5|the blank',
      '3.5|the blank',
    ],
    [],
  ],
  [
    [
      'weight|length',
      '0.5|0',
      '0.5|1',
      '1.5|2',
      '1.5|3',
      '2.5|4',
      '2.5|0',
      '3.5|1',
      '3.5|2',
      '4.5|3',
      '4.5|4',
      '1.5|2',
    ],
    [],
  ],
  [['sex|weight', 'f|0.5', 'f|1.5', 'f|2.5', 'f|3.5', 'f|4.5', 'f|5.5', 'f|6.5', 'f|7.5', 'f|', 'f|', 'f|3.5'], []],
  [
    ['sex|weight', 'f|0.5', 'f|1.5', 'f|2.5', 'f|3.5', 'f|4.5', 'f|5.5', 'f|6.5', 'f|7.5', 'f|0.5', 'f|1.5'],
    ['10: "S9" in Sample Name has the values of line 2 in every other column; was that row copied and not filled in?'],
  ],
  [['sex|weight', 'f|0.5', 'f|1.5', 'f|2.5', 'f|3.5', 'f|4.5', 'f|5.5', 'f|6.5', 'f|0.5', 'f|1.5', 'f|2.5'], []],
  [
    [
      'Sample Name|weight',
      'A1|1.2',
      'A2|1.4',
      'Note: thawed|',
      'Total|2.6',
      'organism|Homo sapiens',
      '  Note : a|',
      'n = 2|2',
      'Mean|1.3 g',
    ],
    [
      '4: "Note: thawed" in Sample Name reads like a note beside the table: begin its line with `#` if it is no sample.',
      '5: "Total" in Sample Name reads like a sum of the table: delete the row if it is no sample.',
      '6: "organism" in Sample Name is what columns are called: delete the row if it is no sample; if the samples of this table stand side by side, turn it so that each has a row.',
      '7: "Note : a" in Sample Name reads like a note beside the table: begin its line with `#` if it is no sample.',
      '8: "n = 2" in Sample Name reads like a sum of the table: delete the row if it is no sample.',
    ],
  ],
  [
    ['Sample Name|weight', '# as the LIMS has it', 'SAMPLE NAME|of the tube', 'A1|1.2'],
    ['3: "SAMPLE NAME" in Sample Name is the header over again; delete the row if it is no sample.'],
  ],
  ...[
    ['Well|OD|Plate', 'A1|0.5|1'],
    ['Well|OD|', 'A1|0.5|'],
    ['Plate layout||', 'A|S1|S2'],
    ['Code|Meaning|Remark', 'm|mouse|'],
  ].map(([first, ...below]): [string[], string[]] => [
    ['Sample Name|organism|age', 'S1|mouse|3', 'S2||4', 'S3|rat|5', '', first as string, ...below],
    [
      `6: "${first?.split('|')[0]}" in Sample Name stands apart from the rows above and reads like the header of another table: if it is one, upload that as a file of its own, for the rows below would be samples.`,
    ],
  ]),
  ...[
    ['Primer|Sequence|Tm', 'p1|ACGT|60'],
    ['Freezer|Rack|Box', 'F1|R1|B1'],
  ].map(([first, ...below]): [string[], string[]] => [
    [
      'Sample Name|organism|tissue',
      'S1|mouse|liver',
      'S2|mouse|spleen',
      'S3|mouse|lung',
      '',
      first as string,
      ...below,
    ],
    [
      `6: "${first?.split('|')[0]}" in Sample Name stands apart from the rows above and reads like the header of another table: if it is one, upload that as a file of its own, for the rows below would be samples.`,
    ],
  ]),
  ...[['Pool|mouse|tongue'], ['Rex|rat|liver']].map((rows): [string[], string[]] => [
    ['Sample Name|organism|tissue', 'S1|mouse|liver', 'S2|mouse|spleen', 'S3|mouse|lung', '', ...rows],
    [],
  ]),
  ...[
    ['Group A', 'Group B'],
    ['Control', 'Treated'],
    ['Plate 1', 'Plate 2'],
    ['Batch 2024-03 (n=2)', 'Batch 2024-04 (n=2)'],
  ].map(([one, other]): [string[], string[]] => [
    ['Sample Name|organism|age', `${one}||`, 'S1|dog|3', 'S2|dog|4', '', `${other}||`, 'S3|dog|4', 'S4||5'],
    [
      `2: "${one}" in Sample Name has nothing but a name, of another kind than those of the samples below it: if it is their heading, write what it says into a column of its own, and delete the row.`,
      `6: "${other}" in Sample Name has nothing but a name, of another kind than those of the samples below it: if it is their heading, write what it says into a column of its own, and delete the row.`,
    ],
  ]),
  // Samples of which nothing is known: one alone, those called like the others, controls, and where most are so.
  [['Sample Name|organism', 'Rex 2024|', 'S1|dog', 'S2|dog', 'S3|dog'], []],
  [['Sample Name|organism', 'S1|', 'S2|dog', 'S3|dog', 'S4|', 'S5|dog', 'S6|dog'], []],
  [['Sample Name|organism', 'NTC|', 'S2|dog', 'S3|dog', 'Water|', 'S5|dog', 'S6|dog'], []],
  [['Sample Name|organism', 'Rex|', 'S2|dog', 'Old Rex|', 'S5|dog', 'Rex-b|', 'S6|dog'], []],
  [['Sample Name|organism', 'Rex|', 'S2|dog', 'S3|dog', 'Old Rex|', 'S5|dog', 'S6|dog', 'Bella|dog'], []],
  ...[
    ['S4|mouse|6'],
    ['S4|mouse|'],
    ['S4||'],
    ['Negative control|water|'],
    ['NTC||'],
    ['Reference|mouse|7'],
    ['Reference||7'],
    ['Reference (2 of 3)||'],
  ].map((rows): [string[], string[]] => [
    ['Sample Name|organism|age', 'S1|mouse|3', 'S2||4', 'S3|rat|5', '', ...rows],
    [],
  ]),
  // Names that are words, columns that not each sample fills, and too few samples to compare with.
  [['Sample Name|organism|age', 'Rex|dog|3', 'S2|dog|4', 'S3|dog|5', '', 'Bella|dog|'], []],
  [['Sample Name|organism|age', 'S1|dog|', 'S2|dog|4', 'S3||5', '', 'Well|OD|'], []],
  [['Sample Name|organism|age', 'S1|dog|3', '', 'Well|OD|'], []],
  // What stands apart teaches nothing of the samples.
  [
    ['Sample Name|organism|age', 'S1|dog|3', 'S2|dog|4', '', 'S3||', '', 'Well|OD|'],
    [
      '7: "Well" in Sample Name stands apart from the rows above and reads like the header of another table: if it is one, upload that as a file of its own, for the rows below would be samples.',
    ],
  ],
  [
    // The parts below the samples of a template of GEO, and the second and third headers of TCGA.
    [
      'Sample Name|weight',
      'A1|1.2',
      'PROTOCOLS|',
      'growth protocol|On plates.',
      'Protocols of 2019|',
      'RAW FILES|',
      'CDE_ID:|12',
    ],
    [
      '3: "PROTOCOLS" in Sample Name reads like a note beside the table: begin its line with `#` if it is no sample.',
      '4: "growth protocol" in Sample Name is what columns are called: delete the row if it is no sample; if the samples of this table stand side by side, turn it so that each has a row.',
      '6: "RAW FILES" in Sample Name reads like a note beside the table: begin its line with `#` if it is no sample.',
      '7: "CDE_ID:" in Sample Name is what columns are called: delete the row if it is no sample; if the samples of this table stand side by side, turn it so that each has a row.',
    ],
  ],
  [
    ['Sample Name|weight', 'Note: thawed|', 'A1|1.2'],
    [
      '2: "Note: thawed" in Sample Name reads like a note beside the table: begin its line with `#` if it is no sample.',
    ],
  ],
  // What a form or an instrument has below its table; with a value beside it, or as part of a name, it is a name.
  [['Sample Name|weight', 'A1|1.2', 'date:palm 2|7', 'Operator: JS|2', 'Dates: of 2 palms|', 'plot:894|'], []],
  ...['Checked by: M. Müller', 'Date: 2024-03-12', 'GERÄT : NanoDrop 2000', 'Signed:AB', 'Serial no.: 12'].map(
    (note): (typeof SHEETS)[number] => [
      ['Sample Name|weight', 'A1|1.2', `${note}|`],
      [`3: "${note}" in Sample Name reads like a note beside the table: begin its line with \`#\` if it is no sample.`],
    ],
  ),
  [
    ['Sample Name|weight', 'Total|', 'A1|1.2'],
    ['2: "Total" in Sample Name reads like a sum of the table: delete the row if it is no sample.'],
  ],
  [['collectionDate', '2025-12-31'], ['2: "2025-12-31" in collectionDate is still to come; is the year right?']],
  [['Sampling_year', '2031'], ['2: "2031" in Sampling_year is still to come; is the year right?']],
  [['collected on', '2031-01-01'], ['2: "2031-01-01" in collected on is still to come; is the year right?']],
  [['collection date format', '2031-01-01'], []],
  [['birth latitude|birth longitude', '95|20'], []],
  [['site latitude|lab longitude', '95|20'], []],
  [
    ['start latitude|end longitude|start longitude', '95|10|20'],
    [
      '2: "95" in start latitude seems to be swapped with the longitude, as no latitude is beyond 90 degrees; 20? -> 20',
      '2: "20" in start longitude seems to be swapped with the latitude, as no latitude is beyond 90 degrees; 95? -> 95',
    ],
  ],
  [
    ['decimalLatitude|decimalLongitude', '95|20'],
    [
      '2: "95" in decimalLatitude seems to be swapped with the longitude, as no latitude is beyond 90 degrees; 20? -> 20',
      '2: "20" in decimalLongitude seems to be swapped with the latitude, as no latitude is beyond 90 degrees; 95? -> 95',
    ],
  ],
];

it.each(SHEETS)('%j', async (sheet, said) => {
  expect(inWords(await saidOf(sheet))).toEqual(said);
});

it('rows by the thousand that have nothing but a name are looked through once', async () => {
  const long = 'ab-1-'.repeat(18);
  const pairs = Array.from({ length: 2_500 }, (_, at) => [`G-${long}${at}|`, `S${at}|dog`]);
  let said: Issue[] | undefined;
  const taken = await processorMsOf(async () => {
    said = await saidOf(['Sample Name|organism', ...pairs.flat()], 5_000);
  });
  expect(said).toEqual([]);
  expect(taken, 'ms of the processor').toBeLessThan(6_000);
});
