/** What a receiver hears of submissions whose counts are not of samples that were written. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Submission } from '../../src/submissions/submission.js';
import { deliveryMessage } from '../../src/webhooks/message.js';
import type { Delivery } from '../../src/webhooks/webhook.js';
import { Intake, sheetOf } from '../submissions/intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

const DELIVERY = { id: 'd', event: 'submission.completed', created: 0 } as Delivery;
const heard = (submission: Submission) => {
  const { data } = JSON.parse(deliveryMessage(DELIVERY, submission, 'https://samples.example'));
  return { created: data.counts.created, updated: data.counts.updated, options: data.options, standing: data.standing };
};
const sheet = (...names: string[]) =>
  sheetOf(['Sample Name', 'Release Date'], ...names.map((name) => [name, '2020-01-01']));

it('the plan of a standing sheet, its commit, the undo of that and a plan that was stopped differ by what they say', async () => {
  const standing = { key: 'Sample Name', standing: 'lims' };
  const plan = await intake.send(sheet('a', 'b'), standing);
  const commit = await intake.commit(plan);
  const stopped = await intake.send(sheet('c'), { ...standing, commit: 'auto' });
  const undo = await intake.undo(commit);
  expect([plan, commit, stopped, undo].map(heard)).toEqual([
    {
      created: 2,
      updated: 0,
      options: { dryRun: true, standing: 'lims' },
      standing: { decision: 'WAITING', samples: 0, missing: 0 },
    },
    {
      created: 2,
      updated: 0,
      options: { dryRun: false, standing: 'lims', commitOf: { submissionId: plan.id } },
      standing: commit.standing,
    },
    {
      created: 1,
      updated: 0,
      options: { dryRun: true, standing: 'lims' },
      standing: expect.objectContaining({ decision: 'STOPPED', message: expect.stringContaining('maxMissing') }),
    },
    {
      created: 0,
      updated: 2,
      options: { dryRun: false, standing: 'lims', undoOf: commit.id },
      standing: undo.standing,
    },
  ]);
});

it('a dry run says that it is one, and what was registered that it is none', async () => {
  const dry = await intake.send(sheet('x'), { dryRun: true });
  const real = await intake.send(sheet('x'));
  expect([dry, real].map(heard)).toEqual([
    { created: 1, updated: 0, options: { dryRun: true }, standing: undefined },
    { created: 1, updated: 0, options: { dryRun: false }, standing: undefined },
  ]);
});
