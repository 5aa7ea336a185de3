/** What a dry run showed of each line, and the rule that its commit does nothing else. */
import { rowIssue } from '../registry/row-issue.js';
import { batchName, type Issue, type LaidOutBatch, type RejectedRow } from '../registry/samples/sample-batch.js';
import { type LotStore, sampleLots } from '../registry/samples/sample-lots.js';
import { LineIndex, runsOf } from './reading/line-index.js';
import type { LedgerChunk, SubmissionStore } from './submission-store.js';

/** Of a line that the dry run refused; a version is 1 or more, and 0 stands for a new sample. */
const REFUSED = -1;

/** Runs of (line, what was shown, count) in order of lines: REFUSED, 0, or the version of the sample that the row updates. */
export async function indexPreview(ledger: AsyncIterable<LedgerChunk>): Promise<Float64Array> {
  const runs: number[] = [];
  for await (const chunk of ledger) {
    const created = chunk.created.map(([line, , count]) => [line, 0, count] as const);
    const rejected = chunk.rejected.map(({ line }) => [line, REFUSED, 1] as const);
    const all = [...created, ...(chunk.seen ?? []), ...rejected].sort((a, b) => a[0] - b[0]);
    for (const run of all) runs.push(...run);
  }
  return Float64Array.from(runs);
}

/** Lines whose samples are at another version than the dry run saw. */
export async function changedLines(
  store: Pick<SubmissionStore, 'ledger'> & LotStore,
  dryRun: string,
): Promise<number[]> {
  const changed: number[] = [];
  for await (const chunk of store.ledger(dryRun)) {
    const ids = new LineIndex(Float64Array.from([...runsOf(chunk), ...(chunk.missing ?? [])].flat()));
    for (const [first, version, count] of chunk.seen ?? []) {
      const asked = Array.from({ length: count }, (_, nth) => ids.idAt(first + nth) ?? 0);
      let line = first;
      for await (const lot of sampleLots(store, asked)) {
        for (const { record } of lot) {
          if (record?.sample.version !== version) changed.push(line);
          line++;
        }
      }
    }
  }
  return changed;
}

export class Preview {
  #run = 0;

  constructor(private readonly runs: Float64Array) {}

  /** The version that was shown of the sample that the line updates; undefined where it was refused. Asked in order of lines. */
  versionAt(line: number): number | undefined {
    const shown = this.#at(line);
    return shown === REFUSED ? undefined : shown;
  }

  #at(line: number): number {
    const { runs } = this;
    while (this.#run < runs.length && line >= (runs[this.#run] as number) + (runs[this.#run + 2] as number))
      this.#run += 3;
    const within = this.#run < runs.length && line >= (runs[this.#run] as number);
    return within ? (runs[this.#run + 1] as number) : REFUSED;
  }

  /** Whether a row that means a sample, or none, does what was shown of its line. Asked in order of lines. */
  showed(line: number, means: boolean): boolean {
    const shown = this.#at(line);
    return (shown !== 0) === means;
  }

  /** Ties each row to the version that was shown; rows that would become something else than was shown are refused. */
  holdTo(batch: LaidOutBatch): void {
    const expected = new Float64Array(batch.count);
    const others = new Set<number>();
    for (let row = 0; row < batch.count; row++) {
      const shown = this.#at(batch.lines[row] as number);
      const names = batch.ids[row] !== 0;
      // Which sample a row means by its key is found by the store, which holds it to what was shown.
      // A row that names a sample and was refused is refused by the store again, with its own reason first.
      if (batch.keys === undefined && (shown !== 0) !== names) others.add(row);
      else expected[row] = shown;
    }
    batch.expected = expected;
    if (others.size > 0) refuse(batch, others);
  }
}

export const notAsShown = (line: number): Issue =>
  rowIssue(
    'row.not-as-shown',
    { line },
    {
      message: 'This row would not become what the dry run showed. Upload the file again to see what it would do now.',
    },
  );

function refuse(batch: LaidOutBatch, rows: ReadonlySet<number>): void {
  const rejected = [...rows].map((row): RejectedRow => {
    const line = batch.lines[row] as number;
    return { line, name: batchName(batch, row), issues: [notAsShown(line)] };
  });
  batch.rejected = [...batch.rejected, ...rejected].sort((a, b) => a.line - b.line);
  removeRows(batch, rows);
}

/** Closes the gaps that these rows leave. Texts stay; nothing points at them. */
function removeRows(batch: LaidOutBatch, rows: ReadonlySet<number>): void {
  const kept = Array.from({ length: batch.count }, (_, row) => row).filter((row) => !rows.has(row));
  const documents = new Map<number, string>();
  const cleared: NonNullable<LaidOutBatch['cleared']> = new Map();
  kept.forEach((row, at) => {
    batch.spans.copyWithin(at * 4, row * 4, row * 4 + 4);
    for (const list of [batch.inTexts, batch.lines, batch.releases, batch.ids, batch.reserved, batch.expected]) {
      if (list) list[at] = list[row] as number;
    }
    const document = batch.documents.get(row);
    if (document !== undefined) documents.set(at, document);
    const taken = batch.cleared?.get(row);
    if (taken !== undefined) cleared.set(at, taken);
  });
  batch.documents = documents;
  if (batch.cleared) batch.cleared = cleared;
  batch.count = kept.length;
}
