import { beforeAll, describe, expect, it } from 'vitest';
import { SharedServer } from '../support/shared-server.js';
import { toTsv } from './sheets.js';

let server: SharedServer;
beforeAll(async () => {
  server = await SharedServer.of('warnings');
});

const HEADER = ['Sample Name', 'Release Date', 'Characteristics[tissue]', 'Characteristics[gene]'];
const sheet = (tag: string, ...rows: string[][]): string =>
  toTsv([HEADER, ...rows.map(([name = '', ...cells]) => [`${tag}${name}`, '2024-01-01', ...cells])]);

describe('warnings', () => {
  it('of what a spreadsheet did stand in status, receipt and JSON; the row is registered with the value as it is', async () => {
    const file = sheet(
      'w',
      ['1', 'blood', 'TP53'],
      ['2', 'blood', '2-Sep'],
      ['3', 'Blood', 'MYC'],
      ['4', 'liver', '#REF!'],
    );
    const { id, status, answer } = await server.uploadAndSettle(file);
    expect(status).toMatchObject({ submissionStatus: 'COMPLETED', counts: { created: 4, rejected: 0 } });
    expect(status.issues.map(({ code, severity, lines }) => [code, severity, lines])).toEqual([
      ['suspect.date', 'warning', [3]],
      ['suspect.case', 'warning', [4]],
      ['suspect.error-value', 'warning', [5]],
    ]);
    expect(answer.text).toContain('line 4\tCharacteristics[tissue]\tsuspect.case\tBlood\t');
    const { warnings } = (await server.get(`/submissions/${id}/errors?format=json`)).json<{
      warnings: { code: string; suggestion?: string }[];
    }>();
    expect(warnings.map(({ code, suggestion }) => [code, suggestion])).toContainEqual(['suspect.case', 'blood']);
    const { sampleNameAccessionPairs: pairs } = await server.mapping(id);
    expect((await server.get(`/samples/${pairs[1]?.sampleAccession}`)).text).toContain('2-Sep');
  });

  it('of a column that speaks of becoming public and is not Release Date say which date its samples got; the result takes the dates', async () => {
    const file = toTsv([
      ['Sample Name', 'Release date (YYYY-MM-DD)', 'tissue'],
      ['undated 1', '2035-06-01', 'liver'],
      ['undated 2', '2035-07-01', 'liver'],
    ]);
    const { answer, status } = await server.uploadAndSettle(file, { options: { releaseDate: '2031-01-01' } });
    expect(status.issues).toMatchObject([{ code: 'release.not-taken', severity: 'warning', lines: [1], count: 1 }]);
    expect(status.counts).toMatchObject({ created: 2, rejected: 0 });
    const dated = answer.text.replaceAll(/(2035-\d\d-01)(\tliver\t)[^\t]*/g, '$1$2$1');
    const again = await server.uploadAndSettle(dated);
    expect(again.status).toMatchObject({ counts: { updated: 2 }, issues: [] });
    const [pair] = (await server.mapping(again.id)).sampleNameAccessionPairs;
    expect((await server.get(`/samples/${pair?.sampleAccession}`)).json()).toMatchObject({
      release: '2035-06-01T00:00:00.000Z',
    });
  });

  it('of a name that the account has used before name that accession, not to others', async () => {
    const first = await server.uploadAndSettle(sheet('known ', ['one', 'blood', 'MYC']));
    const [pair] = (await server.mapping(first.id)).sampleNameAccessionPairs;
    const accession = pair?.sampleAccession as string;
    const find = async (): Promise<boolean> =>
      (await server.get('/samples?filter=name:known%20one')).text.includes(accession);
    await expect.poll(find).toBe(true);
    const again = sheet('known ', ['one', 'liver', 'MYC'], ['two', 'liver', 'MYC']);
    const mine = await server.uploadAndSettle(again, { options: { dryRun: 'true' } });
    expect(mine.status.issues).toMatchObject([{ code: 'name.used-before', severity: 'warning', lines: [2], count: 1 }]);
    expect(mine.answer.text).toContain(`already: ${accession}. If this row means that one`);
    const token = await server.token('another-lab');
    const theirs = await server.uploadAndSettle(again, { token });
    expect(theirs.status.issues).toEqual([]);
  });
});
