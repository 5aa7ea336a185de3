/** A lab's own table, without a Sample Name: one option, and everything after it goes as with any other sheet. */
import { beforeAll, describe, expect, it } from 'vitest';
import { SharedServer } from '../support/shared-server.js';
import { toXlsx } from './sheets.js';

let server: SharedServer;
beforeAll(async () => {
  server = await SharedServer.of('name-column');
});

const ROWS = (tag: string) => [
  ['Tube', 'organ', 'weight'],
  [`${tag}-1`, 'liver', '3'],
  [`${tag}-2`, 'kidney', '4'],
];
const tsv = (rows: string[][]) => rows.map((row) => `${row.join('\t')}\n`).join('');
const OPTIONS = { nameColumn: 'tube', releaseDate: '2030-01-01' };

describe('a table whose samples are named by a column of its own', () => {
  it.each([
    ['text', async (tag: string) => Buffer.from(tsv(ROWS(tag)))],
    ['workbook', async (tag: string) => toXlsx(ROWS(tag))],
  ])(
    '(%s) is refused with a proposal, registered with the option, and its result goes back in unchanged',
    async (kind, make) => {
      const bytes = await make(kind);
      const refused = await server.upload(bytes, { name: `lims.${kind}`, options: { releaseDate: '2030-01-01' } });
      expect(refused.status).toBe(422);
      expect(refused.json()).toMatchObject({ code: 'file.header', nameColumns: ['Tube', 'organ'] });

      const { id, status } = await server.uploadAndSettle(bytes, { name: `lims.${kind}`, options: OPTIONS });
      expect(status.counts).toMatchObject({ created: 2, rejected: 0 });
      const result = (await server.get(`/submissions/${id}/result`)).text;
      expect(result.split('\n').slice(0, 3)).toEqual([
        '#nameColumn\tTube',
        'Tube\torgan\tweight\tRelease Date\tSample Identifier',
        expect.stringMatching(new RegExp(`^${kind}-1\tliver\t3\t2030-01-01\tSAMR\\d+$`)),
      ]);
      expect(result).toContain('Samples named by the column\tTube');
      const again = await server.uploadAndSettle(result, { name: 'again.tsv' });
      expect(again.status.counts).toMatchObject({ created: 0, updated: 0, unchanged: 2, rejected: 0 });
      const edited = await server.uploadAndSettle(result.replace('kidney', 'spleen'), { name: 'edited.tsv' });
      expect(edited.status.counts).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
    },
  );

  it('sends its bad rows with the row that says it, and their checks read it', { tags: 'slow' }, async () => {
    const text = tsv([...ROWS('bad'), ['', 'spleen', '5']]);
    const { id, status } = await server.uploadAndSettle(text, { options: OPTIONS });
    expect(status.counts).toMatchObject({ created: 2, rejected: 1 });
    const errors = (await server.get(`/submissions/${id}/errors`)).text;
    expect(errors.split('\n')[0]).toBe('#nameColumn\tTube');
    const check = await server.send('POST', `/submissions/${id}/check`, {
      rows: [{ line: 4, cells: ['bad-3', 'spleen', '5'] }],
    });
    expect(check.json()).toMatchObject({ rows: [{ line: 4, issues: [] }] });
    const fixed = errors.replace(/^\t/m, 'bad-3\t');
    const sent = await server.uploadAndSettle(fixed, { options: { releaseDate: '2030-01-01' } });
    expect(sent.status.counts).toMatchObject({ created: 1, rejected: 0 });
  });

  it('read with another column, the same bytes rename the samples that they made', async () => {
    const text = tsv([
      ['Tube', 'label'],
      ['re-1', 'one'],
      ['re-2', 'two'],
    ]);
    const first = await server.uploadAndSettle(text, { options: OPTIONS });
    const second = await server.uploadAndSettle(text, { options: { ...OPTIONS, nameColumn: 'label' } });
    expect(second.status.counts).toMatchObject({ created: 0, updated: 2 });
    const accessions = async (id: string) =>
      (await server.mapping(id)).sampleNameAccessionPairs.map(({ sampleAccession }) => sampleAccession);
    expect(await accessions(second.id)).toEqual(await accessions(first.id));
  });
});
