/** @module-tag slow */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXTURES_DIR, hasFixtures, withoutFixtures } from '../support/fixtures.js';
import { Random } from '../support/random.js';
import { startServer, type TestServer } from '../support/server.js';
import { fromTsv, fromXlsx, type Table, toTsv, toXlsx } from './sheets.js';

let server: TestServer;
beforeAll(async () => {
  const missing = withoutFixtures('templates of the checklists of the field');
  server = await startServer({ env: missing ? {} : { CHECKLISTS_DIR: join(FIXTURES_DIR, 'checklists') } });
});
afterAll(() => server?.stop());

interface Field {
  name: string;
  required: boolean;
  allowedValues?: string[];
  allowedUnits?: string[];
}

/** Rows after the example, each with a name of its own and any of the allowed values and units. */
function fill(template: Table, fields: Field[], random: Random, tag: string): Table {
  const [header = [], example = []] = template;
  const rows = Array.from({ length: 25 }, (_, n) =>
    header.map((text, column) => {
      if (column === 0) return `${tag}-${n}`;
      const owner = header.slice(0, column + 1).findLast((each) => each.startsWith('Characteristics['));
      const field = fields.find(({ name }) => owner === `Characteristics[${name}]`);
      const choices = text === 'Unit' ? field?.allowedUnits : text === owner ? field?.allowedValues : undefined;
      return choices ? random.pick(choices) : (example[column] ?? '');
    }),
  );
  return [header, ...rows];
}

async function templateOf(id: string, format: string): Promise<{ bytes: Buffer; table: Table }> {
  const answer = await server.get(`/checklists/${id}/template?format=${format}`);
  expect(answer.status).toBe(200);
  return { bytes: answer.bytes, table: format === 'tsv' ? fromTsv(answer.text) : await fromXlsx(answer.bytes) };
}

async function expectClean(file: string | Buffer, id: string, format: string, rows: number): Promise<void> {
  const { status } = await server.uploadAndSettle(file, { name: `t.${format}`, options: { checklist: id } });
  const wanted = { rows, created: rows, rejected: 0 };
  expect(status.counts, `${id} ${format} ${JSON.stringify(status.issues)}`).toMatchObject(wanted);
  expect(status.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
}

/** The untouched template: its only fault is that its row is still the example. */
async function expectExampleRefused(file: Buffer, id: string, format: string): Promise<void> {
  const { status } = await server.uploadAndSettle(file, { name: `t.${format}`, options: { checklist: id } });
  expect(status.counts, `${id} ${format}`).toMatchObject({ rows: 1, created: 0, rejected: 1 });
  const errors = status.issues.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ code }) => code)).toEqual(['name.example']);
}

describe('templates', () => {
  it('every template, as TSV and as workbook, uploads with 0 errors once filled, and its example is no sample', async () => {
    const random = new Random(7);
    const list = await server.get('/checklists');
    const { checklists } = list.json<{ _embedded: { checklists: { id: string; required: string[] }[] } }>()._embedded;
    expect(checklists.length).toBe(hasFixtures ? 6 : 4);
    for (const { id, required } of checklists) {
      const { fields } = (await server.get(`/checklists/${id}`)).json<{ fields: Field[] }>();
      for (const format of ['tsv', 'xlsx']) {
        const { bytes, table } = await templateOf(id, format);
        expect(table[0]).toEqual(expect.arrayContaining(required.map((name) => `Characteristics[${name}]`)));
        const filled = fill(table, fields, random, `${id}-${format}`);
        await expectExampleRefused(bytes, id, format);
        await expectClean(format === 'tsv' ? toTsv(filled) : await toXlsx(filled), id, format, 25);
      }
    }
  });

  it('fields= keeps the required columns and those that are named, known or not', async () => {
    const [header] = fromTsv(
      (await server.get('/checklists/human-associated/template?fields=host%20age,My%20own')).text,
    );
    expect(new Set(header)).toEqual(
      new Set([
        'Sample Name',
        'Release Date',
        'Characteristics[organism]',
        'Characteristics[host body site]',
        'Characteristics[collection date]',
        'Characteristics[geographic location (country and/or sea)]',
        'Characteristics[host age]',
        'Unit',
        'Characteristics[My own]',
        'Characteristics[checklist]',
      ]),
    );
    expect(header).toHaveLength(10);
  });

  it('the workbook explains every column and keeps its lists out of sight', async () => {
    const { bytes } = await server.get('/checklists/plant/template?format=xlsx');
    const guidance = await fromXlsx(bytes, 'Guidance');
    const [header] = await fromXlsx(bytes);
    expect(guidance.slice(1, 1 + (header?.length ?? 0)).map(([column]) => column)).toEqual(header);
    expect(await fromXlsx(bytes, 'Lists')).not.toHaveLength(0);
  });
});

