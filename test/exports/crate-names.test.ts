/**
 * A crate describes a thousand samples by their names: what it keeps of these until its last file is written.
 *
 * @module-tag bounds
 */
import { expect, it } from 'vitest';
import { submissionCrate } from '../../src/exports/submission-crate.js';
import type { Submission } from '../../src/submissions/submission.js';
import { usedHeap } from '../support/used-heap.js';

const MIB = 1024 * 1024;
const ROWS = 60;

it('keeps names and not the rows that they stand in', async () => {
  let held = 0;
  async function* registered() {
    const before = usedHeap();
    for (let at = 0; at < ROWS; at++) {
      const row = Buffer.from(`a sample of number ${at}\t${'x'.repeat(500_000)}`).toString();
      yield [{ sampleName: row.substring(0, row.indexOf('\t')), sampleAccession: `SAMR${at + 1}` }];
    }
    held = usedHeap() - before;
  }
  async function* text() {
    yield 'x';
  }
  const results = { original: text, result: text, mapping: text, errors: text, errorsJson: text, receipt: text };
  const counts = { rows: ROWS, created: ROWS, updated: 0, unchanged: 0, rejected: 0 };
  const submission = { id: 'a', account: 'ada', fileName: 'a.tsv', counts, issues: [], state: 'COMPLETED' };
  const times = { created: 0, updated: 0, options: {} };
  const makers = { results: { ...results, registered }, software: { name: 's', version: '1' } };
  const place = { registry: 'https://registry.example.org' };
  const pieces: Buffer[] = [];
  const crate = submissionCrate(makers as never, { ...submission, ...times } as unknown as Submission, place as never);
  for await (const piece of crate) pieces.push(piece);
  expect(Buffer.concat(pieces).length).toBeGreaterThan(0);
  expect(held / MIB, 'MiB').toBeLessThan(8);
});
