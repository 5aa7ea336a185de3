/** Pieces of long texts that are kept: none may keep the text that it was cut out of. */
import { expect, it } from 'vitest';
import { ownText } from '../../src/registry/own-text.js';
import { usedHeap } from '../support/used-heap.js';

const LETTERS = 100_000;

it.each([1, 12, 13, 14, 40])('a piece of %i characters is all that is kept of a long text', (length) => {
  const before = usedHeap();
  const kept = Array.from({ length: 300 }, (_, at) => {
    const text = [String(at).padStart(length, 'p'), 'x'.repeat(LETTERS)].join('\t');
    return ownText(text.slice(0, length));
  });
  expect(usedHeap() - before).toBeLessThan(5e6);
  expect(kept[7]).toBe('7'.padStart(length, 'p'));
});
