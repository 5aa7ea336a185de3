/** Rows that are known again by a key: where it stands, what is asked of the store, and what becomes of rows that point at each other. */
import { describe, expect, it } from 'vitest';
import { batchText } from '../../../src/registry/samples/sample-batch.js';
import { readBatches } from '../../../src/tsv/rows/read.js';
import type { KeyOfRow, SurveyOptions } from '../../../src/tsv/rows/reading.js';
import { surveySheet } from '../../../src/tsv/rows/survey.js';
import { bytesOf, codes, inPieces, PREFIX, planOf, readSheet, samplesOf, table } from '../read-sheet.js';

const D = '2024-05-01';
const HEADER = ['Sample Name', 'Release Date', 'barcode', 'Characteristics[x]', 'Comment[bsd_relationship:of]'];

const REFUSED = { line: 0, code: 'key.differs', message: 'no', severity: 'error' } as const;

/** Keys `k<number>` mean the sample of that number, `bad` none, all others a new one. */
async function read(text: string, more: Partial<SurveyOptions> = {}, key = 'barcode') {
  const bytes = bytesOf(text);
  const plan = planOf(bytes, { key, releaseDate: 0 });
  const asked: KeyOfRow[][] = [];
  const options: SurveyOptions = {
    prefix: PREFIX,
    batchRows: 1000,
    decideKeys: async (rows) => {
      asked.push([...rows]);
      return rows.map(({ key: own, line }) =>
        own === 'bad' ? { issue: { ...REFUSED, line } } : { id: Number(/^k(\d+)$/.exec(own)?.[1] ?? 0), gives: false },
      );
    },
    ...more,
  };
  const survey = await surveySheet(inPieces(bytes), plan, options);
  const reading = { ...options, survey, idOfRow: (ordinal: number) => 100 + ordinal, meantByRow: survey.idOf };
  const batches = [];
  for await (const batch of readBatches(inPieces(bytes), plan, reading)) batches.push(batch);
  const [batch] = batches as [(typeof batches)[number]];
  const keys = Array.from({ length: batch.count }, (_, row) =>
    batchText(batch, row).slice(batch.keys?.[row * 2], batch.keys?.[row * 2 + 1]),
  );
  return { plan, survey, asked, batch, keys, samples: () => samplesOf(batch), rejected: batch.rejected };
}

describe('the column of keys', () => {
  const at = (header: string[], key: string, nameColumn = 'tube') =>
    planOf(
      table(
        header,
        header.map(() => 'v'),
      ),
      { key, nameColumn, releaseDate: 0 },
    ).keyColumn;

  it('is the one of this header; Sample Name is the one that names the samples where no column is called so', () => {
    expect(at(['tube', 'barcode'], 'BARCODE')).toBe(1);
    expect(at(['barcode', 'tube'], 'sample name')).toBe(1);
    expect(at(['tube', 'Sample Name'], 'Sample Name')).toBe(1);
  });

  it.each([
    [['tube', 'box'], 'barcode'],
    [['tube', 'box', 'Box'], 'box'],
    [['tube', 'Sample Name', 'sample name'], 'Sample Name'],
  ])('%j has none, or several, of %s', (header, key) => {
    expect(() => at(header, key)).toThrow(key);
  });
});

