import type { Counts } from '../submissions/submission.js';
import type { LedgerChunk } from '../submissions/submission-store.js';

/** What the chunks read so far come to. */
export interface Tally extends Counts {
  lastLine: number;
}

/** Every line of a chunk has one outcome at most, lies within the chunk, and chunks follow one another. */
export function checkLines(
  chunk: LedgerChunk,
  tally: Tally,
  fault: (rule: 'I1' | 'I2', message: string) => void,
): void {
  if (chunk.fromLine <= tally.lastLine) {
    fault('I2', `Lines ${chunk.fromLine} to ${tally.lastLine} are recorded in two chunks.`);
  }
  const seen = new Set<number>();
  const count = (line: number, kind: keyof Counts): void => {
    if (line < chunk.fromLine || line > chunk.toLine) fault('I1', `Line ${line} is recorded outside its chunk.`);
    if (seen.has(line)) fault('I1', `Line ${line} has two outcomes.`);
    seen.add(line);
    tally[kind]++;
    tally.rows++;
  };
  for (const kind of ['created', 'updated', 'unchanged'] as const) {
    for (const [line, , rows] of chunk[kind]) for (let n = 0; n < rows; n++) count(line + n, kind);
  }
  for (const { line } of chunk.rejected) count(line, 'rejected');
  tally.lastLine = chunk.toLine;
}
