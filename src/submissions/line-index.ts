/** Which sample each line of an earlier submission got: runs of (line, number, count) in order of lines, three numbers each. */
import type { LedgerChunk, LedgerRun } from './submission-store.js';

export class LineIndex {
  constructor(private readonly runs: Float64Array) {}

  idAt(line: number): number | undefined {
    let low = 0;
    let high = this.runs.length / 3 - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const first = this.runs[middle * 3] as number;
      if (line < first) high = middle - 1;
      else if (line >= first + (this.runs[middle * 3 + 2] as number)) low = middle + 1;
      else {
        const id = this.runs[middle * 3 + 1] as number;
        // What a dry run would have created has no number.
        return id === 0 ? undefined : id + line - first;
      }
    }
    return undefined;
  }
}

/** The accession numbers that a chunk's lines have, whatever happened to the samples. */
export const runsOf = (chunk: LedgerChunk): LedgerRun[] =>
  [...chunk.created, ...chunk.updated, ...chunk.unchanged].sort((a, b) => a[0] - b[0]);

/** The whole ledger as runs; 24 bytes each, one per 1 000 rows of an ordinary file. */
export async function indexLedger(ledger: AsyncIterable<LedgerChunk>): Promise<Float64Array> {
  const runs: number[] = [];
  for await (const chunk of ledger) for (const run of runsOf(chunk)) runs.push(...run);
  return Float64Array.from(runs);
}