describe('the key of a row', () => {
  it('is what its cell holds, without blanks around it, however its row is spelled', async () => {
    const { keys, samples, plan } = await read(
      table(
        HEADER,
        ['a', D, ' k1 ', 'v'],
        ['b', D, 'n 1', ' padded '],
        ['c', D, '"n\t2"', '"two\tcells"'],
        ['d', D, 'n3', '', 'a'],
        ['e', D, 'n4'],
      ),
    );
    expect(plan.keyColumn).toBe(2);
    expect(keys).toEqual(['k1', 'n 1', 'n\t2', 'n3', 'n4']);
    expect(samples().map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(samples().map(({ content }) => content.characteristics.x?.[0]?.text)).toEqual([
      'v',
      'padded',
      'two\tcells',
      undefined,
      undefined,
    ]);
  });

  it('may be the name, which then is asked for once and may not be repeated with an identifier either', async () => {
    const header = ['Sample Name', 'Sample Identifier'];
    const { keys, rejected } = await read(
      table(header, ['k1'], ['a', 'SAMR7'], ['a', 'SAMR8'], ['', 'SAMR9']),
      {},
      'Sample Name',
    );
    expect(keys).toEqual(['k1', 'a']);
    expect(codes(rejected)).toEqual(['4 name.repeated', '5 name.missing']);
  });

  it.each(['NULL', 'n/a', '-', 'NaN', 'restricted access'])(
    'is none where it is %j, also where the name is the key',
    async (none) => {
      const rows = table(HEADER, ['a', D, none], ['b', D, 'k2']);
      expect(codes((await read(rows)).rejected)).toEqual(['2 key.missing']);
      const named = await read(table(['Sample Name'], [none], ['b']), {}, 'Sample Name');
      expect(codes(named.rejected)).toEqual(['2 key.missing']);
      expect(codes((await readSheet(rows, { header: { releaseDate: 0 } })).rejected)).toEqual([]);
    },
  );

  it('of a bad row goes with it, cut and without half characters', async () => {
    const { rejected } = await read(
      table(HEADER, ['', D, ' k1 '], ['b', D, `${'k'.repeat(500)}\ud834x`], ['c', D, '']),
    );
    expect(rejected.map(({ line, name, key }) => [line, name, key])).toEqual([
      [2, '', 'k1'],
      [3, 'b', `${'k'.repeat(500)}\ufffd`],
      [4, 'c', ''],
    ]);
  });

  it('is none where no column of keys is named', async () => {
    const plan = planOf(table(HEADER, ['a', D, 'k1']));
    const batches = [];
    const text = table(HEADER.slice(0, 3), ['a', D, 'k1'], ['', D, 'k2']);
    for await (const batch of readBatches(inPieces(bytesOf(text)), planOf(text), { prefix: PREFIX, batchRows: 9 }))
      batches.push(batch);
    expect(plan).not.toHaveProperty('keyColumn');
    expect(batches[0]).not.toHaveProperty('keys');
    expect(batches[0]?.rejected[0]).not.toHaveProperty('key');
  });
});

describe('a survey of rows with keys', () => {
  const related = table(
    [...HEADER, 'Sample Identifier'],
    ['a', D, 'k7', '', 'b'],
    ['b', D, 'new', '', 'a'],
    ['c', D, 'bad'],
    ['d', D, 'k8', '', 'c'],
    ['e', '', 'k9', '', 'e', 'SAMR9'],
  );

  it('asks for the good ones and hands on which samples they mean', async () => {
    const { asked, samples, rejected, survey, batch } = await read(related);
    expect(asked).toEqual([
      [
        { line: 2, key: 'k7', id: 0, released: true },
        { line: 3, key: 'new', id: 0, released: true },
        { line: 4, key: 'bad', id: 0, released: true },
        { line: 5, key: 'k8', id: 0, released: true },
        { line: 6, key: 'k9', id: 9, released: false },
      ],
    ]);
    expect(
      samples().map(({ name, id, reserved, content }) => [name, id, reserved, content.relationships[0]?.target]),
    ).toEqual([
      ['a', 0, 100, 'SAMR101'],
      ['b', 0, 101, 'SAMR7'],
      ['e', 9, 0, 'SAMR9'],
    ]);
    expect([...(batch.meant ?? [])]).toEqual([7, 0, 0]);
    expect(codes(rejected)).toEqual(['4 key.differs', '5 relationship.target-rejected']);
    expect(survey).toMatchObject({ rows: 5, rejected: 2, open: 0 });
    expect([...survey.badKeys.keys()]).toEqual([2]);
  });

  it('has a release where the upload says one', async () => {
    const { asked } = await read(related, { releaseDate: 0 });
    expect(asked[0]?.map(({ released }) => released)).toEqual([true, true, true, true, true]);
  });

  it('asks nothing of bad rows, and in portions', async () => {
    const rows = Array.from({ length: 5_002 }, (_, at) => [at === 3 ? '' : `s${at}`, '', `k${at + 1}`]);
    const { asked, survey } = await read(table(HEADER.slice(0, 3), ...rows));
    expect(asked.map(({ length }) => length)).toEqual([5_000, 1]);
    expect([survey.idOf(0), survey.idOf(3), survey.idOf(4), survey.idOf(5_001)]).toEqual([1, 0, 5, 5_002]);
    expect(survey.rejected).toBe(1);
  });

  it('leaves a sheet without such a question alone', async () => {
    const { asked, survey } = await read(related, { decideKeys: undefined as never });
    expect([asked, survey.badKeys.size, survey.idOf(0), survey.idOf(4)]).toEqual([[], 0, 0, 9]);
  });
});
