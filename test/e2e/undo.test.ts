import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killAtWork } from '../faults/kill-at-work.js';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';
import { toTsv } from './sheets.js';

let server: TestServer;
beforeAll(async () => {
  // A killed worker's lease runs out soon.
  server = await startServer({ env: { LEASE_SECONDS: '3' } });
});
afterAll(() => server?.stop());

interface Document {
  submissionId: string;
  submissionStatus: string;
  counts: Record<string, number>;
}

/** What a sample says, without the clock of its last change. */
const contentOf = async (accession: string): Promise<Record<string, unknown>> => {
  const { update: _, submittedVia: __, ...content } = (await server.get(`/samples/${accession}`)).json();
  return content;
};

const contentsOf = (accessions: readonly string[]) => Promise.all(accessions.map(contentOf));

async function undo(id: string): Promise<{ replayed: boolean; document: Document }> {
  const answer = await server.call(`/submissions/${id}/undo`, { method: 'POST' });
  expect([201, 202], answer.text).toContain(answer.status);
  const { submissionId } = answer.json<Document>();
  const document = (await server.settled(submissionId)) as unknown as Document;
  return { replayed: answer.headers.get('idempotent-replayed') === 'true', document };
}

const accessionsOf = async (id: string): Promise<string[]> =>
  (await server.mapping(id)).sampleNameAccessionPairs.map(({ sampleAccession }) => sampleAccession);

