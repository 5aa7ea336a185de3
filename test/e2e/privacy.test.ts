/** Nothing of one account's uploads reaches another account, and nothing at all reaches nobody. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, submissionIdOf } from '../support/api-caller.js';
import { SharedServer } from '../support/shared-server.js';

const SECRET = 'secret-of-alice';
const SHEET = `Sample Name\tRelease Date\tCharacteristics[note]\n${SECRET}-1\t2024-01-01\tx\n\t2024-01-01\t${SECRET}-bad\n`;

const ADDRESSES: [what: string, method: string, path: (id: string) => string][] = [
  ['the submission', 'GET', (id) => `/submissions/${id}`],
  ['its mapping', 'GET', (id) => `/submissions/${id}/mapping`],
  ['its result', 'GET', (id) => `/submissions/${id}/result`],
  ['its errors', 'GET', (id) => `/submissions/${id}/errors`],
  ['its original', 'GET', (id) => `/submissions/${id}/original`],
  ['its events', 'GET', (id) => `/submissions/${id}/events`],
  ['its retry', 'POST', (id) => `/submissions/${id}/retry`],
  ['its cancel', 'DELETE', (id) => `/submissions/${id}`],
];

let server: SharedServer;
let alice: string;
let bob: string;
let id: string;

beforeAll(async () => {
  server = await SharedServer.of('privacy');
  alice = await server.token('alice');
  bob = await server.token('bob');
  id = (await server.uploadAndSettle(SHEET, { token: alice, name: `${SECRET}.tsv` })).id;
});

function expectNothingReported(answer: Answer): void {
  expect(answer.text).not.toContain(SECRET);
  expect(JSON.stringify([...answer.headers])).not.toContain(SECRET);
}

describe('another account', () => {
  it.each(ADDRESSES)('gets 404 for %s', async (_what, method, path) => {
    const answer = await server.call(path(id), { method, token: bob });
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'submission.not-found', status: 404 });
    expectNothingReported(answer);
  });

  it('gets the same answer as for a submission that never was', async () => {
    const never = '0b7c6e0e-6f0f-4f0a-9f6a-3a4b5c6d7e8f';
    for (const [, method, path] of ADDRESSES) {
      const foreign = await server.call(path(id), { method, token: bob });
      const absent = await server.call(path(never), { method, token: bob });
      expect(foreign.text.replaceAll(id, never)).toBe(absent.text.replaceAll(id, never));
    }
  });

  it('does not see it in the list', async () => {
    expectNothingReported(await server.get('/submissions', { token: bob }));
  });

  it('uploading the same bytes gets a submission and samples of its own', async () => {
    const { id: own, answer } = await server.uploadAndSettle(SHEET, { token: bob, name: 'mine.tsv' });
    expect(own).not.toBe(id);
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
    const theirs = (await server.mapping(id, alice)).sampleNameAccessionPairs;
    const mine = (await server.mapping(own, bob)).sampleNameAccessionPairs;
    expect(mine[0]?.sampleAccession).not.toBe(theirs[0]?.sampleAccession);
  });

  it('using the same Idempotency-Key gets a submission of its own', async () => {
    const headers = { 'idempotency-key': 'one-key-for-two' };
    const file = (note: string) => `Sample Name\tRelease Date\tCharacteristics[n]\nkeyed\t2024-01-01\t${note}\n`;
    const first = await server.upload(file('a'), { token: alice, headers });
    const second = await server.upload(file('b'), { token: bob, headers });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(submissionIdOf(second)).not.toBe(submissionIdOf(first));
  });

  it('cannot update its samples: foreign and unknown accessions are refused as rows', async () => {
    const [pair] = (await server.mapping(id, alice)).sampleNameAccessionPairs;
    const sheet = `Sample Name\tRelease Date\tSample Identifier\tCharacteristics[note]\ntaken\t2024-01-01\t${pair?.sampleAccession}\tbob\n`;
    const { status } = await server.uploadAndSettle(sheet, { token: bob });
    expect(status.submissionStatus).toBe('FAILED');
    expect(status.counts).toMatchObject({ updated: 0, rejected: 1 });
    const sample = (await server.get(`/samples/${pair?.sampleAccession}`)).json();
    expect(sample).toMatchObject({ name: `${SECRET}-1`, submissionAccountId: 'privacy-alice' });
  });
});

describe('nobody', () => {
  it.each(ADDRESSES)('gets 401 for %s', async (_what, method, path) => {
    const answer = await server.call(path(id), { method, token: null });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expectNothingReported(answer);
  });

  it.each([
    ['the list', 'GET'],
    ['an upload', 'POST'],
  ])('gets 401 for %s', async (_what, method) => {
    expect((await server.call('/submissions', { method, token: null })).status).toBe(401);
  });

  it('gets 401 with a token that was never issued', async () => {
    const answer = await server.get(`/submissions/${id}`, { token: 'never-issued-never-issued' });
    expect(answer.status).toBe(401);
    expectNothingReported(answer);
  });
});

describe('an administrator and the owner', () => {
  it('see the submission, whose name and rows are whole', async () => {
    for (const token of [alice, server.adminToken]) {
      expect((await server.status(id, token)).fileName).toBe(`${SECRET}.tsv`);
      expect(await server.result(id, token)).toContain(`${SECRET}-1`);
    }
  });

  it('a token that may only read cannot upload', async () => {
    const reader = await server.token('alice', ['read']);
    const answer = await server.upload(SHEET, { token: reader });
    expect(answer.status).toBe(403);
    expect((await server.status(id, reader)).submissionId).toBe(id);
  });
});
