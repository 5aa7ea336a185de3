import { beforeAll, describe, expect, it } from 'vitest';
import type { Issue } from '../../src/registry/samples/sample-batch.js';
import { SharedServer } from '../support/shared-server.js';
import { fromTsv, fromXlsx, type Table, toTsv, toXlsx } from './sheets.js';
import { ERRORS_IN_SHEET, goodRows, HEADERS, type Seeded, seed } from './thirty-errors.js';

let server: SharedServer;
beforeAll(async () => {
  server = await SharedServer.of('repair');
});

const options = { checklist: 'human-associated' };
const RELATIONSHIP = HEADERS.length - 1;

interface ErrorsDocument {
  rejected: { line: number; cells: { column: string; value: string }[]; issues: Issue[] }[];
  warnings: Issue[];
}

/** Follows the suggestion of each bad cell; where there is none, the submitter knows the good value. */
function fix(errors: Table, seeded: readonly Seeded[], known: (error: Seeded) => string): Table {
  const [header = [], ...rows] = errors;
  const at = (name: string): number => header.indexOf(name);
  const fixed = rows.map((row) => {
    const error = seeded.find(({ line }) => String(line) === row[at('Error Line')]) as Seeded;
    const suggestion = row[at('Error Suggestion')];
    return row.map((cell, column) => (column === error.column ? suggestion || known(error) : cell));
  });
  return [header, ...fixed];
}

/** The good value; a sample that is registered by now is named by its accession. */
async function knownValues(id: string, prefix = ''): Promise<(error: Seeded) => string> {
  const { sampleNameAccessionPairs: pairs } = await server.mapping(id);
  const accessions = new Map(pairs.map(({ sampleName, sampleAccession }) => [sampleName, sampleAccession]));
  return ({ good, column }) => {
    const value = good && (column === 0 || column === RELATIONSHIP) ? prefix + good : good;
    return column === RELATIONSHIP ? (accessions.get(value) ?? value) : value;
  };
}

/** The same rows under other names. */
const renamed = (rows: Table, prefix: string): Table =>
  rows.map((row) =>
    row.map((cell, column) =>
      cell && cell !== 'nobody' && (column === 0 || column === RELATIONSHIP) ? prefix + cell : cell,
    ),
  );

describe('a sheet with some thirty kinds of errors', () => {
  const rows = goodRows(200);
  const seeded = seed(rows, 2);

  it('all are found in one upload, each at its line, column and letter, with the suggestion; nothing else is', async () => {
    expect(ERRORS_IN_SHEET.length).toBeGreaterThanOrEqual(30);
    const { id, status } = await server.uploadAndSettle(toTsv([HEADERS, ...rows]), { options });
    const rejectedRows = seeded.length;
    expect(status.counts).toMatchObject({ rows: 200, created: 200 - rejectedRows, rejected: rejectedRows });
    const answer = await server.get(`/submissions/${id}/errors`, { headers: { accept: 'application/json' } });
    const { rejected, warnings } = answer.json<ErrorsDocument>();
    expect(warnings).toEqual([]);
    const found = rejected.map(({ line, issues }) => {
      const [issue, ...others] = issues;
      expect(others, `line ${line}`).toEqual([]);
      return { line, at: `${issue?.columnLetter} ${issue?.column}`, code: issue?.code, suggestion: issue?.suggestion };
    });
    const wanted = seeded.map(({ line, column, code, suggests, good }) => ({
      line,
      at: `${String.fromCharCode(65 + column)} ${HEADERS[column]}`,
      code,
      suggestion: suggests?.(good),
    }));
    expect(found).toEqual(wanted);

    const errors = fromTsv((await server.get(`/submissions/${id}/errors`)).text);
    const fixed = fix(errors, seeded, await knownValues(id));
    const again = await server.uploadAndSettle(toTsv(fixed), { options });
    expect(again.status.counts, JSON.stringify(again.status.issues)).toMatchObject({
      created: rejectedRows,
      rejected: 0,
    });
  });

  it('the same through workbooks: the errors as .xlsx, fixed and uploaded', { tags: 'slow' }, async () => {
    const book = await toXlsx([HEADERS, ...renamed(rows, 'x')]);
    const { id, status } = await server.uploadAndSettle(book, { name: 'book.xlsx', options });
    expect(status.counts.rejected).toBe(seeded.length);
    const answer = await server.get(`/submissions/${id}/errors?format=xlsx`);
    const fixed = fix(await fromXlsx(answer.bytes), seeded, await knownValues(id, 'x'));
    const again = await server.uploadAndSettle(await toXlsx(fixed), { name: 'fixed.xlsx', options });
    expect(again.status.counts, JSON.stringify(again.status.issues)).toMatchObject({
      created: seeded.length,
      rejected: 0,
    });
  });

  it('the summary has one line per kind and column, with count and examples', { tags: 'slow' }, async () => {
    const sex = HEADERS.indexOf('Characteristics[host sex]');
    const bad = renamed(goodRows(50), 'y').map((row, n) =>
      row.map((cell, column) => (column === sex && n % 2 === 1 ? 'x' : column === RELATIONSHIP ? '' : cell)),
    );
    const { status } = await server.uploadAndSettle(toTsv([HEADERS, ...bad]), { options });
    expect(status.issues).toMatchObject([
      { code: 'checklist.value', column: 'Characteristics[host sex]', count: 25, severity: 'error' },
    ]);
    expect(status.issues[0]?.lines).toEqual([3, 5, 7, 9, 11, 13, 15, 17, 19, 21]);
  });
});