describe('undo', () => {
  it('content before the upload = content after the undo; what was created is KILLED and keeps its accession; again changes nothing', async () => {
    const first = await server.uploadAndSettle(plainSheet({ tag: 'u', rows: 30 }));
    const accessions = await accessionsOf(first.id);
    const put = {
      accession: accessions[3],
      name: 'u_3',
      release: '2031-01-01',
      characteristics: { 'by hand': [{ text: 'x' }] },
    };
    await server.send('PUT', `/samples/${accessions[3]}`, put);
    const before = await contentsOf(accessions);
    const changed = `${plainSheet({ tag: 'u', rows: 30, accessions, note: 'second' })}fresh\t2024-01-01\tMus musculus\t\t\t\t\n`;
    const upload = await server.uploadAndSettle(changed);
    expect(upload.status.counts).toMatchObject({ created: 1, updated: 30 });
    const fresh = (await accessionsOf(upload.id)).find((accession) => !accessions.includes(accession)) as string;
    expect(await contentsOf(accessions)).not.toEqual(before);

    const { document } = await undo(upload.id);
    expect(document).toMatchObject({ submissionStatus: 'COMPLETED', counts: { rows: 31, updated: 31, rejected: 0 } });
    expect(await contentsOf(accessions)).toEqual(before);
    expect(await contentOf(fresh)).toMatchObject({ accession: fresh, status: 'KILLED', name: 'fresh' });
    const history = await server.get(`/samples/${accessions[0]}/history`);
    expect(history.text).toContain(document.submissionId);

    const after = await contentsOf([...accessions, fresh]);
    const again = await undo(upload.id);
    expect(again).toMatchObject({ replayed: true, document: { submissionId: document.submissionId } });
    expect(await contentsOf([...accessions, fresh])).toEqual(after);
    const next = await server.uploadAndSettle(plainSheet({ tag: 'later', rows: 1 }));
    expect((await accessionsOf(next.id))[0]).not.toBe(fresh);
  });

  it('says how far it has come like any reading, and is offered no more once it is done', {
    tags: 'slow',
  }, async () => {
    const links = async (id: string) => Object.keys((await server.status(id))._links as object);
    const first = await server.uploadAndSettle(plainSheet({ tag: 'far', rows: 700 }));
    expect(await links(first.id)).toContain('undo');
    const { document } = await undo(first.id);
    const undone = await server.status(first.id);
    expect(undone).toMatchObject({ undoneBy: document.submissionId });
    expect(await links(first.id)).not.toContain('undo');
    const { bytesRead, fileSize } = (await server.status(document.submissionId)) as unknown as Record<string, number>;
    expect(bytesRead).toBe(fileSize);
    const listed = (await server.get('/submissions?size=200')).json<{
      _embedded: { submissions: { submissionId: string; undoneBy?: string }[] };
    }>()._embedded.submissions;
    expect(
      listed.filter(({ undoneBy }) => undoneBy === document.submissionId).map(({ submissionId }) => submissionId),
    ).toEqual([first.id]);
  });

  it('rows whose sample was changed since are skipped, listed, and left as they are', async () => {
    const first = await server.uploadAndSettle(plainSheet({ tag: 's', rows: 3 }));
    const accessions = await accessionsOf(first.id);
    const second = await server.uploadAndSettle(plainSheet({ tag: 's', rows: 3, accessions, note: 'second' }));
    const put = { accession: accessions[1], name: 's_1', release: '2024-01-15', characteristics: {} };
    await server.send('PUT', `/samples/${accessions[1]}`, put);
    const held = await contentOf(accessions[1] as string);
    const { document } = await undo(second.id);
    expect(document).toMatchObject({ submissionStatus: 'COMPLETED_WITH_ERRORS', counts: { updated: 2, rejected: 1 } });
    const { rejected } = (await server.get(`/submissions/${document.submissionId}/errors?format=json`)).json<{
      rejected: { line: number; issues: { code: string; message: string }[] }[];
    }>();
    expect(rejected).toMatchObject([{ line: 3, issues: [{ code: 'row.changed-since' }] }]);
    expect(await contentOf(accessions[1] as string)).toEqual(held);
    const { document: whole } = await undo(first.id);
    expect(whole.counts).toMatchObject({ rejected: 3 });
  });

  it('rejected and unchanged rows of the upload have nothing to take back', { tags: 'slow' }, async () => {
    const sheet = plainSheet({ tag: 'r', rows: 6, badEvery: 3 });
    const { id } = await server.uploadAndSettle(sheet);
    const { document } = await undo(id);
    expect(document.counts).toEqual({ rows: 4, created: 0, updated: 4, unchanged: 0, rejected: 0 });
    const anew = await server.uploadAndSettle(sheet);
    expect(anew.status.counts, 'the same file registers anew after its undo').toMatchObject({
      created: 4,
      rejected: 2,
    });
    expect(anew.id).not.toBe(id);
  });

  it('is refused of dry runs, of undos, and to others', async () => {
    const file = toTsv([
      ['Sample Name', 'Release Date'],
      ['n', '2024-01-01'],
    ]);
    const dry = await server.uploadAndSettle(file, { options: { dryRun: 'true' } });
    expect((await server.call(`/submissions/${dry.id}/undo`, { method: 'POST' })).status).toBe(409);
    const { id } = await server.uploadAndSettle(file);
    const token = await server.token('not-the-owner');
    expect((await server.call(`/submissions/${id}/undo`, { method: 'POST', token })).status).toBe(404);
    const { document } = await undo(id);
    expect((await server.call(`/submissions/${document.submissionId}/undo`, { method: 'POST' })).status).toBe(409);
  });

  it('over several batches is done at the first attempt', { tags: 'slow' }, async () => {
    const rows = 6_000;
    const { id } = await server.uploadAndSettle(plainSheet({ tag: 'batches', rows }));
    const { document } = await undo(id);
    expect(document.counts).toMatchObject({ rows, updated: rows, rejected: 0 });
    const status = await server.status(document.submissionId);
    expect(status.attempts).toBe(1);
    expect(status.setbacks).toBeUndefined();
  });

  it('killed half-way and repeated: the same end', { tags: 'slow' }, async () => {
    const rows = 12_000;
    const first = await server.uploadAndSettle(plainSheet({ tag: 'k', rows }));
    const accessions = await accessionsOf(first.id);
    const looked = accessions.filter((_, n) => n % 400 === 0);
    const before = await contentsOf(looked);
    const second = await server.uploadAndSettle(plainSheet({ tag: 'k', rows, accessions, note: 'second' }));
    expect(second.status.counts.updated).toBe(rows);
    const answer = await server.call(`/submissions/${second.id}/undo`, { method: 'POST' });
    const { submissionId } = answer.json<Document>();
    // Each time after another batch or more.
    for (let kills = 0, undone = 0; kills < 2; kills++) {
      expect(await killAtWork(server, [submissionId], ({ counts }) => counts.rows > undone)).toBe(submissionId);
      undone = (await server.status(submissionId)).counts.rows;
    }
    const status = await server.settled(submissionId);
    expect(status).toMatchObject({ submissionStatus: 'COMPLETED', counts: { rows, updated: rows, rejected: 0 } });
    expect(await contentsOf(looked)).toEqual(before);
    const { document, replayed } = await undo(second.id);
    expect([document.submissionId, replayed]).toEqual([submissionId, true]);
  });
});
