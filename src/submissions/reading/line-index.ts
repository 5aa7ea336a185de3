/** Which sample each line of earlier submissions got: runs of (line, number, count) in order of lines, three numbers each. */
import type { ReadOptions, RecordedRows, Survey } from '../../tsv/rows/reading.js';
import type { Submission } from '../submission.js';
import type { LedgerChunk, LedgerRun, SubmissionStore } from '../submission-store.js';
import type { ReadTask } from './read-task.js';

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

/** What the earlier uploads of a submission say together, of each line the first that knows it; undefined without any. */
export async function indexEarlier(
  store: Pick<SubmissionStore, 'earlierUploads' | 'ledger'>,
  submission: Pick<Submission, 'id' | 'earlierUpload'>,
): Promise<Float64Array | undefined> {
  if (submission.earlierUpload === undefined) return undefined;
  let known: Float64Array | undefined;
  for (const id of await store.earlierUploads(submission)) {
    const index = await indexLedger(store.ledger(id));
    known = known === undefined ? index : filled(known, index);
  }
  return known;
}

/** The runs of `known` and, of the lines that it lacks, those of `others`; both in order of lines. */
function filled(known: Float64Array, others: Float64Array): Float64Array {
  const runs: number[] = [];
  let at = 0;
  /** Behind the last line of what was taken from `known`. */
  let covered = 0;
  const takeKnown = (): void => {
    const [line, id, count] = known.subarray(at, at + 3) as unknown as LedgerRun;
    runs.push(line, id, count);
    at += 3;
    covered = line + count;
  };
  for (let other = 0; other < others.length; other += 3) {
    const [start, first, count] = others.subarray(other, other + 3) as unknown as LedgerRun;
    const end = start + count;
    let line = Math.max(start, covered);
    while (line < end) {
      const next = known[at] ?? Number.POSITIVE_INFINITY;
      const until = Math.min(next, end);
      if (until > line) runs.push(line, first + line - start, until - line);
      if (next < end) takeKnown();
      line = Math.max(line, until, covered);
    }
  }
  while (at < known.length) takeKnown();
  return Float64Array.from(runs);
}

/** Of a file whose reading goes on behind its cursor, for its survey. */
export function recordedRows({ recorded, cursor }: Pick<ReadTask, 'recorded' | 'cursor'>): { recorded?: RecordedRows } {
  if (recorded === undefined) return {};
  const samples = new LineIndex(recorded);
  return { recorded: { toLine: cursor, isSample: (line) => samples.idAt(line) !== undefined } };
}

/** Numbers of the samples that rows mean or become; `first` is that of the first row if all are new. */
export function idsOfRows(
  { idOf }: Survey,
  first: number,
  earlier: LineIndex | undefined,
): NonNullable<ReadOptions['idOfRow']> {
  return (ordinal, line) => idOf(ordinal) || (earlier?.idAt(line) ?? first + ordinal);
}
