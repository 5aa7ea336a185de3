/** Sheets whose header can be read, and whose rows would be lost or registered once more: refused before anything is given an accession. */
import { describe, expect, it } from 'vitest';
import { planOf, refusal, table } from '../read-sheet.js';

const header = { releaseDate: Date.UTC(2025, 0, 1), unknownColumns: 'characteristics', isNew: true } as const;
const HEADER = ['Sample Name', 'Release Date', 'organism', 'age'];
const sample = (name: string, at: number): string[] => [name, '2024-05-01', 'Homo sapiens', `${30 + at}`];
const SAMPLES = ['alpha', 'beta', 'gamma', 'tau', 'zeta'].map(sample);

describe('rows above a header that read like samples', () => {
  it('refuse the file: a table was sorted with its header', async () => {
    const sorted = [HEADER, ...SAMPLES].sort((one, other) => `${one[0]}`.localeCompare(`${other[0]}`));
    const found = await refusal(table(...sorted), { header });
    expect([found.code, found.line]).toEqual(['file.header', 4]);
    expect(found.message).toMatch(
      /^Line 4: above this header there are rows that read like samples \(lines 1, 2, 3\) .* Move the header above them/,
    );
  });

  it.each([
    ['one row, below a title', [['Project X'], SAMPLES[0], HEADER, ...SAMPLES.slice(1)], 3, 'line 2'],
    ['other words and numbers', [['s9', '2023-01-31', 'Mus musculus', '7'], HEADER, ...SAMPLES], 2, 'line 1'],
    ['by a comma', [SAMPLES[0], HEADER, SAMPLES[1]], 2, 'line 1', ','],
    [
      'by their accessions alone',
      [
        ['a', 'SAMR7', 'x'],
        ['Sample Name', 'Sample Identifier', 'organism'],
        ['b', 'SAMR8', 'y'],
      ],
      2,
      'line 1',
    ],
  ])('refuse it: %s', async (_, rows, line, lines, delimiter = '\t') => {
    const text = (rows as string[][]).map((cells) => `${cells.join(delimiter as string)}\n`).join('');
    const found = await refusal(text, { header });
    expect([found.code, found.line]).toEqual(['file.header', line]);
    expect(found.message).toContain(lines);
  });

  it.each<[string, string[][]]>([
    ['titles and dates', [['Submission form'], ['Date', '2024-05-01'], ['Species', '', 'Homo sapiens']]],
    ['what the columns are', [['Name of the sample', 'Day of release', 'Species', 'Age in years']]],
    ['numbers of the columns', [['1', '2', '3', '4']]],
    ['an example', [['e.g. S-01', '2024-05-01', 'Homo sapiens', '30']]],
    ['a remark', [['# old', '2024-05-01', 'Homo sapiens', '30']]],
    ['groups of columns', [['Sample', '', 'Donor', 'Donor']]],
    ['a row without a name', [['', '2024-05-01', 'Homo sapiens', '30']]],
    ['another section', [['[Header]'], ['x', '2024-05-01', 'Homo sapiens', '30'], ['[Data]']]],
  ])('are none of %s', (_, rows) => {
    expect(planOf(table(...rows, HEADER, ...SAMPLES), header).layout.characteristics).toHaveLength(2);
  });

  it('are passed over where they were before', () => {
    const { isNew: _, ...again } = header;
    expect(planOf(table(SAMPLES[0] as string[], HEADER, ...SAMPLES.slice(1)), again).headerLine).toBe(2);
  });
});

const RECEIPT = '\n********RECEIPT START********\nCreated\t2\t1\n********RECEIPT END********\n';

