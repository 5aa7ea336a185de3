/** Tables in zip and gzip archives: read as they are, and none of several is chosen in silence. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture, withoutFixtures } from '../support/fixtures.js';
import { PROOF } from '../support/proof.js';
import { SharedServer } from '../support/shared-server.js';
import { BAD_ARCHIVES, packBombs } from '../workbooks/bad-archives.js';
import { removeScratch, zip } from '../workbooks/raw-workbook.js';

let server: SharedServer;
beforeAll(async () => {
  // Not between two requests: this process stands still meanwhile, and the service closes the connection that the next would use.
  packBombs(PROOF ? 4 : 1);
  server = await SharedServer.of('archives');
});
afterAll(async () => {
  removeScratch();
});

const STUDY = (tag: string) =>
  [
    'Source Name\tSample Name\tCharacteristics[organ]\tUnit',
    `d\t${tag} 1\tliver\t`,
    `d\t${tag} 2\tGöttingen\t`,
    '',
  ].join('\n');
const INVESTIGATION = [
  'ONTOLOGY SOURCE REFERENCE',
  'INVESTIGATION',
  'Investigation Public Release Date\t"1999-01-01"',
  'STUDY',
  'Study Identifier\t"other"',
  'Study Public Release Date\t"2001-01-01"',
  'Study File Name\t"s_other.txt"',
  'STUDY',
  'Study File Name\t"s_mice.txt"',
  'Study Public Release Date\t"2031-05-06"',
  'STUDY CONTACTS',
  '',
].join('\r\n');
const ASSAY = 'Sample Name\tAssay Name\nx\ty\n';
const TABLE = (tag: string) => `Sample Name\tRelease Date\torgan\n${tag} 1\t2024-01-01\tliver\n`;

/** Every sort is refused by the reader alone (../workbooks/archives.test.ts); here that the service says so, of each of its ways to refuse. */
const SOME_SORTS = [
  'a gzip bomb',
  'a zip bomb',
  'an archive in an archive',
  'a compressed archive',
  'a path that leads outside',
  'a part with a wrong byte',
  'a compressed table that was cut short',
  'more parts than are read',
  'nothing',
  'several tables',
  'another compression',
];
const sortOf = (wanted: string) => BAD_ARCHIVES.find(([sort]) => sort === wanted) as (typeof BAD_ARCHIVES)[number];
const OVER_HTTP = PROOF ? BAD_ARCHIVES : SOME_SORTS.map(sortOf);

const packed = async (files: Record<string, string | Buffer>): Promise<Buffer> => readFileSync(await zip(files));

/** The refusal, as it is answered. */
async function refused(bytes: Buffer, name: string, options: Record<string, string> = {}): Promise<string> {
  const answer = await server.upload(bytes, { name, options });
  expect(answer.status, answer.text).toBe(422);
  const { code, detail } = answer.json<{ code: string; detail: string }>();
  expect(code).toBe('file.wrong-kind');
  return detail;
}

const documentOf = async (id: string, at = 0) => {
  const { sampleAccession } = (await server.mapping(id)).sampleNameAccessionPairs[at] as { sampleAccession: string };
  return (await server.get(`/samples/${sampleAccession}`)).json<{ release: string; characteristics: object }>();
};

