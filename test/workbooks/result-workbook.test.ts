/** What a worksheet does not hold of a result is refused before anything is printed, or said where it would stand. */
import { expect, it } from 'vitest';
import { planFile } from '../../src/submissions/json-file/plan.js';
import { requireSheetResult, resultTable } from '../../src/submissions/results/result-workbook.js';
import type { Submission } from '../../src/submissions/submission.js';
import { draft } from '../many-machines/store-samples.js';

const LIMITS = { rows: 2_000, cells: 12_000, cellText: 40 };
const plan = planFile(
  Buffer.from('Sample Name\tRelease Date\na\t2020-01-01\n'),
  { prefix: 'SAMR', unknownColumns: 'characteristics' },
  true,
);

const withRows = (rows: number): Submission =>
  ({
    ...draft('ada'),
    counts: { rows, created: rows, updated: 0, unchanged: 0, rejected: 0 },
  }) as unknown as Submission;

it.each([
  [1_000, true],
  [1_001, false],
])('of %i rows beside those of a receipt is taken: %s', (rows, taken) => {
  const ask = () => requireSheetResult(withRows(rows), plan, LIMITS);
  if (taken) expect(ask).not.toThrow();
  else expect(ask).toThrow(/1001 rows of 2 columns, which no worksheet holds .* Take it as format=tsv\.$/);
});

it('is refused for its cells, too', () => {
  expect(() => requireSheetResult(withRows(1_000), plan, { ...LIMITS, cells: 7_999 })).toThrow('format=tsv');
});

it('names how many rows of the receipt are not listed, and cuts what no cell holds', async () => {
  async function* none(): AsyncGenerator<never> {}
  async function* receipt(): AsyncGenerator<string[][]> {
    for (let at = 0; at < 3; at++)
      yield Array.from({ length: 400 }, (_, row) => [`issue ${at}.${row}`, 'x'.repeat(50)]);
  }
  const rows: string[][] = [];
  for await (const row of resultTable(withRows(0), plan, { outcomes: none(), receipt: receipt() }, LIMITS))
    rows.push(row.map(({ text }) => text));
  const listed = rows.filter(([text]) => text?.startsWith('issue '));
  expect(listed).toHaveLength(1_000);
  expect(listed[0]).toEqual(['issue 0.0', 'x'.repeat(40)]);
  expect(rows.find(([text]) => text === 'Not listed')?.slice(0, 2)).toEqual(['Not listed', '200']);
  expect(rows.length).toBeLessThan(LIMITS.rows);
});
