/** The same file many times at once: one submission, one set of samples. */
import { beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { plainSheet } from '../support/plain-sheet.js';
import { SharedServer } from '../support/shared-server.js';

describe('the same file sent 20 times at once', () => {
  let server: SharedServer;
  beforeAll(async () => {
    server = await SharedServer.of('the same file');
  });

  it.each([
    ['a small file with a key', 50, { 'idempotency-key': 'night-1' }],
    ['a large file without a key', 1_000, {}],
  ])('%s is one submission with one set of samples', async (tag, rows, headers) => {
    const sheet = plainSheet({ tag, rows });
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.upload(sheet, { headers })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([rows < 200 ? 201 : 202]));
    const ids = new Set(answers.map(submissionIdOf));
    expect(ids.size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') !== 'true')).toHaveLength(1);
    const [id] = [...ids] as [string];
    expect((await server.settled(id)).counts).toMatchObject({ rows, created: rows });
    expect(new Set(answers.map(({ text }) => text.split('RECEIPT')[0])).size).toBe(1);
  });

  it('with a key that came with another file is refused', async () => {
    const answer = await server.upload(plainSheet({ tag: 'other', rows: 5 }), {
      headers: { 'idempotency-key': 'night-1' },
    });
    expect(answer.status).toBe(422);
    expect(answer.json().code).toBe('submission.key-reused');
  });

  it('with duplicate=allow registers a second set', async () => {
    const sheet = plainSheet({ tag: 'twice', rows: 7 });
    const first = await server.uploadAndSettle(sheet);
    const second = await server.uploadAndSettle(sheet, { options: { duplicate: 'allow' } });
    expect(second.id).not.toBe(first.id);
    expect(second.status.counts.created).toBe(7);
    const accessions = [
      ...(await server.mapping(first.id)).sampleNameAccessionPairs,
      ...(await server.mapping(second.id)).sampleNameAccessionPairs,
    ];
    expect(new Set(accessions.map(({ sampleAccession }) => sampleAccession)).size).toBe(14);
  });

  it('uploaded by another account is another submission', async () => {
    const sheet = plainSheet({ tag: 'shared', rows: 3 });
    const first = await server.uploadAndSettle(sheet);
    const other = await server.uploadAndSettle(sheet, { token: await server.token('lab-2') });
    expect(other.id).not.toBe(first.id);
    expect(other.status.counts.created).toBe(3);
  });
});
