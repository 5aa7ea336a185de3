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
