/**
 * Checks between cells, from the upload to the receipt: warnings at first, errors where a checklist says so.
 *
 * @module-tag slow
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChecklists } from '../../src/checklists/open.js';
import { SENSE_CODES } from '../../src/registry/issue-codes.js';
import { startServer, type TestServer } from '../support/server.js';

const CODES: readonly string[] = SENSE_CODES;
const HEADER = 'Sample Name\tRelease Date\torganism\ttax id\tcountry\tlat_lon\tcollection date\tdisease\tbarcode';

/** Each row is wrong in one thing, but the first ones. */
const rows = (tag: string): string[] =>
  [
    ['Homo sapiens', '9606', 'Germany', '52.5 13.4', '2023-01-01', 'flu', 'b1'],
    ['Homo sapiens', '9606', 'Germany', '52.6 13.4', '2023-01-01', 'COVID-19', 'b2'],
    ['Homo sapiens', '9606', 'Germany', '52.7 13.4', '2023-01-01', 'COVID-20', 'b3'],
    ['Homo sapiens', '9606', 'Germany', '52.8 13.4', '2023-01-01', 'COVID-21', 'b4'],
    ['Homo sapiens', '9607', 'Germany', '52.9 13.4', '2023-01-01', 'flu', 'b5'],
    ['Homo sapiens', '9606', 'Germany', '13.4 52.9', '2023-01-01', 'flu', 'b6'],
    ['Homo sapiens', '9606', 'Germany', '52.9 13.4', '2024-05-01', 'flu', 'b7'],
    ['Homo sapiens', '9606', 'Germany', '52.5 13.4', '2023-01-01', 'flu', 'b1'],
  ].map((cells, at) => [`${tag}-${at + 2}`, '2024-01-01', ...cells].join('\t'));

const sheet = (tag: string): string => `${[HEADER, ...rows(tag)].join('\n')}\n`;
const schema = (id: string, raised: unknown) => JSON.stringify({ $id: id, type: 'object', 'x-errors': raised });

describe('sense between cells', () => {
  let folder: string;
  let server: TestServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'checklists-'));
    writeFileSync(join(folder, 'strict.json'), schema('strict', CODES));
    writeFileSync(join(folder, 'places.json'), schema('places', ['suspect.place']));
    server = await startServer({ env: { CHECKLISTS_DIR: folder } });
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const said = async (tag: string, options: Record<string, string>) => {
    const { id, status } = await server.uploadAndSettle(sheet(tag), { name: `${tag}.tsv`, options });
    const issues = status.issues.filter(({ code }) => CODES.includes(code));
    return { id, status, said: issues.map(({ severity, code, lines }) => [severity, code, ...lines]).sort() };
  };

  it('is in the status and the receipt as warnings, and every row is registered', async () => {
    const { id, status, said: found } = await said('warned', {});
    expect(status.counts).toMatchObject({ created: 8, rejected: 0 });
    expect(found).toEqual([
      ['warning', 'suspect.organism', 6],
      ['warning', 'suspect.place', 7],
      ['warning', 'suspect.repeated', 9],
      ['warning', 'suspect.series', 4, 5],
      ['warning', 'suspect.time', 8],
    ]);
    const result = await server.get(`/submissions/${id}/result`);
    expect(result.text).toContain('in disease goes on a series that begins on line 3');
    expect(result.text).toMatch(/in tax id is not the taxonomy id of .*; 9606\?/);
  });

  it('rejects its rows where the checklist says so, of this code or of all', async () => {
    const places = await said('places', { checklist: 'places' });
    expect(places.status.counts).toMatchObject({ created: 7, rejected: 1 });
    expect(places.said.filter(([severity]) => severity === 'error')).toEqual([['error', 'suspect.place', 7]]);
    expect(places.said).toContainEqual(['warning', 'suspect.organism', 6]);
    const strict = await said('strict', { checklist: 'strict' });
    expect(strict.said.filter(([severity]) => severity === 'error')).toEqual([
      ['error', 'suspect.organism', 6],
      ['error', 'suspect.place', 7],
      ['error', 'suspect.repeated', 9],
      ['error', 'suspect.series', 5],
      ['error', 'suspect.time', 8],
    ]);
    expect(strict.status.counts).toMatchObject({ created: 3, rejected: 5 });
  });

  it('all or nothing counts them, and a row names its own checklist', async () => {
    const atomic = await said('atomic', { checklist: 'places', mode: 'atomic' });
    expect(atomic.status.counts).toMatchObject({ created: 0, rejected: 8 });
    const named = `${HEADER}\tchecklist\n${rows('named')
      .map((row, at) => `${row}\t${at === 5 ? 'minimal' : 'places'}`)
      .join('\n')}\n`;
    const { status } = await server.uploadAndSettle(named, { name: 'named.tsv' });
    expect(status.counts).toMatchObject({ created: 8, rejected: 0 });
  });

  it('a checklist that names something else is refused at the start', () => {
    const wrong = mkdtempSync(join(tmpdir(), 'checklists-'));
    try {
      writeFileSync(join(wrong, 'wrong.json'), schema('wrong', ['suspect.case']));
      expect(() => openChecklists(wrong)).toThrow(/wrong\.json: "x-errors" is a list of some of suspect\.organism/);
    } finally {
      rmSync(wrong, { recursive: true });
    }
  });
});