describe('accessions of this registry under another header', () => {
  it.each([
    'Accession',
    'sample accession',
    'sampleAccession',
    'BioSample accession',
    'BioSample',
    'ID',
    'sample_id',
    'Sample Identifer',
    'Registry ID',
    'Accession number',
  ])('refuse the file: %s', async (title) => {
    const rows = [
      ['Sample Name', title, 'organism'],
      ['a', 'SAMR7', 'x'],
      ['b', '', 'y'],
      ['c', 'samr 8', 'y'],
    ];
    const { code, message, column } = await refusal(table(...rows) + RECEIPT, { header });
    expect([code, column]).toEqual(['file.header', title]);
    expect(message).toContain(`"${title}" has accessions of this registry`);
    expect(message).toContain(`call the column Sample Identifier. If the samples are new and these are of others`);
  });

  it.each([
    ['by its header', ['Sample Name', 'organism']],
    ['of another table', ['Sample ID', 'organism']],
  ])('refuse it where they name the samples: %s', async (_, names) => {
    const { message } = await refusal(table(names, ['SAMR7', 'x'], ['SAMR8', 'y']), { header });
    expect(message).toContain('call the column Sample Identifier and name the samples in a column Sample Name');
  });

  it.each<[string, string[], string[][]]>([
    ['those of other archives', ['Sample Name', 'BioSample accession'], [['a', 'SAMN7']]],
    ['those of other samples', ['Sample Name', 'parent accession'], [['a', 'SAMR7']]],
    [
      'a sample that several rows are of',
      ['Sample Name', 'sample accession'],
      [
        ['a', 'SAMR7'],
        ['b', 'SAMR7'],
      ],
    ],
    ['those that are said to be values', ['Sample Name', 'Characteristics[accession]'], [['a', 'SAMR7']]],
    [
      'those beside others',
      ['Sample Name', 'ID'],
      [
        ['a', 'SAMR7'],
        ['b', 'lab-8'],
      ],
    ],
    ['those beside a Sample Identifier', ['Sample Name', 'ID', 'Sample Identifier'], [['a', 'SAMR7', 'SAMR7']]],
    ['an empty column', ['Sample Name', 'Accession'], [['a', ''], ['b']]],
    [
      'some of the names',
      ['Sample Name', 'x'],
      [
        ['SAMR7', '1'],
        ['b', '2'],
      ],
    ],
  ])('are none: %s', (_, names, rows) => {
    expect(planOf(table(names, ...rows), header).header).toEqual(names);
  });

  it('are values where they were before, and where they are keys', async () => {
    const text = table(['Sample Name', 'Accession'], ['a', 'SAMR7']);
    const { isNew: _, ...again } = header;
    expect(planOf(text, again).fromPlainHeaders).toEqual(['Accession']);
    expect(planOf(text, { ...header, key: 'Accession' }).keyColumn).toBe(1);
  });
});

describe('rows whose cells are parted by another sign than those of the header', () => {
  const NAMES = ['Sample Name', 'Organism', 'Age'];
  const ROWS = [
    ['S1', 'Homo sapiens', '5'],
    ['S2', 'Mus musculus', '6'],
  ];
  const parted = (above: string, below: string, rows: string[][] = ROWS): string =>
    [NAMES.join(above), ...rows.map((cells) => cells.join(below))].map((line) => `${line}\n`).join('');
  const SIGNS: Record<string, string> = { '\t': 'tabs', ',': 'commas', ';': 'semicolons', '|': 'vertical bars' };
  const pairs = Object.keys(SIGNS).flatMap((above) =>
    Object.keys(SIGNS).flatMap((below) => (above === below ? [] : [[above, below]])),
  ) as [string, string][];

  it.each(pairs)('refuse the file: %j above %j', async (above, below) => {
    const found = await refusal(parted(above, below), { header });
    expect([found.code, found.line]).toEqual(['file.header', 1]);
    expect(found.message).toContain(`by ${SIGNS[above]}, and those of the rows below it by ${SIGNS[below]}, `);
  });

  it.each([
    ['with decimal commas', parted(',', ';', [['S1', 'Homo sapiens', '5,5']])],
    ['with quotes', parted('\t', ',', [['"S1"', '"Homo sapiens, male"', '"5"']])],
    ['below remarks and blank rows', parted('\t', ',').replace('S1', '\n# of May\n\nS1')],
    ['of two columns and two rows', 'Sample Name\tOrganism\nS1,Homo sapiens\nS2,Homo sapiens\n'],
  ])('refuse it: %s', async (_, text) => {
    expect((await refusal(text, { header })).message).toContain('Part both by the same.');
  });

  it.each([
    ['one row has its cells', `${parted('\t', ',')}S3\tHomo sapiens\t7\n`],
    [
      'names that are lists, of fewer parts',
      parted('\t', ',', [
        ['S1', 'a'],
        ['S2', 'b'],
      ]),
    ],
    [
      'names that are lists, beside values',
      'Sample Name\tOrganism\tAge\nA,B,C\tHomo sapiens\t5\nD,E,F\tHomo sapiens\t6\n',
    ],
    ['one name with a comma in a table of two columns', 'Sample Name\tOrganism\nTube 1, left\n'],
    ['names alone', 'Sample Name\nTube 1, left\nTube 2, left\n'],
    ['no rows that it speaks of', parted('\t', ',').replace('S1', '# S1').replace('S2', 'S2\tx\t\n#')],
  ])('but not where there are %s', (_, text) => {
    expect(planOf(text, header).header[0]).toBe('Sample Name');
  });
});
