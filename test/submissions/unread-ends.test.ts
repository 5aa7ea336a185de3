/** A file that cannot be read to its end: what became of the rows above that place comes back whole, and says where it ends. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Submission } from '../../src/submissions/submission.js';
import { Intake, sheetOf, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

const HEADER = ['Sample Name', 'Release Date', 'organism', 'Comment[bsd_relationship:derived from]'];
const ROWS = Array.from({ length: 8 }, (_, at) => [`s${at}`, at === 1 ? 'never' : '2020-01-01', 'Homo', '']);
const text = `${sheetOf(HEADER, ...ROWS)}s8\t2020-01-01\t"\tditto\ns9\t2020-01-01\tHomo\t\n`;

const mappingOf = async (submission: Submission): Promise<string[]> => {
  const { sampleNameAccessionPairs: pairs } = JSON.parse(await textOf(intake.results.mapping(submission))) as {
    sampleNameAccessionPairs: { sampleName: string }[];
  };
  return pairs.map(({ sampleName }) => sampleName);
};

describe('a sheet whose last quote is never closed', () => {
  let sent: Submission;
  beforeAll(async () => {
    sent = await intake.send(text, {}, { account: 'unread' });
    expect(sent).toMatchObject({ state: 'FAILED', problem: { code: 'file.quote-unclosed', line: 10 } });
  });

  it('has a mapping that is whole', async () => {
    expect(await mappingOf(sent)).toEqual([]);
  });

  it('comes back with the rows above, and a receipt that says where they end', async () => {
    const lines = (await textOf(intake.results.result(sent))).split('\n').map((line) => line.split('\t'));
    expect(lines.slice(1, 9).map(([name]) => name)).toEqual(ROWS.map(([name]) => name));
    expect(lines.find(([first]) => first === 'Rows not read')).toEqual([
      'Rows not read',
      'from line 10 on; they do not stand above',
    ]);
    expect(lines.some(([first]) => first === '********RECEIPT END********')).toBe(true);
  });

  it('has no rows to fix, as a sheet, as JSON and as a workbook', async () => {
    expect((await textOf(intake.results.errors(sent))).split('\n').slice(1)).toEqual(['']);
    expect(JSON.parse(await textOf(intake.results.errorsJson(sent)))).toMatchObject({ rejected: [], warned: [] });
    let bytes = 0;
    for await (const part of intake.results.errorsWorkbook(sent)) bytes += part.length;
    for await (const part of intake.results.resultWorkbook(sent)) bytes += part.length;
    expect(bytes).toBeGreaterThan(0);
  });
});

it('a submission that ended for another reason has all of its rows above the receipt, and says of none that it was not read', async () => {
  const sent = await intake.send(sheetOf(HEADER, ...ROWS), { maxRejected: '0' }, { account: 'ceiling' });
  expect(sent).toMatchObject({
    state: 'FAILED',
    problem: { code: 'file.too-many-rejected', line: expect.any(Number) },
  });
  const result = await textOf(intake.results.result(sent));
  expect(result.split('\n').filter((line) => /^s\d\t/.test(line))).toHaveLength(ROWS.length);
  expect(result).not.toContain('Rows not read');
});

it('of one that is not processed yet the mapping is whole, too', async () => {
  const { submission } = await intake.accept(text, {}, { account: 'not yet' });
  expect(await mappingOf(submission)).toEqual([]);
});

it('what cannot be read of a file that was read to its end before breaks off, and is no shorter file', async () => {
  const { problem: _, ...failed } = await intake.send(text, {}, { account: 'read before' });
  const mapping = textOf(intake.results.mapping({ ...failed, state: 'COMPLETED' }));
  await expect(mapping).rejects.toMatchObject({ code: 'file.quote-unclosed' });
});
