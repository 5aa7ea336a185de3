/** The page's types are made from the interface description; this says when they are not those of today. What the page makes of answers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeInterface } from '../../src/http/openapi/openapi.js';
import { answersOnly, shapeOf } from '../../web/interface-shape.mjs';
import type { SubmissionStatus } from '../../web/src/api/contract.js';
import { latestOf } from '../../web/src/submission/progress.js';
import { ROOT } from '../support/output.js';

it('the types of the page are those of the interface', () => {
  const types = readFileSync(join(ROOT, 'web/src/api/interface.d.ts'), 'utf8');
  const made = /Shape ([\da-f]+)\./.exec(types)?.[1];
  const present = shapeOf(answersOnly(describeInterface({ url: 'http://localhost' })));
  expect(made, 'the interface has changed: run "node --import tsx web/make-types.mjs"').toBe(present);
});

describe('an answer about a submission', () => {
  const at = (rows: number, submissionStatus: SubmissionStatus['submissionStatus'] = 'ACTIVE') =>
    ({ submissionStatus, counts: { rows } }) as SubmissionStatus;

  it('that was overtaken by an event takes no progress back; one about the end, or a new run, counts', () => {
    expect(latestOf(undefined, at(0))).toEqual(at(0));
    expect(latestOf(at(500), at(200))).toEqual(at(500));
    expect(latestOf(at(500), at(500))).toEqual(at(500));
    expect(latestOf(at(200), at(500))).toEqual(at(500));
    expect(latestOf(at(500), at(500, 'COMPLETED'))).toEqual(at(500, 'COMPLETED'));
    expect(latestOf(at(500, 'FAILED'), at(0))).toEqual(at(0));
  });
});
