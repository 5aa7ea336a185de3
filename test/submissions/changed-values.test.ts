/** Rows that update samples and may not mean what they do to them: values written otherwise, values without a column. */
import { afterAll, beforeAll, expect, it } from 'vitest';
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
      message: expect.stringContaining('takes it away: code "007", tissue "liver", the unit "year" of age and 1 more.'),
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
