/** Rows that update samples and may not mean what they do to them: values written otherwise, values without a column. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeContent } from '../../src/registry/samples/content-json.js';
import { emptyLayout, type SampleLayout } from '../../src/registry/samples/packed-sample.js';
import { emptyContent, type SampleContent } from '../../src/registry/samples/sample.js';
import type { LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
import { warnOfChangedValues } from '../../src/submissions/results/changed-values.js';
import { howToKeep, lostValues } from '../../src/submissions/results/lost-values.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import { batchOf, type Row } from '../many-machines/store-samples.js';
import { Intake, sheetOf, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

const HEADER = ['Sample Name', 'Release Date', 'code', 'age', 'Unit', 'tissue', 'Comment[external DB REF]'];
const ROWS = [
  ['a', '2020-01-01', '007', '34', 'year', 'liver', 'https://a.org/1'],
  ['b', '2020-01-01', '012', '35', 'year', 'liver', ''],
];

/** The result's rows without the receipt, and the header. */
const registered = async (account: string): Promise<string[][]> => {
  const submission = await intake.send(sheetOf(HEADER, ...ROWS), {}, { account });
  const lines = (await textOf(intake.results.result(submission))).split('\n').slice(0, 3);
  return lines.map((line) => line.split('\t'));
};
const lostTexts = (...of: Parameters<typeof lostValues>): string[] => lostValues(...of).map(({ text }) => text);
const warned = ({ issues }: Submission) => issues.map(({ code, count, message }) => ({ code, count, message }));
const sendBack = async (account: string, sheet: string[][], options: Partial<UploadOptions> = {}) =>
  await intake.send(sheetOf(...(sheet as [string[], ...string[][]])), options, { account });

it('values that a spreadsheet wrote otherwise are named as they were, in a dry run too, and stored as sent', async () => {
  const [header = [], ...rows] = await registered('respelled');
  const changed = rows.map((row) => row.with(2, String(Number(row[2]))).with(3, `${row[3]}.0`));
  for (const dryRun of [true, false]) {
    const submission = await sendBack('respelled', [header, ...changed], { dryRun });
    expect(submission.counts).toMatchObject({ updated: 2, rejected: 0 });
    expect(warned(submission)).toEqual([
      { code: 'value.respelled', count: 2, message: expect.stringContaining('code "007" as "7", age "34" as "34.0"') },
    ]);
  }
  expect((await sendBack('respelled', [header, ...rows])).issues).toHaveLength(1);
});

it('what has no column in the sheet is named before it is taken away', async () => {
  const [header = [], ...rows] = await registered('narrow');
  const narrow = [header, ...rows].map((row) => [row[0], row[3], row[7]] as string[]);
  const dry = await sendBack('narrow', narrow, { dryRun: true });
  expect(warned(dry)).toEqual([
    {
      code: 'value.no-column',
      count: 2,
      message: expect.stringContaining(
        'takes it away: code "007", tissue "liver", external reference "https://a.org/1" and 1 more.',
      ),
    },
  ]);
  expect((await sendBack('narrow', narrow, { dryRun: true, update: 'merge' })).issues).toEqual([]);
});

it('a unit whose column moved away, or is gone, is named', async () => {
  const [header = [], ...rows] = await registered('moved');
  const moved = [header, ...rows].map(([name, date, code, age, unit, tissue, ...more]) => [
    name,
    date,
    code,
    age,
    tissue,
    unit,
    ...more,
  ]) as string[][];
  expect(warned(await sendBack('moved', moved, { dryRun: true }))).toEqual([
    { code: 'value.no-column', count: 2, message: expect.stringContaining('takes it away: the unit "year" of age.') },
  ]);
});

it('what is cleared, changed or added, and the samples of others, have none', async () => {
  const [header = [], ...rows] = await registered('meant');
  const edited = rows.map((row) => row.with(2, '8').with(4, '').with(5, ''));
  const more = [[...header, 'sex'], ...edited.map((row) => [...row, 'male'])];
  expect((await sendBack('meant', more, { dryRun: true })).issues).toEqual([]);
  const foreign = await sendBack('others', [header, ...rows.map((row) => row.with(2, '7'))]);
  expect(foreign.issues.map(({ code }) => code)).toEqual(['identifier.not-yours']);
});

