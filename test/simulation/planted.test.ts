/** The simulation bites: each planted bug is found by its runs. The short form only sees that the list still fits the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';
import { PROOF } from '../support/proof.js';
import { BrokenCopy } from './broken-copy.js';
import { PLANTED } from './planted.js';

const MOST_RUNS = 2000;

describe('the list of planted bugs', () => {
  it.each(PLANTED)('$what', ({ edits }) => {
    for (const { file, find } of edits) {
      expect(readFileSync(join(ROOT, file), 'utf8').split(find).length - 1, `${find} in ${file}`).toBe(1);
    }
  });
});

describe.runIf(PROOF)('a planted bug is found', () => {
  let copy: BrokenCopy;
  beforeAll(() => {
    copy = new BrokenCopy();
  });
  afterAll(() => copy.close());

  it.each(PLANTED)(
    '$what',
    (bug) => {
      const { runs, violations } = copy.hunt(bug, 1, MOST_RUNS);
      console.log(`${bug.what}: ${violations === undefined ? 'not found' : `after ${runs} runs, ${violations[0]}`}`);
      expect(violations, `in ${runs} runs`).toBeDefined();
    },
    30 * 60_000,
  );
});
