/** Changed rows of a submission that are looked up in its ledger, in whatever order they are given. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkRows } from '../../src/submissions/reading/check-rows.js';
import { Intake, sheetOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

it('rows that are samples are known as such in any order, by one walk through the ledger', async () => {
  const row = (n: number, day = '2020-01-01') => [`s${n}`, day];
  const submission = await intake.send(
    sheetOf(
      ['Sample Name', 'Release Date'],
      ...Array.from({ length: 12 }, (_, n) => row(n, n === 5 ? '?' : undefined)),
    ),
  );
  await intake.send(sheetOf(['Sample Name', 'Release Date'], row(5)));
  let walks = 0;
  const store = {
    ...intake.store,
    ledger: (...asked: Parameters<typeof intake.store.ledger>) => {
      walks++;
      return intake.store.ledger(...asked);
    },
  };
  const { blobs, prefix } = intake.processing;
  const rows = Array.from({ length: 12 }, (_, n) => ({ line: n + 2, cells: row(n, '2021-01-01') })).reverse();
  const checked = await checkRows({ store, blobs, prefix, names: intake.store }, submission, rows);
  const warned = checked.filter(({ issues }) => issues.length > 0).map(({ line, issues }) => [line, issues[0]?.code]);
  expect(warned).toEqual([[7, 'name.used-before']]);
  expect(walks).toBe(1);
});

it('names are asked for in lots, of wide sheets too, and each of many rows is warned of', async () => {
  const columns = Array.from({ length: 200 }, (_, n) => `value ${n}`);
  const header = ['Sample Name', 'Release Date', ...columns];
  const row = (n: number, value: string) => [`w${n}`, '2020-01-01', ...columns.map(() => value)];
  await intake.send(sheetOf(['Sample Name', 'Release Date'], ['w3', '2020-01-01'], ['w240', '2020-01-01']));
  const submission = await intake.send(sheetOf(header, row(0, 'a')), { dryRun: true });
  const asked: number[] = [];
  const names = {
    findNamed: (account: string, wanted: string[]) => {
      asked.push(wanted.length);
      return intake.store.findNamed(account, wanted);
    },
  };
  const { blobs, prefix } = intake.processing;
  const rows = Array.from({ length: 250 }, (_, n) => ({ line: n + 2, cells: row(n, 'b') }));
  const checked = await checkRows({ store: intake.store, blobs, prefix, names }, submission, rows);
  const named = checked.filter(({ issues }) => issues.some(({ code }) => code === 'name.used-before'));
  expect(named.map(({ line }) => line)).toEqual([5, 242]);
  expect(named[0]?.issues[0]).toMatchObject({ value: 'w3', line: 5 });
  expect(asked).toEqual([200, 50]);
});