it('a characteristic under a name of other capitals, blanks or underscores is named, as it is renamed or doubled', async () => {
  const [header = [], ...rows] = await registered('other name');
  const named = [header.with(3, 'Age').with(5, 'TIS sue'), ...rows];
  for (const [update, effect] of [
    ['replace', 'The row renames them'],
    ['merge', 'With update=merge each stays as it is'],
  ] as const)
    expect(warned(await sendBack('other name', named, { dryRun: true, update }))).toEqual([
      {
        code: 'value.other-name',
        count: 2,
        message: expect.stringMatching(new RegExp(`"age" as "Age", "tissue" as "TIS sue". ${effect}`)),
      },
    ]);
  // Once it is done there is nothing to say, and both names side by side are meant.
  await sendBack('other name', named);
  expect((await sendBack('other name', named)).issues).toEqual([]);
  const both = [[...(named[0] as string[]), 'age'], ...rows.map((row) => [...row, '1'])];
  await sendBack('other name', both);
  expect((await sendBack('other name', both)).issues).toEqual([]);
});

it.each([
  ['WITHDRAWN', /is WITHDRAWN and stays so.*send DELETE \/samples\/SAMR\d+\/withdrawal/],
  ['MISSING', /is WITHDRAWN and stays so.*send DELETE/],
  ['SUPPRESSED', /is SUPPRESSED and stays so.*only administrators change that/],
] as const)('a row that updates a sample that is %s says so, and how it is shown again', async (adminStatus, says) => {
  const account = `held ${adminStatus}`;
  const [header = [], ...rows] = await registered(account);
  const accession = rows[1]?.at(-1) as string;
  await intake.store.updateSample(Number(accession.slice(4)), ({ sample: { name, release, content } }) => ({
    kind: 'update',
    draft: { name, release, content },
    provenance: { author: account, via: 'JSON_API' },
    adminStatus,
  }));
  const older = rows.map((row) => row.with(3, `${Number(row[3]) + 1}`));
  for (const dryRun of [true, false]) {
    const { issues } = await sendBack(account, [header, ...older], { dryRun });
    expect(issues).toMatchObject([
      { code: 'sample.not-shown', count: 1, lines: [3], message: expect.stringMatching(says) },
    ]);
    expect(issues[0]?.message).toContain(accession);
  }
});

it('rows that are known by their keys are looked at, too, in the plan of a standing sheet and in what carries it out', async () => {
  const keyed = { key: 'Sample Name', standing: 'nightly' };
  /** Plan and commit. */
  const night = async (rows: readonly (readonly string[])[]): Promise<Submission[]> => {
    const plan = await intake.send(sheetOf(...rows), keyed, { account: 'keyed' });
    return [plan, await intake.commit(plan)];
  };
  for (const submission of await night([HEADER, ...ROWS])) expect(warned(submission)).toEqual([]);
  const without = [HEADER, ...ROWS].map((row) => row.toSpliced(5, 1));
  for (const submission of await night(without))
    expect(warned(submission)).toEqual([
      { code: 'value.no-column', count: 2, message: expect.stringContaining('takes it away: tissue "liver".') },
    ]);
  const commas = [HEADER, ...ROWS.map((row) => row.with(3, `${row[3]},0`))];
  for (const submission of await night(commas))
    expect(warned(submission)).toEqual([
      { code: 'value.respelled', count: 2, message: expect.stringContaining('age "34" as "34,0"') },
    ]);
  for (const submission of await night(commas)) expect(warned(submission)).toEqual([]);
});

