import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Database from '../../src/store/sqlite/driver.js';
import { type Answer, submissionIdOf } from '../support/api-caller.js';
import { generateSheet } from '../support/generated-sheet.js';
import { Random } from '../support/random.js';
import { startServer, type TestServer } from '../support/server.js';
import { toTsv } from './sheets.js';

const KINDS = ['created', 'updated', 'unchanged', 'rejected'] as const;
const FILES = process.env.PROOF === '1' ? 1000 : 16;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

interface Document {
  submissionId: string;
  submissionStatus: string;
  counts: Record<string, number>;
  problem?: { code: string; message: string };
}

interface Change {
  line: number;
  accession: string;
  column: string;
  before?: string;
  after?: string;
}

/** Everything that is registered: samples, their versions, what numbers were given. Undefined on other stores than SQLite. */
function storeHash(): string | undefined {
  const path = join(server.dataDir, 'registry.db');
  if (!existsSync(path)) return undefined;
  const database = new Database(path, { readonly: true });
  try {
    const hash = createHash('sha256');
    for (const table of [
      'sample',
      'sample_version',
      'sample_block',
      'sample_layout',
      'counter',
      'change',
      'curation',
      'curation_link',
      'structured_data',
    ]) {
      const where = table === 'counter' ? "where name = 'accession'" : '';
      hash.update(JSON.stringify(database.prepare(`select * from ${table} ${where} order by 1, 2`).all()));
    }
    return hash.digest('hex');
  } finally {
    database.close();
  }
}

async function dryRun(
  file: string,
  options: Record<string, string> = {},
): Promise<{ answer: Answer; id: string; document: Document }> {
  const answer = await server.upload(file, { options: { ...options, dryRun: 'true' } });
  const id = submissionIdOf(answer);
  return { answer, id, document: (await server.settled(id)) as unknown as Document };
}

const changesOf = async (id: string): Promise<Change[]> =>
  (await server.get(`/submissions/${id}/changes`)).json<{ changes: Change[] }>().changes;

async function commit(id: string): Promise<{ answer: Answer; document: Document }> {
  const answer = await server.call(`/submissions/${id}/commit`, { method: 'POST' });
  expect([201, 202], answer.text).toContain(answer.status);
  const { submissionId } = answer.json<Document>();
  return { answer, document: (await server.settled(submissionId)) as unknown as Document };
}

const rejectedLines = async (id: string): Promise<string[]> => {
  const { rejected } = (await server.get(`/submissions/${id}/errors?format=json`)).json<{
    rejected: { line: number; issues: { code: string }[] }[];
  }>();
  return rejected.map(({ line, issues }) => `${line} ${issues.map(({ code }) => code).join(' ')}`);
};

const fieldsOf = async (accession: string): Promise<string> => {
  const { update: _, ...rest } = (await server.get(`/samples/${accession}`)).json();
  return JSON.stringify(rest);
};

const HEADER = [
  'Sample Identifier',
  'Sample Name',
  'Release Date',
  'Characteristics[organism]',
  'Characteristics[age]',
  'Unit',
];

async function register(names: string[]): Promise<string[][]> {
  const rows = names.map((name) => ['', name, '2024-01-01', 'Homo sapiens', '3', 'years']);
  const { id } = await server.uploadAndSettle(toTsv([HEADER, ...rows]));
  const { sampleNameAccessionPairs } = await server.mapping(id);
  return rows.map((row, n) => [sampleNameAccessionPairs[n]?.sampleAccession ?? '', ...row.slice(1)]);
}

