/** `GET /submissions`: which submissions an address means, and where the list goes on. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { downloads } from '../../../src/http/downloads.js';
import { downloadResults, listSubmissions } from '../../../src/http/routes/submission-list.js';
import { RegistryError } from '../../../src/registry/errors.js';
import type { Results } from '../../../src/submissions/results/results.js';
import type { Uploads } from '../../../src/submissions/uploads/uploads.js';
import { type Ask, routed } from './routed.js';

const ID = '0b7c6e0e-6f0f-4f0a-9f6a-3a4b5c6d7e8f';
const READ = { as: ['read'] as const };

const ENDED = {
  id: ID,
  fileName: 'mine.tsv',
  state: 'COMPLETED',
  counts: { rows: 1, created: 1, updated: 0, unchanged: 0, rejected: 0 },
  options: {},
  updated: 0,
};

let ask: Ask;
let end: () => void;
let asked: unknown[][] = [];
let page: { submissions: unknown[]; next?: string } = { submissions: [] };
beforeAll(async () => {
  const parts = {
    uploads: {
      list: async (...given: unknown[]) => {
        asked.push(given);
        return page;
      },
      find: async (id: string) => {
        asked.push([id]);
        if (!id.startsWith(ID)) throw new RegistryError('submission.not-found', 'none');
        return ENDED;
      },
    } as unknown as Uploads,
    results: { result: () => ['Sample Identifier\nSAMR1\n'] } as unknown as Results,
    documents: async (_: unknown, submissions: readonly unknown[]) => submissions as Record<string, unknown>[],
  };
  ({ ask, end } = await routed((context) => {
    const list = listSubmissions(context, parts);
    const results = downloadResults(context, parts, downloads());
    return (request, response, next) =>
      request.path === '/results' ? results(request, response) : list(request, response, next);
  }));
});
afterAll(() => end());
beforeEach(() => {
  asked = [];
  page = { submissions: [] };
});

const wanted = async (query: string) => {
  const answer = await ask(`/?${query}`, READ);
  expect(answer.status, answer.text).toBe(200);
  return asked.at(-1)?.[1];
};
const refusal = async (query: string, path = '/') => {
  const { status, body } = await ask(`${path}?${query}`, READ);
  expect([status, body.code, asked]).toEqual([400, 'request.invalid', []]);
  return body.detail;
};

describe('the list of submissions', () => {
  it('needs a token, and is that of who asks', async () => {
    for (const path of ['/', '/results']) expect((await ask(path)).status).toBe(401);
    await ask('/', { as: ['read'] });
    await ask('/', { as: ['admin'] });
    expect(asked.map(([reader]) => reader)).toEqual([
      { account: 'lab-7', admin: false },
      { account: 'lab-7', admin: true },
    ]);
  });

  it('is of twenty, dry runs among them, unless something else is asked for', async () => {
    expect(await wanted('')).toStrictEqual({ size: 20, dryRuns: true });
    expect(await wanted(`size=200&cursor=${ID.toUpperCase()}&dryRuns=false&account=ada&fileName=a%20b`)).toEqual({
      size: 200,
      before: ID,
      dryRuns: false,
      account: 'ada',
      fileName: 'a b',
    });
    expect(await wanted('account=&fileName=&status=&from=&to=&status=,')).toEqual({ size: 20, dryRuns: true });
    expect(await wanted('status=FAILED,%20ACTIVE&status=COMPLETED')).toMatchObject({
      states: ['FAILED', 'ACTIVE', 'COMPLETED'],
    });
    expect(await wanted(`fileName=${'x'.repeat(200)}`)).toMatchObject({ fileName: 'x'.repeat(200) });
  });

  it('of days holds them to their ends, and of times to the moment', async () => {
    const day = Date.UTC(2024, 4, 1);
    expect(await wanted('from=2024-05-01&to=2024-05-01')).toMatchObject({ from: day, to: day + 86_400_000 });
    expect(await wanted('to=%202024-05-01%20')).toMatchObject({ to: day + 86_400_000 });
    const noon = '2024-05-01T12:00:00Z';
    expect(await wanted(`from=${noon}&to=${noon}`)).toMatchObject({ from: day + 43_200_000, to: day + 43_200_000 });
    expect(await wanted(`from=2024-05-02&to=2024-05-02T00:00:00Z`)).toMatchObject({ to: day + 86_400_000 });
  });

  it('is refused where nothing can be meant', async () => {
    const none = 'from is after to, so that no submission can be between them.';
    expect(await refusal('from=2024-05-02&to=2024-05-01')).toBe(none);
    expect(await refusal('from=2024-05-01T12:00:01Z&to=2024-05-01T12:00:00Z')).toBe(none);
    expect(await refusal('from=yesterday')).toMatch(/^from: "yesterday" is not an ISO 8601 date; write /);
    expect(await refusal('to=x')).toMatch(/^to: "x" is not/);
    expect(await refusal(`status=FAILED,${'x'.repeat(60)}`)).toBe(
      `status=${'x'.repeat(40)} must be ACTIVE, COMPLETED, COMPLETED_WITH_ERRORS, FAILED, CANCELLED, or several of them with commas between.`,
    );
    expect(await refusal(`fileName=${'x'.repeat(201)}`)).toBe('fileName must be at most 200 characters long.');
    expect(await refusal('size=201')).toBe('size=201 must be a whole number from 1 to 200.');
    expect(await refusal('size=0')).toContain('size=0 ');
    expect(await refusal('cursor=7')).toContain('link "next"');
    expect(await refusal('dryRuns=1')).toContain('dryRuns=1');
  });

  it('goes on where it ended, with what was asked for', async () => {
    expect((await ask('/', READ)).body).toEqual({ _links: { self: { href: 'http://x/submissions?size=20' } } });
    page = { submissions: [{ submissionId: 'a' }], next: 'b' };
    const query = 'status=FAILED&status=ACTIVE&account=ada&fileName=a%26b&from=2024-05-01&to=&dryRuns=true';
    const { body, headers } = await ask(`/?size=3&cursor=${ID}&other=1&${query}`, READ);
    const kept = 'size=3&status=FAILED&status=ACTIVE&account=ada&fileName=a%26b&from=2024-05-01&dryRuns=true';
    expect(headers.get('content-type')).toContain('application/hal+json');
    expect(body).toEqual({
      _embedded: { submissions: [{ submissionId: 'a' }] },
      _links: {
        self: { href: `http://x/submissions?${kept}&cursor=${ID}` },
        next: { href: `http://x/submissions?${kept}&cursor=b` },
      },
    });
  });
});

describe('the results of several submissions', () => {
  it('are of ids that are named, each once, and of a hundred at most', async () => {
    const none = (count: number) => `Say which submissions: id=…,… with 1 to 100 submission IDs; there are ${count}.`;
    expect(await refusal('', '/results')).toBe(none(0));
    expect(await refusal('id=,', '/results')).toBe(none(0));
    const ids = Array.from({ length: 101 }, (_, at) => String(at));
    expect(await refusal(`id=${ids}`, '/results')).toBe(none(101));
    expect(await refusal(`id=${ids.slice(1)}`, '/results')).toBe('id=1 is no submission ID.');
    expect(await refusal(`id=${'x'.repeat(70)}`, '/results')).toBe(`id=${'x'.repeat(60)} is no submission ID.`);
    const taken = await ask(`/results?id=${ID},${ID.toUpperCase()}&id=${ID}`, READ);
    expect(asked).toEqual([[ID]]);
    expect([taken.status, taken.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(taken.headers.get('content-disposition')).toContain('filename="results.zip"');
    for (const name of ['overview.tsv', 'mine.result.tsv']) expect(taken.text).toContain(name);
    const missing = await ask(`/results?id=${ID},${ID.replace('0b', '0c')}`, READ);
    expect([missing.status, missing.body.code]).toEqual([404, 'submission.not-found']);
  });
});
