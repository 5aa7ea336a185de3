import { expect, it } from 'vitest';
import { counted } from '../../src/cli/counted.js';
import { describeSubmission } from '../../src/cli/print.js';
import type { SubmissionDocument } from '../../src/client/documents.js';

const submission = (samples: number): SubmissionDocument =>
  ({
    submissionId: 'x',
    submissionStatus: 'COMPLETED',
    counts: { rows: samples, created: 0, updated: samples, unchanged: 0, rejected: 0 },
    becomePublic: samples,
    standing: { samples, missing: samples, withdrawn: samples, left: samples },
    edit: {
      changes: [{ set: 'age', changed: samples, already: 0, lacking: samples }],
      leftOut: { count: samples, examples: [] },
    },
  }) as unknown as SubmissionDocument;

it('what there is one of is said of one', () => {
  expect([0, 1, 2].map((count) => counted(count, 'row'))).toEqual(['0 rows', '1 row', '2 rows']);
  const one = describeSubmission(submission(1));
  expect(one).toContain('1 sample that was not public became public');
  expect(one).toContain('1 of 1 sample is missing');
  expect(one).not.toMatch(/\b1 (more )?(missing )?(samples|rows)\b|\b1 (are|were|lack)\b/);
  const two = describeSubmission(submission(2));
  expect(two).toContain('2 samples that were not public became public');
  expect(two).toContain('2 of 2 samples are missing');
});