describe('a dry run', () => {
  it('writes nothing: new rows, updates, bad rows and rows that refer to each other', async () => {
    const rows = await register(['w1', 'w2', 'w3']);
    (rows[0] as string[])[4] = '4';
    const before = storeHash();
    const related = `Sample Name\tRelease Date\tComment[bsd_relationship:derived from]\nr1\t2024-01-01\tr2\nr2\t2024-01-01\t\n`;
    for (const file of [
      toTsv([HEADER, ...rows, ['', 'w4', '2024-01-01', 'x', '', ''], ['SAMR99999', 'w5', 'never', '', '', '']]),
      related,
    ]) {
      const { document, answer } = await dryRun(file);
      expect(document.counts.created).toBeGreaterThan(0);
      expect(answer.text).toContain('Dry run\tnothing was written');
    }
    expect(storeHash()).toBe(before);
    if (process.env.TEST_ENGINES !== 'many') expect(before).toBeDefined();
  });

  it('shows every cell that would change, before and after, and the result file lists the same', {
    tags: 'slow',
  }, async () => {
    const [first = [], second = []] = await register(['c1', 'c2']);
    const edited = [[first[0], 'c1 renamed', '2025-05-05', 'Homo sapiens', '', ''], second.with(4, '5')] as string[][];
    const { id, answer } = await dryRun(toTsv([HEADER, ...edited]));
    const accessions = [first[0], second[0]];
    const wanted: Change[] = [
      { line: 2, accession: accessions[0] as string, column: 'Sample Name', before: 'c1', after: 'c1 renamed' },
      {
        line: 2,
        accession: accessions[0] as string,
        column: 'Release Date',
        before: '2024-01-01T00:00:00.000Z',
        after: '2025-05-05T00:00:00.000Z',
      },
      { line: 2, accession: accessions[0] as string, column: 'Characteristics[age]', before: '3 years' },
      {
        line: 3,
        accession: accessions[1] as string,
        column: 'Characteristics[age]',
        before: '3 years',
        after: '5 years',
      },
    ];
    expect(await changesOf(id)).toEqual(wanted);
    for (const { line, column, before } of wanted)
      expect(answer.text).toContain(`line ${line}\t${column}\tchange\t${before}\t`);
  });

  it('of a kept column under update=merge shows only what merging changes', { tags: 'slow' }, async () => {
    const [row = []] = await register(['m1']);
    const file = toTsv([
      ['Sample Identifier', 'Sample Name', 'Release Date', 'Characteristics[age]'],
      [row[0] as string, 'm1', '2024-01-01', '7'],
    ]);
    const { id } = await dryRun(file, { update: 'merge' });
    expect(await changesOf(id)).toEqual([
      { line: 2, accession: row[0], column: 'Characteristics[age]', before: '3 years', after: '7' },
    ]);
  });
});

