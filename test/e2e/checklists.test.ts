/** @module-tag slow */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture, withoutFixtures } from '../support/fixtures.js';
import { startServer, type TestServer } from '../support/server.js';
import { toTsv } from './sheets.js';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'checklists-'));
  const asynchronous = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://lab.example/checklists/lab/1.0.0',
    $async: true,
    required: ['attributes'],
    properties: {
      attributes: {
        required: ['age'],
        properties: {
          age: {
            items: {
              $async: true,
              required: ['units'],
              properties: { value: { pattern: '^\\d+$' }, units: { enum: ['years', 'days'] } },
            },
          },
        },
      },
    },
  };
  writeFileSync(join(folder, 'lab.json'), JSON.stringify(asynchronous));
  server = await startServer({ env: { CHECKLISTS_DIR: folder, DEFAULT_CHECKLIST: 'minimal' } });
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Problem {
  code: string;
  errors: { dataPath: string; errors: string[] }[];
}

const sample = (characteristics: object) => ({
  name: 'S',
  release: '2024-01-01T00:00:00Z',
  update: '2024-01-01T00:00:00Z',
  characteristics,
});
const bad = sample({ checklist: [{ text: 'lab' }], age: [{ text: 'old', unit: 'year' }] });
const good = sample({ checklist: [{ text: 'lab' }], age: [{ text: '3', unit: 'years' }] });

describe('a checklist in the other spelling, marked $async, from CHECKLISTS_DIR', () => {
  it('is held to by /validate, POST, PUT and uploads alike; an invalid record never passes', async () => {
    const made = (await server.send('POST', '/samples', good)).json<{ accession: string }>();
    const tries: [string, string, object][] = [
      ['POST', '/validate', bad],
      ['POST', '/samples', bad],
      ['PUT', `/samples/${made.accession}`, { ...bad, accession: made.accession }],
    ];
    for (const [method, path, body] of tries) {
      const answer = await server.send(method, path, body);
      expect([path, answer.status]).toEqual([path, 422]);
      const paths = answer.json<Problem>().errors.map(({ dataPath }) => dataPath);
      expect(paths.toSorted()).toEqual(['/characteristics/age/0/text', '/characteristics/age/0/unit']);
    }
    const header = ['Sample Name', 'Release Date', 'Characteristics[age]', 'Unit', 'Characteristics[checklist]'];
    const rows = [
      ['a', '2024-01-01', 'old', 'year', 'lab'],
      ['b', '2024-01-01', '3', 'years', 'LAB'],
    ];
    const { status } = await server.uploadAndSettle(toTsv([header, ...rows]));
    expect(status.counts).toMatchObject({ created: 1, rejected: 1 });
    expect(status.issues.map(({ code, column, lines }) => [code, column, lines])).toEqual([
      ['checklist.form', 'Characteristics[age]', [2]],
      ['checklist.unit', 'Unit', [2]],
    ]);
  });

  it('stands among the others, with its fields and its schema as written', async () => {
    const list = (await server.get('/checklists', { token: null })).json<{
      _embedded: { checklists: { id: string }[] };
    }>();
    expect(list._embedded.checklists.map(({ id }) => id)).toEqual([
      'human-associated',
      'minimal',
      'pathogen',
      'plant',
      'lab',
    ]);
    expect((await server.get('/checklists/lab')).json()).toMatchObject({
      id: 'lab',
      version: '1.0.0',
      required: ['age'],
      fields: [{ name: 'age', unitRequired: true }],
    });
    expect((await server.get('/checklists/lab/schema')).json()).toMatchObject({ $async: true });
    expect((await server.get('/checklists/nosuch')).status).toBe(404);
  });
});

describe('DEFAULT_CHECKLIST', () => {
  it('holds for samples that name none, in requests and sheets; the option of an upload goes before it', async () => {
    expect((await server.send('POST', '/samples', sample({ age: [{ text: '3' }] }))).status).toBe(422);
    const file = 'Sample Name\tRelease Date\tCharacteristics[age]\tUnit\nD\t2024-01-01\t3\tyears\n';
    const refused = await server.uploadAndSettle(file);
    expect(refused.status).toMatchObject({
      submissionStatus: 'FAILED',
      issues: [{ code: 'checklist.missing', column: 'Characteristics[organism]' }],
    });
    const taken = await server.uploadAndSettle(file, { options: { checklist: 'lab', duplicate: 'allow' } });
    expect(taken.status.counts).toMatchObject({ created: 1, rejected: 0 });
  });

  it('an unknown one in a request or an option is refused with the known ones named', async () => {
    const request = await server.send('POST', '/samples', sample({ checklist: [{ text: 'labb' }] }));
    expect(request.status).toBe(422);
    expect(request.text).toContain('minimal, pathogen, plant, lab');
    const upload = await server.upload('Sample Name\tRelease Date\nx\t2024-01-01\n', {
      options: { checklist: 'labb' },
    });
    expect([upload.status, upload.json<Problem>().code]).toEqual([422, 'checklist.unknown']);
  });

  it.skipIf(withoutFixtures('a table without characteristics'))(
    'a real table without an organism: row error, organism missing',
    async () => {
      const { status } = await server.uploadAndSettle(fixture('isa/D11__s_minimal.txt'), {
        options: { releaseDate: '2024-01-01' },
      });
      expect(status).toMatchObject({
        counts: { rows: 1, rejected: 1 },
        // The table holds nothing but names, which is said as well.
        issues: [
          { code: 'checklist.missing', column: 'Characteristics[organism]' },
          { code: 'sheet.nothing-stored', severity: 'warning' },
        ],
      });
    },
  );
});