describe('an archive', () => {
  it('of ISA-Tab is read at its study table, dated by the investigation file, and its result goes back in unchanged', {
    tags: 'slow',
  }, async () => {
    const bytes = await packed({
      'mice/i_Investigation.txt': INVESTIGATION,
      'mice/s_mice.txt': STUDY('isa'),
      'mice/a_assay.txt': ASSAY,
      '__MACOSX/mice/._s_mice.txt': 'x',
    });
    const { id, status } = await server.uploadAndSettle(bytes, { name: 'mice.zip' });
    expect(status.counts).toMatchObject({ created: 2, rejected: 0 });
    const document = await documentOf(id, 1);
    expect(document.release).toBe('2031-05-06T00:00:00.000Z');
    expect(document.characteristics).toEqual({ organ: [{ text: 'Göttingen' }] });
    const result = (await server.get(`/submissions/${id}/result`)).text;
    expect(result).toMatch(/^Source Name\tSample Name\tCharacteristics\[organ\]\tUnit\t/);
    expect(result).toContain('Read from\tfile of the archive\tmice/s_mice.txt');
    expect(result).toContain('Release date\t2031-05-06T00:00:00.000Z\tof the study, from the investigation file');
    const again = await server.uploadAndSettle(result, { name: 'mice.tsv' });
    expect(again.status.counts).toMatchObject({ created: 0, updated: 0, unchanged: 2, rejected: 0 });
    const same = await server.uploadAndSettle(bytes, { name: 'mice.zip' });
    expect(same.id).toBe(id);
  });

  it.each([
    ['zip', async (text: string | Buffer) => packed({ 'data/table.csv': text, 'README.txt': 'about the table' })],
    ['gzip', async (text: string | Buffer) => gzipSync(text)],
  ])(
    'of one table (%s) is read in the table’s own form: commas, its encoding, its line numbers',
    { tags: 'slow' },
    async (kind, pack) => {
      const text = `Sample Name,Release Date,place,note\n${kind} 1,2024-01-01,Göttingen,"a\nb"\n${kind} 2,nonsense,x,y\n`;
      const bytes = await pack(Buffer.from(text, 'latin1'));
      const { id, status } = await server.uploadAndSettle(bytes, {
        name: `t.${kind}`,
        options: { encoding: 'latin1' },
      });
      expect(status.counts).toMatchObject({ created: 1, rejected: 1 });
      expect((await documentOf(id)).characteristics).toEqual({
        place: [{ text: 'Göttingen' }],
        note: [{ text: 'a\nb' }],
      });
      const issues = (await server.get(`/submissions/${id}/errors?format=json`)).text;
      expect(issues).toContain('"line":4');
      expect((await server.get(`/submissions/${id}/original`)).bytes.equals(bytes)).toBe(true);
    },
  );

  it('of several tables is refused with their names, and read at the one that is named', async () => {
    const bytes = await packed({ 'one.tsv': TABLE('one'), 'two.tsv': TABLE('two'), 'notes.txt': 'nothing\n' });
    const detail = await refused(bytes, 'several.zip');
    expect(detail).toContain('several are tables of samples (one.tsv, two.tsv)');
    expect(detail).toContain('option sheet');
    for (const sheet of ['two.tsv', '1']) {
      const { id, status } = await server.uploadAndSettle(bytes, { name: 'several.zip', options: { sheet } });
      expect(status.counts.created).toBe(1);
      expect((await server.get(`/submissions/${id}/result`)).text).toContain(sheet === '1' ? 'one 1\t' : 'two 1\t');
    }
    expect(await refused(bytes, 'several.zip', { sheet: 'three.tsv' })).toMatch(
      /no table three\.tsv; it has .*one\.tsv/,
    );
  });

  it('of more tables than are looked into says so, and is read at the one that is named', {
    tags: 'slow',
  }, async () => {
    const tables = Array.from({ length: 101 }, (_, n): [string, string] => [
      `t${n}.tsv`,
      n === 7 ? TABLE('seven') : 'x\ty\n',
    ]);
    const bytes = await packed(Object.fromEntries(tables));
    expect(await refused(bytes, 'many.zip')).toContain(
      'of which 101 may be tables, more than the 100 that are looked into',
    );
    const { status } = await server.uploadAndSettle(bytes, { name: 'many.zip', options: { sheet: 't7.tsv' } });
    expect(status.counts.created).toBe(1);
  });

  it('without a table of samples says what it holds', async () => {
    const bytes = await packed({ 'a.pdf': '%PDF', 'b.tsv': 'x\ty\n1\t2\n', 'c.tsv': 'x\ty\n' });
    expect(await refused(bytes, 'x.zip')).toBe(
      'This is a zip archive with 3 files (a.pdf, b.tsv, c.tsv); none is a table with a column that names samples. ' +
        'Unpack it, and upload the table of samples in it, as .tsv, .csv or .xlsx.',
    );
  });

  it('whose table is not good names file and line', { tags: 'slow' }, async () => {
    const bytes = await packed({ 'table.tsv': 'Sample Name\tRelease Date\tCharacteristics\nx\ty\tz\n' });
    const answer = await server.upload(bytes, { name: 'x.zip' });
    expect(answer.status).toBe(422);
    expect(answer.json<{ detail: string }>().detail).toMatch(/^File "table\.tsv" of the archive: Line 1, column C/);
  });

  it('whose head alone is there, or that is no table packed, is refused', { tags: 'slow' }, async () => {
    const tar = Buffer.alloc(1024);
    tar.write('ustar', 257);
    const files: [string, Buffer, RegExp][] = [
      ['tar.gz', gzipSync(tar), /compressed tar archive/],
      ['empty.gz', gzipSync(''), /The file is empty/],
      ['head.gz', Buffer.from([0x1f, 0x8b, 0x08]), /damaged or was cut short/],
    ];
    for (const [name, bytes, words] of files) {
      const answer = await server.upload(bytes, { name });
      expect([413, 422], `${name}: ${answer.text}`).toContain(answer.status);
      expect(answer.json<{ detail: string }>().detail, name).toMatch(words);
    }
  });

  it.skipIf(withoutFixtures('a real study table in an archive'))(
    'of a real study table, 33 rows',
    { tags: 'slow' },
    async () => {
      const table = fixture('isa/D04__s_MTBLS1693.txt');
      const bytes = await packed({
        's_MTBLS1693.txt': table,
        'i_Investigation.txt': INVESTIGATION.replace('s_mice.txt', 's_MTBLS1693.txt'),
      });
      const { status } = await server.uploadAndSettle(bytes, { name: 'MTBLS1693.zip' });
      expect(status.counts).toMatchObject({ created: 33, rejected: 0 });
    },
  );

  it.each(OVER_HTTP)('with %s is refused by name over HTTP', { tags: 'slow' }, async (_, words, make, most = 6) => {
    for (let at = 0; at < Math.min(most, PROOF ? 6 : 1); at++) {
      const { status, text, json } = await server.upload(make(at), { name: `archive-${at}.zip` });
      expect([status, text]).toEqual([expect.toBeOneOf([413, 422]), expect.stringMatching(/"code":"file\.[a-z-]+"/)]);
      expect(json<{ detail: string }>().detail).toMatch(words);
    }
  });

  it('that is good is read after all of these', { tags: 'slow' }, async () => {
    const { status } = await server.uploadAndSettle(gzipSync(TABLE('after')), { name: 'after.tsv.gz' });
    expect(status.counts.created).toBe(1);
  });
});
