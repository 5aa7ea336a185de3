/** What comes back of an upload: its rows with their accessions, a receipt, the mapping, and the rows to fix. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Submission } from '../../src/submissions/submission.js';
import { Intake, sheetOf, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

const HEADER = ['Sample Name', 'organism', 'Release Date'];
const resultOf = async (submission: Submission): Promise<string[]> =>
  (await textOf(intake.results.result(submission))).split('\n').map((line) => line.replaceAll(submission.id, '{id}'));

interface ErrorsJson {
  head: string[][];
  rejected: { line: number; cells: { column: string; value: string }[]; issues: { code: string }[] }[];
  warned: { line: number; accession?: string; issues: { code: string }[] }[];
  warnings: { line: number; code: string }[];
}
const errorsOf = async (submission: Submission): Promise<ErrorsJson> =>
  JSON.parse(await textOf(intake.results.errorsJson(submission))) as ErrorsJson;

describe('a sheet of good and bad rows', () => {
  const rows = [
    ['a', 'Homo sapiens', '2020-01-01'],
    ['b', 'Mus musculus', 'never'],
    ['c', '', '2031-01-01'],
    ['c', 'x', '2020-01-01'],
    ['e', 'Homo sapiens', '2020-01-01'],
  ];
  let sent: Submission;
  beforeAll(async () => {
    sent = await intake.send(sheetOf(HEADER, ...rows), {}, { account: 'sheets' });
  });

  it('is counted as it came, batch for batch', () => {
    expect(sent).toMatchObject({
      account: 'sheets',
      state: 'COMPLETED_WITH_ERRORS',
      phase: 'DONE',
      lane: 'small',
      fileName: 'plates.tsv',
      counts: { rows: 5, created: 3, updated: 0, unchanged: 0, rejected: 2 },
      columns: {
        fromPlainHeaders: { count: 1, headers: ['organism'] },
        notStored: { count: 0, headers: [] },
        nothingStored: false,
      },
      becomePublic: 0,
      createdPublic: 2,
      bytesRead: sent.fileSize,
      cursor: 6,
      attempts: 1,
      created: intake.clock.now,
    });
    expect(intake.rung).toContain(sent.id);
    expect(intake.announced).toContain(sent.id);
  });

  it('comes back with accessions and a receipt', async () => {
    expect(await resultOf(sent)).toEqual([
      'Sample Name\torganism\tRelease Date\tSample Identifier',
      'a\tHomo sapiens\t2020-01-01\tSAMR1',
      'b\tMus musculus\tnever\t',
      'c\t\t2031-01-01\tSAMR2',
      'c\tx\t2020-01-01\t',
      'e\tHomo sapiens\t2020-01-01\tSAMR3',
      '',
      '********RECEIPT START********',
      'Submission ID\t{id}',
      'File\tplates.tsv',
      'Status\tCOMPLETED_WITH_ERRORS',
      'Created\t3',
      'Updated\t0',
      'Unchanged\t0',
      'Rejected\t2',
      'Created public\t2',
      'Columns read as\tSample Name\tRelease Date',
      'Columns kept as characteristics because of a plain header\torganism',
      'Line\tColumn\tCode\tValue\tMessage\tSuggestion',
      expect.stringMatching(/^line 3\tRelease Date\trelease\.invalid\tnever\t.*calendar/),
      expect.stringMatching(/^line 5\tSample Name\tname\.repeated\tc\tThe row on line 4 has this Sample Name already/),
      '********RECEIPT END********',
      '',
    ]);
  });

  it('is mapped name to accession, the good rows alone', async () => {
    expect(JSON.parse(await textOf(intake.results.mapping(sent)))).toEqual({
      submissionId: sent.id,
      submissionStatus: 'COMPLETED_WITH_ERRORS',
      submissionDate: '2030-01-01T12:00:00.000Z',
      submitterDetails: 'sheets',
      fileName: 'plates.tsv',
      counts: sent.counts,
      sampleNameAccessionPairs: [
        { sampleName: 'a', sampleAccession: 'SAMR1' },
        { sampleName: 'c', sampleAccession: 'SAMR2' },
        { sampleName: 'e', sampleAccession: 'SAMR3' },
      ],
    });
  });

  it('gives the bad rows back to be fixed, and they alone are registered when they are sent again', async () => {
    const errors = await textOf(intake.results.errors(sent));
    expect(errors.split('\n').map((line) => line.split('\t').slice(0, 4))).toEqual([
      [...HEADER, 'Error Line'],
      ['b', 'Mus musculus', 'never', '3'],
      ['c', 'x', '2020-01-01', '5'],
      [''],
    ]);
    const fixed = await intake.send(
      errors.replace('never', '2020-01-02').replace('\nc\t', '\nd\t'),
      {},
      { account: 'sheets' },
    );
    expect(fixed.counts).toEqual({ rows: 2, created: 2, updated: 0, unchanged: 0, rejected: 0 });
  });

  it('says the same as JSON, cell by cell', async () => {
    const errors = await errorsOf(sent);
    expect(errors).toMatchObject({
      submissionId: sent.id,
      counts: sent.counts,
      head: [HEADER],
      warned: [],
      warnings: [],
    });
    const cells = ['b', 'Mus musculus', 'never'].map((value, at) => ({ column: HEADER[at], value }));
    expect(
      errors.rejected.map(({ line, cells: said, issues }) => [line, said, issues.map(({ code }) => code)]),
    ).toEqual([
      [3, cells, ['release.invalid']],
      [5, expect.anything(), ['name.repeated']],
    ]);
  });

  it('is there as it came', async () => {
    expect(await textOf(intake.results.original(sent))).toBe(sheetOf(HEADER, ...rows));
    expect(await textOf(intake.results.text(sent))).toBe(sheetOf(HEADER, ...rows));
  });
});

describe('a sheet of good rows with warnings', () => {
  const HEADINGS = ['Sample Name', 'Characteristics[plate]', 'Release Date'];
  const plates = Array.from({ length: 12 }, (_, at) => [`plate ${at}`, `00${10 + at}`, '2020-01-01']);
  const odd = [...plates.slice(0, 11), ['plate 11', '42', '2020-01-01']];

  it('says which rows they are, each with its accession where it was registered', async () => {
    const sent = await intake.send(sheetOf(HEADINGS, ...odd), {}, { account: 'warned' });
    expect(sent.counts).toMatchObject({ rows: 12, created: 12 });
    const { warned, warnings, rejected } = await errorsOf(sent);
    const [pair] = (
      JSON.parse(await textOf(intake.results.mapping(sent))) as {
        sampleNameAccessionPairs: { sampleAccession: string }[];
      }
    ).sampleNameAccessionPairs.slice(-1);
    expect(rejected).toEqual([]);
    expect(warned.map(({ line, accession, issues }) => [line, accession, issues.map(({ code }) => code)])).toEqual([
      [13, pair?.sampleAccession, ['suspect.leading-zeros']],
    ]);
    expect(warnings.map(({ line, code }) => [line, code])).toEqual([[13, 'suspect.leading-zeros']]);
    expect((await resultOf(sent)).filter((line) => line.startsWith('line '))).toEqual([
      expect.stringMatching(/^line 13\tCharacteristics\[plate\]\tsuspect\.leading-zeros\t42\t/),
    ]);
  });

  it('without accessions where it was a dry run', async () => {
    const dry = await intake.send(sheetOf(HEADINGS, ...odd), { dryRun: true }, { account: 'warned-dry' });
    expect((await errorsOf(dry)).warned).toEqual([expect.not.objectContaining({ accession: expect.anything() })]);
  });

  it('warns of names that the account has given before, of new rows alone', async () => {
    const first = await intake.send(
      sheetOf(HEADER, ['n1', 'x', '2020-01-01'], ['n2', 'x', '2020-01-01']),
      {},
      { account: 'names' },
    );
    await intake.store.indexNext(500);
    const accession = /SAMR\d+/.exec((await resultOf(first))[1] as string)?.[0] as string;
    const again = await intake.send(
      sheetOf(
        ['Sample Identifier', ...HEADER],
        ['', 'n1', 'y', '2020-01-01'],
        [accession, 'n1', 'x', '2020-01-01'],
        ['', 'n3', 'y', '2020-01-01'],
      ),
      {},
      { account: 'names' },
    );
    const { warnings } = await errorsOf(again);
    expect(warnings).toMatchObject([
      {
        line: 2,
        code: 'name.used-before',
        column: 'Sample Name',
        value: 'n1',
        message: `You have a sample "n1" already: ${accession}. If this row means that one, write ${accession} in its Sample Identifier.`,
      },
    ]);
  });
});

describe('nothing but names and dates', () => {
  it.each([
    [
      ['Sample Name', 'Release Date'],
      ['a', '2020-01-01'],
      {},
      /of this file\. Add columns that describe the samples, such as organism or tissue\.$/,
    ],
    [
      ['Sample Name', 'organism', 'Release Date'],
      ['a', '', '2020-01-01'],
      {},
      /of this file, because its other columns are empty\. Add columns/,
    ],
    [
      ['Sample Name', 'organism', 'Release Date'],
      ['a', 'x', '2020-01-01'],
      { unknownColumns: 'ignore' },
      /of this file\. Not stored: organism\. Have unknown columns kept as characteristics \(unknownColumns=characteristics\), or name the columns that describe the samples Characteristics\[name\]\.$/,
    ],
    [
      ['Sample Name', 'Protocol REF', 'Release Date'],
      ['a', 'x', '2020-01-01'],
      {},
      /Not stored: Protocol REF\. Name the columns that describe the samples Characteristics\[name\]\.$/,
    ],
  ] as const)('is warned of once, at the header: %j', async (header, row, options, message) => {
    const rows = Array.from({ length: 5 }, (_, at) => row.map((cell) => (cell === 'a' ? `a ${at}` : cell)));
    const sent = await intake.send(sheetOf(header, ...rows), options, { account: `nothing ${message}` });
    expect(sent.counts.created).toBe(5);
    const { warnings } = await errorsOf(sent);
    expect(warnings).toMatchObject([
      { line: 1, code: 'sheet.nothing-stored', message: expect.stringMatching(message) },
    ]);
  });

  it('is not said of a sheet whose last row has more', async () => {
    const rows = Array.from({ length: 7 }, (_, at) => [`b ${at}`, at === 6 ? 'x' : '', '2020-01-01']);
    expect((await errorsOf(await intake.send(sheetOf(HEADER, ...rows)))).warnings).toEqual([]);
  });
});

describe('rows that refer to others', () => {
  const RELATED = [...HEADER, 'Comment[bsd_relationship:derived from]'];
  it('that were refused name those that were registered by their accession', async () => {
    const sent = await intake.send(
      sheetOf(
        RELATED,
        ['parent', 'x', '2020-01-01', ''],
        ['child', 'x', 'never', 'parent'],
        ['orphan', 'x', 'never', 'nobody'],
        ['grandchild', 'x', 'never', 'child'],
      ),
      {},
      { account: 'related' },
    );
    const [pair] = (
      JSON.parse(await textOf(intake.results.mapping(sent))) as {
        sampleNameAccessionPairs: { sampleAccession: string }[];
      }
    ).sampleNameAccessionPairs;
    const errors = (await textOf(intake.results.errors(sent))).split('\n').slice(1, 4);
    expect(errors.map((line) => line.split('\t').slice(0, 5))).toEqual([
      ['child', 'x', 'never', pair?.sampleAccession, '3'],
      ['orphan', 'x', 'never', 'nobody', '4'],
      ['grandchild', 'x', 'never', 'child', '5'],
    ]);
  });
});

describe('a submission that has not ended', () => {
  it('says how far it has come, and gives its changes when it has', async () => {
    const { submission } = await intake.accept(sheetOf(HEADER, ['w', 'x', '2020-01-01']), {}, { account: 'waits' });
    expect(submission).toMatchObject({ state: 'ACTIVE', phase: 'QUEUED' });
    expect(await resultOf(submission)).toContain('Processing\tup to line 0 so far; ask again later for the rest');
    await expect(textOf(intake.results.changes(submission, submission))).rejects.toMatchObject({
      code: 'conflict',
      message: `Submission ${submission.id} still runs; ask again for its changes when it has ended.`,
    });
    expect((await intake.ended(submission.id)).state).toBe('COMPLETED');
  });
});