describe('existing samples as a sheet', () => {
  const sheet = [
    'Sample Name\tRelease Date\tCharacteristics[organism]\tTerm Source REF\tTerm Accession Number\tCharacteristics[age]\tUnit\tTerm Accession Number\tCharacteristics[tag]\tCharacteristics[tag]\tComment[bsd_relationship:derived from]\tComment[external DB REF]\tComment[submission_contact:Name]\tComment[submission_contact:E-mail]\tComment[submission_contact:Name]\tComment[publication:doi]',
    'A\t2024-01-01\tHomo sapiens\tNCBITaxon\t9606\t3\tyears\tUO:0000036\tx\ty\tB\thttps://example.org/a\tAnn\ta@example.org\tBob\t10.1/x',
    'B\t2034-01-01T10:00:00+02:00\tMus "musculus"\t\t\t\t\t\t\tz\t\t\t\t\t\t',
    '',
  ].join('\n');

  it('downloaded and uploaded unchanged gives 0 changes: samples of sheets and of requests, in both formats', async () => {
    const { id } = await server.uploadAndSettle(sheet);
    const json = {
      name: 'J',
      release: '2020-05-05T05:05:05.050Z',
      characteristics: {
        zeta: [{ text: 'first' }, { text: '"quoted"\tand\nbroken' }],
        organism: [
          { text: 'Homo sapiens', ontologyTerms: ['http://purl.obolibrary.org/obo/NCBITaxon_9606', 'NCBITaxon:9606'] },
        ],
        'odd [name]': [{ text: '5', unit: 'mm' }],
        __proto__x: [{ text: 'é😀' }],
      },
      relationships: [
        { type: 'same as', target: 'SAMEA1' },
        { type: 'derived from', target: 'SAMEA2' },
        { type: 'same as', target: 'SAMEA3' },
      ],
      externalReferences: [{ url: 'https://example.org/1' }, { url: 'https://example.org/2' }],
    };
    const made = (await server.send('POST', '/samples', json)).json<{ accession: string }>();
    const { sampleNameAccessionPairs: pairs } = await server.mapping(id);
    const accessions = [...pairs.map(({ sampleAccession }) => sampleAccession), made.accession];
    for (const format of ['tsv', 'xlsx']) {
      const wholes = [
        [`accession=${accessions.join(',')}`, 3],
        [`submission=${id}`, 2],
      ] as const;
      for (const [query, rows] of wholes) {
        const file = await server.get(`/samples/template?${query}&format=${format}`);
        expect(file.status, file.text).toBe(200);
        const { status, id: upload } = await server.uploadAndSettle(file.bytes, { name: `edit.${format}` });
        const result = await server.result(upload);
        expect(status.counts, result).toEqual({ rows, created: 0, updated: 0, unchanged: rows, rejected: 0 });
      }
    }
  });

  it('a sample that a sheet cannot hold is left out, named in a remark that is skipped on upload', async () => {
    const made = (
      await server.send('POST', '/samples', { name: 'T', release: '2020-01-01', taxId: 9606, characteristics: {} })
    ).json<{ accession: string }>();
    const other = (
      await server.send('POST', '/samples', { name: 'U', release: '2020-01-01', characteristics: {} })
    ).json<{ accession: string }>();
    const file = await server.get(`/samples/template?accession=${made.accession}&accession=${other.accession}`);
    expect(file.text).toContain(`# ${made.accession} is left out`);
    const { status } = await server.uploadAndSettle(file.bytes);
    expect(status.counts).toEqual({ rows: 1, created: 0, updated: 0, unchanged: 1, rejected: 0 });
  });

  it('more samples than an address holds are asked for by POST, up to the documented number', async () => {
    const rows = Array.from({ length: 900 }, (_, at) => `many ${at}\t2024-01-01\n`).join('');
    const { id } = await server.uploadAndSettle(`Sample Name\tRelease Date\n${rows}`);
    const accessions = (await server.mapping(id)).sampleNameAccessionPairs.map(
      ({ sampleAccession }) => sampleAccession,
    );
    const file = await server.send('POST', '/samples/template', { accessions });
    expect(file.status, file.text.slice(0, 500)).toBe(200);
    expect(file.headers.get('content-disposition')).toContain('attachment');
    expect(file.text.split('\n').filter((line) => line.includes('many ')).length).toBe(900);
    const { status } = await server.uploadAndSettle(file.bytes);
    expect(status.counts).toEqual({ rows: 900, created: 0, updated: 0, unchanged: 900, rejected: 0 });
    const many = Array.from({ length: 10_001 }, (_, at) => `SAMR${at + 1}`);
    const refused = await server.send('POST', '/samples/template', { accessions: many });
    expect([refused.status, refused.json<{ detail: string }>().detail]).toEqual([
      400,
      expect.stringContaining('at most 10000 samples'),
    ]);
    expect((await server.send('POST', '/samples/template', { accessions: [] })).status).toBe(400);
  });

  it('private samples and submissions of others stay theirs', async () => {
    const made = (
      await server.send('POST', '/samples', { name: 'P', release: '2099-01-01', characteristics: {} })
    ).json<{ accession: string }>();
    const { id } = await server.uploadAndSettle('Sample Name\tRelease Date\nQ\t2024-01-01\n');
    const token = await server.token('stranger');
    expect((await server.get(`/samples/template?accession=${made.accession}`, { token })).status).toBe(403);
    expect((await server.get(`/samples/template?accession=${made.accession}`, { token: null })).status).toBe(403);
    expect((await server.get(`/samples/template?submission=${id}`, { token })).status).toBe(404);
    expect((await server.get(`/samples/template?submission=${id}`, { token: null })).status).toBe(401);
    const asked = { accessions: [made.accession] };
    expect((await server.send('POST', '/samples/template', asked, { token })).status).toBe(403);
    expect((await server.send('POST', '/samples/template', asked, { token: null })).status).toBe(403);
    expect((await server.get('/samples/template')).status).toBe(400);
    expect((await server.get('/samples/template?accession=SAMR999999')).status).toBe(404);
  });
});
