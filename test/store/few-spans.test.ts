/** Runs of accession numbers as the spans in which names are looked for: all of them, few, and none too long. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fewSpans } from '../../src/submissions/processing/complete-open.js';
import '../support/seeds.js';

const LONGEST = 20_000;
const spansArb = fc.array(
  fc.record({ first: fc.integer({ min: 1, max: 200_000 }), count: fc.integer({ min: 1, max: 50_000 }) }),
  {
    minLength: 1,
    maxLength: 20,
  },
);

it('hold every number, ascend without overlaps, and are none too long', () => {
  fc.assert(
    fc.property(spansArb, (spans) => {
      const found = [...fewSpans(spans.map((span) => ({ ...span })))];
      for (const { count } of found) expect(count).toBeLessThanOrEqual(LONGEST);
      for (const [at, { first }] of found.entries()) {
        const before = found[at - 1];
        if (before) expect(first).toBeGreaterThanOrEqual(before.first + before.count);
      }
      const holds = (id: number) => found.some(({ first, count }) => id >= first && id < first + count);
      for (const { first, count } of spans)
        for (const id of [first, first + (count >> 1), first + count - 1]) expect(holds(id)).toBe(true);
      const [least, greatest] = [
        Math.min(...spans.map(({ first }) => first)),
        Math.max(...spans.map(({ first, count }) => first + count)),
      ];
      expect(found.length).toBeLessThanOrEqual(Math.ceil((greatest - least) / LONGEST) + 1);
    }),
  );
});

it('are one for a million rows that are each a run of its own, for each 20 000 numbers', { tags: 'slow' }, () => {
  const rows = Array.from({ length: 1_000_000 }, (_, at) => ({ first: 1 + 2 * at, count: 1 }));
  expect([...fewSpans(rows)]).toHaveLength(100);
});
