/** The parts of a large result: together they are every sample, each once, whoever makes them. */
import { expect, it } from 'vitest';
import { admit, isAdmitted, partsOf, sharedParts, takeParts } from '../../src/exports/parts.js';

it.each([
  [{ after: 0, upTo: 1 }, 1],
  [{ after: 0, upTo: 100_000 }, 34],
  [{ after: 4_999_999, upTo: 5_030_000 }, 11],
  [{ after: 0, upTo: 20_000_000 }, 4000],
])('of the accession numbers of %o there are %i, without gaps and without an end', (span, count) => {
  const parts = partsOf(span);
  expect(parts).toHaveLength(count);
  expect(parts[0]?.after).toBe(span.after);
  for (const [at, { after }] of parts.entries()) if (at > 0) expect(after).toBe(parts[at - 1]?.upTo);
  // What is registered after the span was looked up and before the moment begins has greater numbers.
  expect(parts.at(-1)?.upTo).toBe(Number.MAX_SAFE_INTEGER);
});

it('are each taken by one', () => {
  const shared = sharedParts({ after: 0, upTo: 100_000 });
  const threads = [takeParts(shared), takeParts(shared)];
  const taken: number[] = [];
  for (let turn = 0; taken.length < shared.ranges.length; turn++) {
    const next = threads[turn % 3 ? 0 : 1]?.next();
    if (next && !next.done) {
      expect(next.value.range).toEqual(shared.ranges[next.value.part - 1]);
      taken.push(next.value.part);
    }
  }
  expect(taken).toEqual(shared.ranges.map((_, at) => at + 1));
  for (const thread of threads) expect(thread.next().done).toBe(true);
});

it('are for a second thread only where the first one has said so', () => {
  for (const given of [true, false]) {
    const shared = sharedParts({ after: 0, upTo: 1 });
    expect(isAdmitted(shared, 0)).toBe(false);
    admit(shared, given);
    expect(isAdmitted(shared, 0)).toBe(given);
  }
});
