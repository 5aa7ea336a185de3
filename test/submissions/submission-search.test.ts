/** Which submissions of a list are wanted. */
import { expect, it } from 'vitest';
import { isWanted, type SubmissionFilter } from '../../src/submissions/submission-search.js';

const wanted = (filter: Partial<SubmissionFilter>, outline = {}): boolean =>
  isWanted({ fileName: 'Größe ﬁve.TSV', dryRun: false, created: 100, ...outline }, { dryRuns: true, ...filter });

it('all are, but for dry runs where these are left out', () => {
  expect([wanted({}), wanted({}, { dryRun: true })]).toEqual([true, true]);
  expect([wanted({ dryRuns: false }), wanted({ dryRuns: false }, { dryRun: true })]).toEqual([true, false]);
});

it('those of a time are, from its first moment to the last one before its end', () => {
  expect([99, 100, 101].map((from) => wanted({ from }))).toEqual([true, true, false]);
  expect([99, 100, 101].map((to) => wanted({ to }))).toEqual([false, false, true]);
  expect(wanted({ from: 0, to: 0 }, { created: 0 })).toBe(false);
});

it('those are whose file has a part of that name, however it is written', () => {
  for (const fileName of ['größe', 'GRÖSSE'.replace('SS', 'ß'), 'gro\u0308ße', 'five', '.tsv', ''])
    expect(wanted({ fileName }), fileName).toBe(true);
  expect(wanted({ fileName: 'grosse' })).toBe(false);
  expect(wanted({ fileName: 'größe', from: 101 })).toBe(false);
});
