/** What the columns of a file are taken for, asked over HTTP; nothing is kept. Workbooks and archives: test/e2e/import-profiles.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SheetProposal, SheetProposals } from '../../../src/profiles/proposals.js';
import { LARGEST_PROPOSED } from '../../../src/tsv/propose/proposal.js';
import { type Service, startService } from '../service.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab');
});
afterAll(() => service?.stop());

const ROWS = [
  ['Freezer 2024'],
  ['Tube', 'organ', 'age (years)', 'Frozen on'],
  ['T1', 'liver', '3', '21.03.2024'],
  ['T2', 'heart', '4', '22.03.2024'],
];
/** Of one row of a plate. */
const READ = ['0.1', '0.1', '0.2', '0.1', '0.3', '0.2'];
const text = (rows: readonly (readonly string[])[]): string => rows.map((row) => `${row.join('\t')}\n`).join('');
const proposed = async (file: string | Uint8Array, query = {}, name = 'Freezer export.tsv'): Promise<SheetProposal> => {
  const answer = await service.propose(file, { token, query, name });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<SheetProposal>();
};
const meanings = ({ columns }: SheetProposal) => columns.map(({ meaning }) => meaning?.as);

describe('a proposal', () => {
  it('says what each column is taken for, what the sheet lacks, and how it stands there', async () => {
    const found = await proposed(text(ROWS));
    expect(found).toMatchObject({ headerLine: 2, known: false, lacks: ['organism', 'release'] });
    expect(found.top.map(({ cells }) => cells[0])).toEqual(['Freezer 2024', 'Tube', 'T1', 'T2']);
    expect(meanings(found)).toEqual(['name', 'characteristic', 'characteristic', 'characteristic']);
    expect(found.document.title).toBe('Freezer export');
  });

  it('is a document that can be kept, by which the sheet is then read', async () => {
    const { document } = await proposed(text(ROWS));
    expect((await service.send('PUT', '/profiles/freezer', document, { token })).status).toBe(201);
    const again = await proposed(text(ROWS));
    expect(again).toMatchObject({ known: true, profile: { name: 'freezer', rank: 'own' } });
    const { status } = await service.uploadAndSettle(text(ROWS), { token, options: { releaseDate: '2024-01-01' } });
    expect(status).toMatchObject({ counts: { created: 2 }, columns: { profile: { name: 'freezer' } } });
    const changed = await proposed(
      text([
        ['Tube', 'organ', 'age (years)', 'Frozen on', 'donor'],
        ['T1', 'a', '1', '', 'd'],
      ]),
    );
    expect(changed).toMatchObject({ known: false, profile: { name: 'freezer', missing: [], further: ['donor'] } });
    expect(changed.columns[4]).toMatchObject({ header: 'donor', fresh: true });
    expect((await service.send('DELETE', '/profiles/freezer', undefined, { token })).status).toBe(204);
  });

  it('is none of a table whose cells are parted by blanks, as its upload is none of samples', async () => {
    const table = 'FID IID SEX\nF1 I1 1\nF1 I2 2\n';
    const refusals = [await service.propose(table, { token }), await service.upload(table, { token })];
    for (const refused of refusals) {
      expect(refused.status).toBe(422);
      expect(refused.json()).toMatchObject({
        code: 'file.wrong-kind',
        detail: expect.stringContaining('a table whose cells are parted by blanks'),
      });
    }
  });

  it('of columns that name the samples together keeps each of them, and its result means the same samples', async () => {
    const rows = ['eventID|Scientific name|count', 'E1|Gadus morhua|3', 'E1|Clupea harengus|12', 'E2|Gadus morhua|3'];
    const sheet = text(rows.map((row) => row.split('|')));
    const options = { releaseDate: '2024-01-01' };
    const refused = await service.upload(sheet, { token, options });
    expect(refused.json<{ detail: string }>().detail).toContain(
      'eventID and Scientific name together are different in each row: an import profile that joins them reads',
    );
    const { document } = await proposed(sheet);
    expect((await service.send('PUT', '/profiles/dwc', document, { token })).status).toBe(201);
    const { id } = await service.uploadAndSettle(sheet, { token, options });
    const { sampleNameAccessionPairs: pairs } = await service.mapping(id, token);
    expect(pairs.map(({ sampleName }) => sampleName)).toEqual([
      'E1-Gadus morhua',
      'E1-Clupea harengus',
      'E2-Gadus morhua',
    ]);
    const { characteristics } = (await service.get(`/samples/${pairs[1]?.sampleAccession}`, { token })).json<{
      characteristics: object;
    }>();
    expect(characteristics).toEqual({
      eventID: [{ text: 'E1' }],
      organism: [{ text: 'Clupea harengus' }],
      count: [{ text: '12' }],
    });
    const result = await service.result(id, token);
    const again = await service.uploadAndSettle(result, { token });
    expect(again.status.counts).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
    const edited = await service.uploadAndSettle(result.replace('harengus\t12', 'harengus\t13'), { token });
    expect(edited.status.counts).toMatchObject({ created: 0, updated: 1, unchanged: 2 });
    expect((await service.send('DELETE', '/profiles/dwc', undefined, { token })).status).toBe(204);
  });

  it('of terms with their ontology beside them keeps both, and its result means the same', async () => {
    const rows = [
      'Tube|Characteristics[organism]|Term Source REF|Term Accession Number',
      'O1|Mus musculus|NCBITaxon|10090',
      'O2|Homo sapiens|NCBITaxon|NCBITaxon_9606',
    ];
    const sheet = text(rows.map((row) => row.split('|')));
    const found = await proposed(sheet);
    expect(meanings(found)).toEqual(['name', 'characteristic', 'source', 'term']);
    expect((await service.send('PUT', '/profiles/terms', found.document, { token })).status).toBe(201);
    const { id } = await service.uploadAndSettle(sheet, { token, options: { releaseDate: '2024-01-01' } });
    const { sampleNameAccessionPairs: pairs } = await service.mapping(id, token);
    const terms = await Promise.all(
      pairs.map(async ({ sampleAccession }) => {
        const { characteristics } = (await service.get(`/samples/${sampleAccession}`, { token })).json<{
          characteristics: { organism: { ontologyTerms: string[] }[] };
        }>();
        return characteristics.organism[0]?.ontologyTerms;
      }),
    );
    expect(terms).toEqual([['NCBITaxon:10090'], ['NCBITaxon:9606']]);
    const again = await service.uploadAndSettle(await service.result(id, token), { token });
    expect(again.status.counts).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    expect((await service.send('DELETE', '/profiles/terms', undefined, { token })).status).toBe(204);
  });

  it('of as many columns as a profile may have is kept, too, and says when its headers are too long for one', async () => {
    const wide = (length: number) => {
      const columns = Array.from({ length: 999 }, (_, at) => `${at} ${'m'.repeat(length)}`);
      return text([
        ['Tube', ...columns],
        ['T1', ...columns.map((_, at) => `${at}`)],
      ]);
    };
    const { document } = await proposed(wide(20));
    expect((await service.send('PUT', '/profiles/wide', document, { token })).status).toBe(201);
    const { status } = await service.uploadAndSettle(wide(20), { token, options: { releaseDate: '2024-01-01' } });
    expect(status).toMatchObject({ counts: { created: 1 }, columns: { profile: { name: 'wide' } } });
    expect((await service.send('DELETE', '/profiles/wide', undefined, { token })).status).toBe(204);
    const answer = await service.propose(wide(60), { token, query: {}, name: 'wide.tsv' });
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject({
      code: 'file.header',
      line: 1,
      nameColumns: ['Tube'],
      detail: expect.stringMatching(/^Line 1: .*1000 columns is longer .*80000 characters\. Choose the column/),
    });
  });

  it('takes another header row where one is named', async () => {
    const found = await proposed(text(ROWS), { headerLine: '3' });
    expect(found.columns.map(({ header }) => header)).toEqual(['T1', 'liver', '3', '21.03.2024']);
  });

  it.each([
    ['a JSON document', '{"name": "a"}\n', {}, 422, /JSON document/],
    ['bytes of another encoding', Buffer.from('Tube\tort\nT1\tK\xf6ln\n', 'latin1'), {}, 422, /UTF-8/],
    ['nothing', '', {}, 422, /empty/],
    ['1 001 columns', `${Array.from({ length: 1001 }, (_, at) => `h${at}`).join('\t')}\nx\n`, {}, 422, /1001 columns/],
    ['a sheet of which nothing came', 'Loading...,,\n,,\n', {}, 422, /Loading\.\.\.\\" stands where the header should/],
    [
      'the map of a plate amid what a reader writes',
      text([
        ['Run: 44'],
        ['', '1', '2', '3', '4', '5', '6'],
        ['A', ...READ],
        ['B', ...READ],
        ['LUM', '40', '0.1'],
        ['LUM', '41', '0.1'],
      ]),
      {},
      422,
      /map of a plate/,
    ],
    ['a line that is not there', 'Tube\torgan\nT1\tx\n', { headerLine: '9' }, 422, /Line 9 /],
    ['a line that is no number', 'Tube\torgan\nT1\tx\n', { headerLine: 'top' }, 400, /headerLine=top/],
    ['an encoding that is none', 'Tube\torgan\nT1\tx\n', { encoding: 'klingon' }, 400, /klingon/],
  ])('refuses %s', async (_, file, query, status, detail) => {
    const answer = await service.propose(file, { token, query });
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(detail)]);
  });

  it('is read in the encoding that is named', async () => {
    const { columns } = await proposed(Buffer.from('Tube\tort\nT1\tK\xf6ln\n', 'latin1'), { encoding: 'windows-1252' });
    expect(columns[1]?.examples).toEqual(['Köln']);
  });

  it('needs no more of a long text than its beginning, and ends what is too long', async () => {
    const block = Buffer.from(`T1\tliver\n`.repeat(100_000));
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('Tube\torgan\n');
      for (let size = 0; size <= LARGEST_PROPOSED; size += block.length) yield block;
    }
    const proposals = new SheetProposals({
      profiles: { kept: async () => [] },
      checklists: { list: () => [], fields: () => [] },
      files: { isWorkbook: () => false, open: () => Promise.reject(new Error('no workbook')) },
      prefix: 'SAMR',
      meant: () => undefined,
    });
    await expect(proposals.propose({ account: 'a', fileName: 'x', source: endless() })).rejects.toMatchObject({
      code: 'file.too-large',
    });
  });
});
