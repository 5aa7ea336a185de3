/** Forms whose rows are numbered before they are filled in, from the upload to what comes back of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Results } from '../../src/submissions/results/results.js';
import type { Submission } from '../../src/submissions/submission.js';
import type { LedgerChunk } from '../../src/submissions/submission-store.js';
import { Intake, sheetOf, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

const HEADER = ['Nr.', 'Sample Name', 'Release Date', 'organism'];
const filled = (name: string) => [1, 2, 3].map((row) => [String(row), `${name} ${row}`, '2024-01-01', 'x']);
const blank = Array.from({ length: 27 }, (_, at) => [String(at + 4), '', '', '']);
const rowsOf = (result: string): string[] => (result.split('\n\n')[0] as string).split('\n').slice(1);
const said = (result: string): string[] => result.split('\n').filter((line) => line.includes('sheet.rows-passed-over'));

describe('a form of which three rows are filled in', () => {
  it('is registered, all or nothing too, and its result says how many were passed over', async () => {
    for (const mode of ['partial', 'atomic'] as const) {
      const sent = await intake.send(sheetOf(HEADER, ...filled(mode), ...blank), { mode }, { account: mode });
      expect(sent).toMatchObject({ state: 'COMPLETED', counts: { rows: 3, created: 3, rejected: 0 } });
      const result = await textOf(intake.results.result(sent));
      expect(rowsOf(result)).toHaveLength(3);
      const numbers = said(result).map((line) => Number(/\t(\d+) rows? \(/.exec(line)?.[1]));
      expect(numbers.reduce((sum, number) => sum + number, 0)).toBe(27);
      expect(await textOf(intake.results.errors(sent))).not.toContain('name.missing');
      const again = await intake.send(result, {}, { account: mode });
      expect(again.counts).toMatchObject({ rows: 3, unchanged: 3, rejected: 0 });
    }
  });

  it('needs no date where each row that is filled in names its sample', async () => {
    const account = 'undated';
    const [header, ...rows] = rowsOf(`\n${await resultOf(account)}`).map((line) => line.split('\t'));
    const without = (cells: readonly string[]) => cells.filter((_, column) => column !== 2);
    const undated = [header as string[], ...rows.map((row) => [...row.slice(0, 3), 'y', ...row.slice(4)]), ...blank];
    const sent = await intake.send(sheetOf(...undated.map(without)), {}, { account });
    expect(sent).toMatchObject({ state: 'COMPLETED', counts: { updated: 3, rejected: 0 } });
  });

  it('comes back whole where its rows were refused before there was this rule', async () => {
    const sent = await intake.send(sheetOf(HEADER, ...filled('old'), ...blank), {}, { account: 'old' });
    const issues = [{ line: 5, code: 'name.missing' as const, message: 'refused', severity: 'error' as const }];
    async function* ledger(id: string): AsyncGenerator<LedgerChunk> {
      for await (const chunk of intake.store.ledger(id))
        yield chunk.fromLine <= 5 && chunk.toLine >= 5
          ? { ...chunk, rejected: [{ line: 5, name: '', issues }] }
          : chunk;
    }
    const store = new Proxy(intake.store, {
      get: (target, name) => (name === 'ledger' ? ledger : Reflect.get(target, name)),
    });
    const results = new Results({ store, blobs: intake.blobs, prefix: 'SAMR' });
    const before: Submission = { ...sent, counts: { ...sent.counts, rejected: 1 } };
    expect(rowsOf(await textOf(results.result(before)))).toHaveLength(4);
    expect(await textOf(results.errors(before))).toContain('\tname.missing\t');
  });
});

async function resultOf(account: string): Promise<string> {
  const sent = await intake.send(sheetOf(HEADER, ...filled(account)), {}, { account });
  return textOf(intake.results.result(sent));
}
