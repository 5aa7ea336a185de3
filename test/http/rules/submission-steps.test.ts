/** Steps of a submission that read no body: what one says besides would be passed over. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type SubmissionParts, submissionRoutes } from '../../../src/http/routes/submissions.js';
import { type Ask, routed } from './routed.js';

const ID = '0b7c6e0e-6f0f-4f0a-9f6a-3a4b5c6d7e8f';

let ask: Ask;
let end: () => void;
let asked: unknown[][] = [];
let state = 'COMPLETED';
let replayed = false;
beforeAll(async () => {
  const step =
    (name: string) =>
    async (...given: unknown[]) => {
      asked.push([name, ...given]);
      const counts = { rows: 1, created: 1, updated: 0, unchanged: 0, rejected: 0 };
      const submission = {
        id: ID,
        account: 'lab-7',
        state,
        counts,
        options: {},
        created: 0,
        updated: 0,
        fileName: 'a',
      };
      return { submission, replayed };
    };
  const uploads = { commit: step('commit'), undo: step('undo'), followedBy: async () => () => ({}) };
  const parts = { uploads, results: {} } as unknown as SubmissionParts;
  ({ ask, end } = await routed((context) => {
    context.config = { MAX_UPLOAD_BYTES: 1 } as typeof context.config;
    return submissionRoutes(context, parts);
  }));
});
afterAll(() => end());
beforeEach(() => {
  asked = [];
  state = 'COMPLETED';
  replayed = false;
});

const take = (step: string, more: object = {}) => ask(`/${ID}/${step}`, { method: 'POST', as: ['submit'], ...more });

it.each(['commit', 'undo'])('%s is done as the upload said', async (step) => {
  for (const body of ['{"mode":"atomic"}', '[]', 'dryRun=true']) {
    const { status, body: problem } = await take(step, { body });
    const words = 'This address reads no body: what is done was said with the upload; send nothing else.';
    expect([status, problem.detail, asked]).toEqual([400, words, []]);
  }
  expect((await take(step, { as: ['read'] })).status).toBe(403);
  expect((await take(step, { headers: { accept: 'image/png' } })).status).toBe(406);
  expect(asked).toEqual([]);
  const done = await take(step, { body: '{}' });
  expect([done.status, done.headers.get('location'), done.headers.get('idempotent-replayed')]) //
    .toEqual([201, `http://x/submissions/${ID}`, null]);
  state = 'ACTIVE';
  replayed = true;
  const underWay = await take(step);
  expect([underWay.status, underWay.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
  expect(asked[0]).toEqual([step, ID, { account: 'lab-7', admin: false }]);
});
