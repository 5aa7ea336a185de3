/**
 * Behind the rows of an upload: relationships of the account that waited for names which its samples have by now. Each sample
 * that waited gets a new version by this submission, at a line behind those of the file, in batches like any others: they are
 * fenced, and one that was applied has closed what it completed, so that whoever goes on finds only the rest.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { emptyLayout } from '../../registry/samples/packed-sample.js';
import { type Completion, HOLD, type LaidOutBatch } from '../../registry/samples/sample-batch.js';
import type { OpenRelationship, OpenRelationshipStore } from '../open-relationship-store.js';
import { runsOf } from '../reading/line-index.js';
import { isFinal, type Submission } from '../submission.js';
import type { BatchResult, SubmissionStore } from '../submission-store.js';
import { meantBy, type NamingStore } from './open-targets.js';

export interface CompletionDependencies {
  store: SubmissionStore & OpenRelationshipStore & NamingStore;
  batchRows: number;
}

/** Open relationships read at a time. */
const PAGE = 2_000;
/** Consecutive accession numbers among which the store looks for names in one step. */
const COMPARED = 20_000;

export async function completeOpen(
  deps: CompletionDependencies,
  id: string,
  step: (batch: LaidOutBatch) => Promise<BatchResult>,
  signal: AbortSignal,
): Promise<'done' | 'ended' | 'aborted'> {
  const present = (await deps.store.find(id)) as Submission;
  const waiting = await readWaiting(deps.store, present.account);
  if (waiting.length === 0) return 'done';
  const { meant, written } = await lookInto(deps.store, present, waiting);
  const bySample = new Map<number, Completion>();
  for (const { sample, type, name } of waiting) {
    const [target, other] = meant.get(name) ?? [];
    if (target === undefined || other !== undefined) continue;
    const completion = bySample.get(sample) ?? { own: written.has(sample), targets: [] };
    completion.targets.push({ type, name, target });
    bySample.set(sample, completion);
  }
  let line = present.cursor + 1;
  const samples = [...bySample.keys()].sort((a, b) => a - b);
  for (let at = 0; at < samples.length; at += deps.batchRows) {
    if (signal.aborted) return 'aborted';
    const ids = samples.slice(at, at + deps.batchRows);
    const completes = new Map(ids.map((sample, row) => [row, bySample.get(sample) as Completion]));
    if (isFinal((await step(completingBatch(line, ids, completes))).submission.state)) return 'ended';
    line += ids.length;
    await nextTurn();
  }
  return 'done';
}

async function readWaiting(store: OpenRelationshipStore, account: string): Promise<OpenRelationship[]> {
  const all: OpenRelationship[] = [];
  for (;;) {
    const page = await store.openRelationships({ account }, all.at(-1), PAGE);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

interface Known {
  /** Name → samples: of this very upload, read from the store, and those that the index knows. */
  meant: Map<string, readonly number[]>;
  /** Samples that wait and that this upload wrote itself. */
  written: Set<number>;
}

async function lookInto(
  store: CompletionDependencies['store'],
  { id, account }: Submission,
  waiting: readonly OpenRelationship[],
): Promise<Known> {
  const names = [...new Set(waiting.map(({ name }) => name))];
  const samples = Float64Array.from(new Set(waiting.map(({ sample }) => sample))).sort();
  const meant = new Map([...(await meantBy(store, account, names))].map(([name, ids]) => [name, new Set(ids)]));
  const written = new Set<number>();
  const spans: Span[] = [];
  for await (const chunk of store.ledger(id)) {
    for (const [, first, count] of [...chunk.created, ...chunk.updated])
      for (const sample of within(samples, first, count)) written.add(sample);
    for (const [, first, count] of runsOf(chunk)) spans.push({ first, count });
  }
  for (const span of fewSpans(spans)) {
    for (const { id: sample, name } of await store.namedAmong(account, span, names))
      meant.set(name, (meant.get(name) ?? new Set()).add(sample));
  }
  return { meant: new Map([...meant].map(([name, ids]) => [name, [...ids]])), written };
}

interface Span {
  first: number;
  count: number;
}

/**
 * Spans that hold these, none longer than `COMPARED`: rows of a file may be samples far from each other, a run each. What lies
 * between them is the account's or is not asked for.
 */
export function* fewSpans(spans: Span[]): Generator<Span> {
  let open: Span | undefined;
  for (const { first, count } of spans.sort((a, b) => a.first - b.first)) {
    const end = first + count;
    for (let from = first; from < end; ) {
      if (open && from < open.first + COMPARED) {
        open.count = Math.max(open.count, Math.min(end - open.first, COMPARED));
        from = Math.max(from, open.first + open.count);
        if (open.count < COMPARED) break;
      } else {
        if (open) yield open;
        open = { first: from, count: 0 };
      }
    }
  }
  if (open) yield open;
}

/** Those of ascending numbers that a run holds. */
function* within(numbers: Float64Array, first: number, count: number): Generator<number> {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] as number) < first) from = middle + 1;
    else to = middle;
  }
  for (; from < numbers.length && (numbers[from] as number) < first + count; from++) yield numbers[from] as number;
}

/** Rows without a file: each its own line behind the last one. */
export function completingBatch(
  fromLine: number,
  ids: readonly number[],
  completes: Map<number, Completion>,
): LaidOutBatch {
  const count = ids.length;
  return {
    layout: emptyLayout(),
    fromLine,
    toLine: fromLine + count - 1,
    bytesRead: 0,
    count,
    texts: [''],
    spans: new Uint32Array(count * 4),
    lines: Uint32Array.from(ids, (_, at) => fromLine + at),
    releases: new Float64Array(count),
    ids: Float64Array.from(ids),
    holds: new Uint8Array(count).fill(HOLD.complete),
    documents: new Map(ids.map((_, at) => [at, '{}'])),
    completes,
    rejected: [],
  };
}