describe('rows that update samples', () => {
  interface Kept {
    id: number;
    account?: string;
    adminStatus?: string;
    characteristics?: object;
  }
  const asked: unknown[] = [];
  const warningsOf = async (
    samples: Kept[],
    batch: LaidOutBatch,
    options: object = {},
    keys: Map<string, number> = new Map(),
  ) => {
    asked.length = 0;
    const store = {
      readSamples: async (ids: number[]) => {
        asked.push(ids);
        return samples
          .filter(({ id }) => ids.includes(id))
          .map(({ characteristics = {}, ...sample }) => ({
            sample: { account: 'ada', ...sample, content: { ...emptyContent(), characteristics } },
          }));
      },
      knownKeys: async (...[, ...of]: unknown[]) => {
        asked.push(of);
        return { samples: keys };
      },
    };
    const submission = { account: 'ada', options: { update: 'replace', ...options } };
    await warnOfChangedValues(store as never, submission as never, batch, 'SAMR');
    return batch.warnings;
  };
  const organism = (...texts: (string | undefined)[]) => ({
    organism: texts.map((text) => ({ text })),
    tissue: [{ text: 'x' }],
  });
  const row = (cell: string, of: Partial<Row> = { id: 7 }): Row => ({ name: 'a', cells: `${cell}\tx`, ...of });
  const before = [{ id: 7, characteristics: organism('007') }];
  const RESPELLED = {
    line: 4,
    name: 'a',
    issues: [
      {
        line: 4,
        code: 'value.respelled',
        severity: 'warning',
        value: '7',
        message:
          'The row writes values of SAMR7 otherwise, as a spreadsheet may have made them: organism "007" as "7". If that is not meant, write them as they were, in columns formatted as text.',
      },
    ],
  };

  it('are looked at where they are those of a sheet, beside what is said of them already', async () => {
    expect(await warningsOf(before, batchOf(4, [row('7'), row('7', {})]))).toEqual([RESPELLED]);
    expect(asked).toEqual([[7]]);
    const said = { line: 2, name: 'b', issues: [] };
    expect(await warningsOf(before, { ...batchOf(4, [row('7')]), warnings: [said] })).toEqual([said, RESPELLED]);
    const { warnings: _, ...bare } = batchOf(4, [row('7')]);
    expect(await warningsOf(before, bare)).toEqual([RESPELLED]);
  });

  it('are not asked about where the file is no sheet, or says again what was there', async () => {
    const options = [{ undoOf: 'u' }, { rereadOf: 'r' }];
    for (const of of options) expect(await warningsOf(before, batchOf(4, [row('7')]), of)).toEqual([]);
    const items = { ...batchOf(4, [row('7')]), places: { form: 'item' as const } };
    expect(await warningsOf(before, items)).toEqual([]);
    expect(await warningsOf(before, batchOf(4, [row('7', {})]))).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('are left alone where all is well, and where the sample is gone, erased or of others', async () => {
    const batch = batchOf(4, [row('7')]);
    const { warnings } = batch;
    for (const samples of [
      [{ id: 7, characteristics: organism('8') }],
      [],
      [{ ...before[0], id: 7, adminStatus: 'ERASED' }],
      [{ ...before[0], id: 7, account: 'bo' }],
    ])
      expect(await warningsOf(samples, batch)).toBe(warnings);
    expect(warnings).toEqual([]);
  });

  it('are those of known keys, too', async () => {
    const keyed = { ...batchOf(4, [row('7', { name: 'a' }), row('7', { name: 'b' })]) };
    const { spans } = keyed;
    keyed.keys = Uint32Array.of(...[0, 1].flatMap((at) => [spans[at * 4] as number, spans[at * 4 + 1] as number]));
    expect(await warningsOf(before, keyed, {}, new Map([['a', 7]]))).toEqual([RESPELLED]);
    expect(asked).toEqual([[['a', 'b'], []], [7]]);
  });

  it('are the first two hundred of a batch', async () => {
    const many = Array.from({ length: 201 }, (_, at) => row('7', { id: at + 1 }));
    await warningsOf([], batchOf(4, many));
    expect(asked).toEqual([Array.from({ length: 200 }, (_, at) => at + 1)]);
  });

  it('are compared value by value, where there are as many of a name', async () => {
    const content = (...texts: (string | undefined)[]) => {
      const batch = batchOf(4, [row('', { id: 7 })]);
      const document = encodeContent({ ...emptyContent(), characteristics: organism(...texts) } as SampleContent);
      batch.documents.set(0, document);
      return batch;
    };
    const said = async (was: (string | undefined)[], now: (string | undefined)[]) =>
      (await warningsOf([{ id: 7, characteristics: organism(...was) }], content(...now)))?.flatMap(({ issues }) =>
        issues.filter(({ code }) => code === 'value.respelled').map(({ message }) => /: (.*?)\. If/.exec(message)?.[1]),
      );
    expect(await said(['1', '007'], ['1', '7'])).toEqual(['organism "007" as "7"']);
    expect(await said(['007', '008', '009'], ['7', '8', '9'])).toEqual([
      'organism "007" as "7", organism "008" as "8", organism "009" as "9"',
    ]);
    expect(await said(['007', '008', '009', '010'], ['7', '8', '9', '10'])).toEqual([
      'organism "007" as "7", organism "008" as "8", organism "009" as "9" and 1 more',
    ]);
    expect(await said(['007'], ['7', '8'])).toEqual([]);
    expect(await said(['007', '8'], ['7'])).toEqual([]);
    expect(await said([undefined], ['7'])).toEqual([]);
    expect(await said(['007'], [undefined])).toEqual([]);
    expect(await warningsOf([{ id: 7 }], content('7'))).toEqual([]);
  });

  it('name the line and the column of what they do', async () => {
    const sample = { id: 7, characteristics: { Organism: [{ text: 'y' }], sex: [{ text: 'male' }] } };
    const [said] = (await warningsOf([sample], batchOf(4, [row('y')]))) ?? [];
    expect(said?.issues).toMatchObject([
      { line: 4, code: 'value.other-name', column: 'organism', value: 'organism' },
      { line: 4, code: 'value.no-column' },
    ]);
  });

  it('say that their sample stays withdrawn, unless a standing sheet takes that back', async () => {
    const of = async (adminStatus: string | undefined, options: object = {}) => {
      const sample = { id: 7, characteristics: organism('7'), ...(adminStatus && { adminStatus }) };
      return (await warningsOf([sample], batchOf(4, [row('7')]), options))?.flatMap(({ issues }) => issues);
    };
    const notShown = [{ line: 4, code: 'sample.not-shown', value: 'SAMR7' }];
    expect(await of(undefined)).toEqual([]);
    expect(await of('MISSING')).toMatchObject(notShown);
    expect(await of('MISSING', { standing: 's' })).toEqual([]);
    expect(await of('WITHDRAWN')).toMatchObject(notShown);
    expect(await of('WITHDRAWN', { standing: 's' })).toMatchObject(notShown);
  });
});

describe('what a row takes away without a column for it', () => {
  const content = (of: object): SampleContent => ({ ...emptyContent(), ...of }) as SampleContent;
  const layout = (of: object): SampleLayout => ({ ...emptyLayout(), ...of }) as SampleLayout;
  const ages = (...entries: object[]) => content({ characteristics: { age: entries } });
  const NONE = content({});
  const whole = content({
    characteristics: { age: [{ text: '37' }, { text: '38' }], sex: [{ text: 'male' }], bare: [{}] },
    relationships: [
      { type: 'derived from', target: 'SAMEA1' },
      { type: 'derived from', target: 'SAMEA2' },
      { type: 'same as', target: 'SAMEA3' },
    ],
    externalReferences: [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }],
    contact: [{ Name: 'Ada', 'E-mail': 'a@b.c' }, { Name: 'Bo' }],
    organization: [{ Name: 'Lab' }],
    publications: [{ doi: '10.1/x' }],
    taxId: 9606,
    domain: 'self.x',
  });

  it('is all that the sample has, the first of each kind, where there are no columns', () => {
    expect(lostTexts(whole, NONE, emptyLayout())).toEqual([
      'age "37"',
      'sex "male"',
      'bare ""',
      'relationship derived from "SAMEA1"',
      'relationship same as "SAMEA3"',
      'external reference "https://a.example/1"',
      'contact Name "Ada"',
      'contact E-mail "a@b.c"',
      'organization Name "Lab"',
      'publication doi "10.1/x"',
      'taxId "9606"',
      'domain "self.x"',
    ]);
    expect(lostTexts(NONE, whole, emptyLayout())).toEqual([]);
  });

  it('is what it has beyond as many columns of a kind as there are, and never what an empty cell clears', () => {
    const one = layout({
      characteristics: [{ name: 'AGE', text: 0 }],
      relationships: [{ type: 'derived from', target: 1 }],
      externalReferences: [2],
      contact: [{ Name: 3 }],
      publications: [{ doi: 4 }],
    });
    const lost = [
      'age "38"',
      'sex "male"',
      'bare ""',
      'relationship derived from "SAMEA2"',
      'relationship same as "SAMEA3"',
      'external reference "https://a.example/2"',
      'contact Name "Bo"',
      'contact E-mail "a@b.c"',
      'organization Name "Lab"',
      'taxId "9606"',
      'domain "self.x"',
    ];
    expect(lostTexts(whole, NONE, one)).toEqual(lost);
    const all = layout({
      characteristics: ['age', 'age', 'sex', 'bare'].map((name, text) => ({ name, text })),
      relationships: ['derived from', 'derived from', 'same as'].map((type, target) => ({ type, target })),
      externalReferences: [1, 2],
      contact: [{ Name: 3, 'E-mail': 4 }, { Name: 5 }],
      organization: [{ Name: 6 }],
      publications: [{ doi: 7 }],
    });
    expect(lostTexts(whole, NONE, all)).toEqual(['taxId "9606"', 'domain "self.x"']);
    // As a row that is a document says it.
    expect(lostTexts(whole, whole, emptyLayout())).toEqual([]);
  });

  it('is kept by a column where a sheet can have one, else by what it is uploaded with alone', () => {
    const without = (more: Partial<SampleContent>) => howToKeep(lostValues({ ...NONE, ...more }, NONE, emptyLayout()));
    const tissue = { characteristics: { tissue: [{ text: 'liver' }] } };
    expect(without(tissue)).toBe('add the columns, or upload with update=merge');
    expect(without({ ...tissue, taxId: 9606 })).toBe(
      'add the columns, or upload with update=merge, as no sheet has a column for taxId',
    );
    expect(without({ taxId: 9606, domain: 'self.x' })).toBe(
      'upload with update=merge, as no sheet has a column for taxId and domain',
    );
  });

  it('is a unit or a term beside a value that stays, of each value of a name', () => {
    const unit = { text: '1', unit: 'm', unitOntologyTerms: ['UO:1'] };
    const term = { text: '1', ontologyTerms: ['T:1'] };
    const columns = (...of: object[]) =>
      layout({ characteristics: of.map((more) => ({ name: 'age', text: 0, ...more })) });
    const stays = { text: '1' };
    expect(lostTexts(ages(unit), ages(stays), columns({}))).toEqual(['the unit "m" of age']);
    expect(lostTexts(ages(unit), ages(stays), columns({ unit: 1 }))).toEqual(['the term of the unit of age']);
    expect(lostTexts(ages(unit), ages(stays), columns({ fixedUnit: 'm' }))).toEqual(['the term of the unit of age']);
    expect(lostTexts(ages(unit), ages(stays), columns({ unit: 1, unitTerms: [{}] }))).toEqual([]);
    expect(lostTexts(ages(unit), ages({ ...stays, unit: 'cm' }), columns({}))).toEqual(['the term of the unit of age']);
    expect(lostTexts(ages(term), ages(stays), columns({}))).toEqual(['the term of age']);
    expect(lostTexts(ages(term), ages(stays), columns({ terms: [{}] }))).toEqual([]);
    expect(lostTexts(ages(term), ages({ ...stays, ontologyTerms: ['T:2'] }), columns({}))).toEqual([]);
    expect(lostTexts(ages(unit), NONE, columns({}))).toEqual([]);
    expect(lostTexts(ages(stays), ages(stays), columns({}))).toEqual([]);
    expect(lostTexts(ages(stays, unit), ages(stays, stays), columns({ unit: 1 }, {}))).toEqual(['the unit "m" of age']);
    expect(lostTexts(ages(stays, unit), ages(stays, stays), columns({}, { unit: 1, unitTerms: [{}] }))).toEqual([]);
  });
});
