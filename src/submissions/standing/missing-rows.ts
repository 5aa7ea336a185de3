/**
 * Samples that a standing sheet has no more, as batches behind the lines of its file: a plan finds them in its key space, a
 * commit takes those of its plan. Either may be killed and goes on behind the last that is recorded.
 */

import { emptyLayout } from '../../registry/samples/packed-sample.js';
import { HOLD, type LaidOutBatch, type RejectedRow } from '../../registry/samples/sample-batch.js';
import { IdSet } from '../../registry/search/id-set.js';
import { LineIndex, runsOf } from '../reading/line-index.js';
import type { Submission } from '../submission.js';
import type { LedgerChunk, SubmissionStore } from '../submission-store.js';
import { decideStanding } from './standing.js';
import type { StandingOutcome } from './standing-outcome.js';

type Store = Pick<SubmissionStore, 'ledger' | 'knownKeys' | 'keyedSamples' | 'unheldSamples'>;

/** Keys read at a time. */
const KEYS = 5_000;

/** A batch, or the last one, which says what came of it. */
export type MissingBatch = LaidOutBatch & { standing?: StandingOutcome };

/** What the batches that were applied came to. */
export interface Applied {
  missing: number;
  left: number;
}

export const appliedOf = ({ missing = [], left = 0 }: Pick<LedgerChunk, 'missing' | 'left'>): Applied => ({
  missing: missing.reduce((sum, [, , count]) => sum + count, 0),
  left,
});

/** What the ledger of a submission says, its missing rows apart. */
interface Read extends Applied {
  present: IdSet;
  unkeyed: number;
  /** Line of the row within which the file ends. */
  cutOff?: number;
  /** Number of the last missing sample that is recorded. */
  last: number;
}

/** `applied` is asked when all batches before the last one are. */
export async function* planMissing(
  store: Store,
  plan: Submission,
  batchRows: number,
  applied: () => Applied,
): AsyncGenerator<MissingBatch> {
  const read = await readLedger(store, plan);
  const missing = new IdSet();
  let keyed = 0;
  for (let after: string | undefined; ; ) {
    const page = await store.keyedSamples(plan, after, KEYS);
    for (const { sample } of page) if (!read.present.has(sample)) missing.add(sample);
    keyed += page.length;
    after = page.at(-1)?.key;
    if (page.length < KEYS) break;
  }
  let line = plan.cursor + 1;
  for (const ids of missing.runs(batchRows)) {
    // What earlier nights withdrew is in the key space for ever.
    const rest = await store.unheldSamples(ids.filter((id) => id > read.last));
    if (rest.length === 0) continue;
    yield batchOf(line, rest);
    line += rest.length;
  }
  const found = read.missing + applied().missing;
  // Those that are withdrawn already and stay so are not missing, and count in no share.
  const samples = keyed - missing.size + found;
  const planned = { counts: plan.counts, samples, missing: found, unkeyed: read.unkeyed, cutOff: read.cutOff };
  yield { ...batchOf(line, []), standing: decideStanding(plan, planned) };
}

/**
 * Withdraws what the plan found missing, each sample at the version that it had then. A row that the plan would have registered and whose key
 * a single request gave meanwhile is refused now: its sample is in the file, and the plan may have taken it for missing.
 */
export async function* withdrawMissing(
  store: Store,
  commit: Submission,
  plan: string,
  batchRows: number,
  applied: () => Applied,
): AsyncGenerator<MissingBatch> {
  const before: Applied = { missing: 0, left: 0 };
  const refused = new IdSet();
  for await (const chunk of store.ledger(commit.id)) {
    for (const id of await samplesOfRefused(store, commit, chunk)) refused.add(id);
    const { missing, left } = appliedOf(chunk);
    before.missing += missing;
    before.left += left;
  }
  let line = commit.cursor;
  for await (const { missing = [], seen = [] } of store.ledger(plan)) {
    if (missing.length === 0) continue;
    const versions = new LineIndex(
      Float64Array.from(seen.flatMap(([at, version, count]) => spread(at, version, count))),
    );
    const rows = missing.flatMap(([at, id, count]) =>
      Array.from({ length: count }, (_, n) => ({ line: at + n, id: id + n })),
    );
    const rest = rows.filter((row) => row.line > line);
    for (let at = 0; at < rest.length; at += batchRows) {
      const part = rest.slice(at, at + batchRows);
      const batch = batchOf(
        line + 1,
        part.map(({ id }) => id),
        part.map((row) => row.line),
      );
      batch.expected = Float64Array.from(part, (row) =>
        refused.has(row.id) ? NO_VERSION : (versions.idAt(row.line) ?? 0),
      );
      yield batch;
      line = batch.toLine;
    }
  }
  const { missing, left } = applied();
  yield { ...batchOf(line + 1, []), standing: { withdrawn: before.missing + missing, left: before.left + left } };
}

/** What no sample has, so that the row is left as one whose sample was changed. */
const NO_VERSION = -1;

/** Versions of a run are equal, where numbers of samples go up. */
const spread = (line: number, version: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => [line + at, version, 1]).flat();

async function readLedger(store: Store, plan: Submission): Promise<Read> {
  const read: Read = { present: new IdSet(), unkeyed: 0, last: 0, missing: 0, left: 0 };
  for await (const chunk of store.ledger(plan.id)) {
    for (const [, first, count] of runsOf(chunk))
      for (let id = first; first > 0 && id < first + count; id++) read.present.add(id);
    read.unkeyed += chunk.rejected.length - keysOf(chunk.rejected).length;
    const cut = [...chunk.rejected, ...(chunk.warnings ?? [])].find(isCutOff);
    if (cut) read.cutOff = cut.line;
    for (const id of await samplesOfRefused(store, plan, chunk)) read.present.add(id);
    for (const [, first, count] of chunk.missing ?? []) read.last = Math.max(read.last, first + count - 1);
    read.missing += appliedOf(chunk).missing;
  }
  return read;
}

const isCutOff = ({ issues }: RejectedRow): boolean => issues.some(({ code }) => code === 'row.cut-off');

const keysOf = (rejected: LedgerChunk['rejected']): string[] =>
  rejected.map(({ key = '' }) => key).filter((key) => key !== '');

/** Samples that have the keys of rows which were refused. */
async function samplesOfRefused(store: Store, of: Submission, { rejected }: LedgerChunk): Promise<number[]> {
  const keys = keysOf(rejected);
  const samples: number[] = [];
  for (let at = 0; at < keys.length; at += KEYS) {
    const known = await store.knownKeys(of, keys.slice(at, at + KEYS), []);
    samples.push(...known.samples.values());
  }
  return samples;
}

/** Rows without a file: each its own line behind the last one. */
function batchOf(
  fromLine: number,
  ids: readonly number[],
  lines: readonly number[] = ids.map((_, at) => fromLine + at),
): LaidOutBatch {
  const count = ids.length;
  return {
    layout: emptyLayout(),
    fromLine,
    toLine: lines.at(-1) ?? fromLine,
    bytesRead: 0,
    count,
    texts: [''],
    spans: new Uint32Array(count * 4),
    lines: Uint32Array.from(lines),
    releases: new Float64Array(count),
    ids: Float64Array.from(ids),
    holds: new Uint8Array(count).fill(HOLD.missing),
    documents: new Map(ids.map((_, at) => [at, '{}'])),
    rejected: [],
  };
}