describe('the commit of a dry run', () => {
  it(`does exactly what was shown, for ${FILES} generated files: new, updating, mixed, with bad rows`, {
    tags: 'slow',
  }, async () => {
    const random = new Random(2024);
    let registered: string | undefined;
    const totals = { created: 0, updated: 0, unchanged: 0, rejected: 0 };
    for (let n = 0; n < FILES; n++) {
      const update = registered !== undefined && n % 2 === 1;
      const file = update ? edited(registered as string, random, n) : generateSheet(random, 3 + random.below(12)).text;
      const { id, document } = await dryRun(file, update && random.chance(0.3) ? { update: 'merge' } : {});
      const changes = await changesOf(id);
      const touched = [...new Set(changes.map(({ accession }) => accession))];
      const before = await Promise.all(touched.map(fieldsOf));
      const { document: done } = await commit(id);
      expect(done.counts, `file ${n}`).toEqual(document.counts);
      expect(await rejectedLines(done.submissionId)).toEqual(await rejectedLines(id));
      const after = await Promise.all(touched.map(fieldsOf));
      expect(touched.length).toBe(document.counts.updated);
      for (const [i, sample] of after.entries()) expect(sample, `file ${n}: ${touched[i]}`).not.toBe(before[i]);
      for (const kind of KINDS) totals[kind] += done.counts[kind] ?? 0;
      registered = await server.result(done.submissionId);
    }
    for (const kind of KINDS) expect(totals[kind], kind).toBeGreaterThan(FILES / 4);
  });

  it('leaves a sample alone that was changed since, and says so; the other rows are done; again changes nothing', async () => {
    const rows = await register(['p1', 'p2', 'p3']);
    const file = toTsv([HEADER, ...rows.map((row) => row.with(4, '9'))]);
    const { id, document } = await dryRun(file);
    expect(document.counts.updated).toBe(3);
    const accession = rows[1]?.[0] as string;
    const put = { accession, name: 'p2', release: '2024-01-01', characteristics: { organism: [{ text: 'by hand' }] } };
    expect((await server.send('PUT', `/samples/${accession}`, put)).status).toBe(200);
    const held = await fieldsOf(accession);
    const { document: done, answer } = await commit(id);
    expect(done.counts).toMatchObject({ updated: 2, rejected: 1 });
    expect(await rejectedLines(done.submissionId)).toEqual(['3 row.changed-since']);
    expect(await fieldsOf(accession)).toBe(held);
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
    const again = await commit(id);
    expect(again.answer.headers.get('idempotent-replayed')).toBe('true');
    expect(again.document.submissionId).toBe(done.submissionId);
  });

  it('all or nothing: one sample changed since, and nothing is written', async () => {
    const rows = await register(['a1', 'a2']);
    const { id } = await dryRun(toTsv([HEADER, ...rows.map((row) => row.with(4, '8'))]), { mode: 'atomic' });
    const accession = rows[0]?.[0] as string;
    await server.send('PUT', `/samples/${accession}`, {
      accession,
      name: 'a1',
      release: '2024-01-01',
      characteristics: {},
    });
    const before = storeHash();
    const { document } = await commit(id);
    expect(document).toMatchObject({ submissionStatus: 'FAILED', problem: { code: 'conflict' } });
    expect(document.problem?.message).toContain('line 2');
    expect(storeHash()).toBe(before);
  });

  it('shows the same changes as the upload that makes them, also when the samples were changed again since', {
    tags: 'slow',
  }, async () => {
    const rows = await register(['shown 1', 'shown 2', 'shown 3']);
    const edited = rows.map((row, n) => (n === 1 ? row : [...row.slice(0, 4), String(40 + n), row[5] as string]));
    const sheet = toTsv([HEADER, ...edited]);
    const foreseen = await changesOf((await dryRun(sheet)).id);
    expect(foreseen.map(({ before, after }) => [before, after])).toEqual([
      ['3 years', '40 years'],
      ['3 years', '42 years'],
    ]);
    const { id } = await server.uploadAndSettle(sheet);
    expect(await changesOf(id)).toEqual(foreseen);
    await server.uploadAndSettle(toTsv([HEADER, ...rows]));
    expect(await changesOf(id)).toEqual(foreseen);
  });

  it('registers a file once, however often it is dry-run, committed and uploaded', { tags: 'slow' }, async () => {
    const file = toTsv([HEADER, ['', 'once', '2024-01-01', 'Homo sapiens', '', '']]);
    const first = await dryRun(file);
    const second = await dryRun(file);
    const done = await commit(first.id);
    const other = await commit(second.id);
    const upload = await server.uploadAndSettle(file);
    expect(new Set([done.document.submissionId, other.document.submissionId, upload.id]).size).toBe(1);
    const third = await dryRun(file);
    expect(third.document.counts).toMatchObject({ created: 0, unchanged: 1 });
  });

  it.each([
    ["an administrator's, committed by its owner without that right", undefined, ['read', 'submit']],
    ["an owner's without that right, committed by an administrator", ['read', 'submit'], undefined],
  ])('%s, changes nothing of other accounts', { tags: 'slow' }, async (_, dryScopes, commitScopes) => {
    const bo = await server.token('bo');
    const row = (note: string, accession = '') =>
      toTsv([HEADER, [accession, 'theirs', '2024-01-01', 'Homo sapiens', note, '']]);
    const { id } = await server.uploadAndSettle(row('as bo wrote it'), { token: bo, options: { duplicate: 'allow' } });
    const accession = (await server.mapping(id)).sampleNameAccessionPairs[0]?.sampleAccession as string;
    const before = (await server.get(`/samples/${accession}`)).text;
    const tokenOf = async (scopes?: string[]) => (scopes ? { token: await server.token('admin', scopes) } : {});
    const dry = await server.uploadAndSettle(row('changed', accession), {
      options: { dryRun: 'true' },
      ...(await tokenOf(dryScopes)),
    });
    const answer = await server.call(`/submissions/${dry.id}/commit`, {
      method: 'POST',
      ...(await tokenOf(commitScopes)),
    });
    expect([201, 202]).toContain(answer.status);
    const done = await server.settled(answer.json<Document>().submissionId);
    expect(done.counts).toMatchObject({ updated: 0, rejected: 1 });
    expect((await server.get(`/samples/${accession}`)).text).toBe(before);
  });

  it('is refused of what is no finished dry run, and to others', async () => {
    const { id } = await server.uploadAndSettle(toTsv([HEADER, ['', 'no', '2024-01-01', 'x', '', '']]));
    expect((await server.call(`/submissions/${id}/commit`, { method: 'POST' })).status).toBe(409);
    // An upload lists what it has changed (this one: nothing), since the page shows old and new of every update.
    expect(await changesOf(id)).toEqual([]);
    const dry = await dryRun(toTsv([HEADER, ['', 'mine', '2024-01-01', 'x', '', '']]));
    const token = await server.token('someone-else');
    expect((await server.call(`/submissions/${dry.id}/commit`, { method: 'POST', token })).status).toBe(404);
    const reader = await server.token('admin', ['read']);
    expect((await server.call(`/submissions/${dry.id}/commit`, { method: 'POST', token: reader })).status).toBe(403);
  });
});

/** A result file with a few words changed, a name taken away here and there, and a new row. */
function edited(result: string, random: Random, tag: number): string {
  const [table = ''] = result.split('\n\n*');
  const lines = table.split('\n').filter((line) => line !== '');
  const [header = '', ...rows] = lines;
  const identifier = header.split('\t').findIndex((text) => /identifier/i.test(text));
  const changed = rows.map((row) =>
    random.chance(0.4) ? row.replace('liver', `liver ${tag}`).replace(/\bx;y\b/, `x ${tag}`) : row,
  );
  const fresh = rows.slice(0, 2).map((row) => {
    const cells = row.split('\t');
    cells[identifier] = random.chance(0.7) ? '' : 'SAMR777777';
    return cells.join('\t');
  });
  return [header, ...changed, ...fresh, ''].join('\n');
}
