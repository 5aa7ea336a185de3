/** What the store and the ledger rely on: every line is in one batch. */
import { expect } from 'vitest';
import type { ReadSheet } from './read-sheet.js';

export function expectNoHoles({ batches }: ReadSheet, fromLine: number, lastLine: number): void {
  let next = fromLine;
  let bytes = 0;
  for (const batch of batches) {
    expect(batch.fromLine).toBe(next);
    expect(batch.toLine).toBeGreaterThanOrEqual(batch.fromLine);
    expect(batch.bytesRead).toBeGreaterThanOrEqual(bytes);
    for (const line of [...batch.lines, ...batch.rejected.map((row) => row.line)]) {
      expect(line).toBeGreaterThanOrEqual(batch.fromLine);
      expect(line).toBeLessThanOrEqual(batch.toLine);
    }
    next = batch.toLine + 1;
    bytes = batch.bytesRead;
  }
  expect(next).toBe(lastLine + 1);
}
