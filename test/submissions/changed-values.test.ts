/** Rows that update samples and may not mean what they do to them: values written otherwise, values without a column. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyLayout, type SampleLayout } from '../../src/registry/samples/packed-sample.js';
import { emptyContent, type SampleContent } from '../../src/registry/samples/sample.js';
import { howToKeep, lostValues } from '../../src/submissions/results/lost-values.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
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
