/**
 * The end of an upload that does not come to its last row, because it was cancelled or too many rows are refused: its rows may name
 * rows behind, whose numbers were reserved and which nobody will ever have. Each sample loses such relationships with a new version
 * by this submission, at lines behind those that were worked on; whoever goes on behind a worker that died finds only the rest.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatAccession, parseAccession } from '../../registry/accession.js';
import { decodeContent } from '../../registry/samples/content-json.js';
import type { Completion, LaidOutBatch } from '../../registry/samples/sample-batch.js';
import { storedForEdit } from '../batch-edit/stored.js';
import type { Problem, Submission } from '../submission.js';
import type { LedgerChunk } from '../submission-store.js';
import { aboveCeiling } from '../uploads/ceiling.js';
import { completingBatch } from './complete-open.js';
import type { ProcessingDependencies } from './processing.js';

type Dependencies = Pick<ProcessingDependencies, 'store' | 'prefix' | 'batchRows'>;

export async function forgetRest(
  deps: Dependencies,
  id: string,
  step: (batch: LaidOutBatch) => Promise<unknown>,
  signal: AbortSignal,
): Promise<'done' | 'aborted'> {
  const { reservedFrom, cursor } = (await deps.store.find(id)) as Submission;
  if (reservedFrom === undefined) return 'done';
  let line = cursor + 1;
  for await (const chunk of deps.store.ledger(id)) {
    const written = writtenIn(chunk);
    for (let at = 0; at < written.length; at += deps.batchRows) {
      if (signal.aborted) return 'aborted';
      const gone = await goneOf(deps, written.slice(at, at + deps.batchRows), reservedFrom);
      const samples = [...gone.keys()];
      if (samples.length === 0) continue;
      const completes = new Map<number, Completion>(
        samples.map((sample, row) => [row, { own: true, targets: [], gone: gone.get(sample) as string[] }]),
      );
      await step({ ...completingBatch(line, samples, completes), endsEarly: true });
      line += samples.length;
      await nextTurn();
    }
  }
  return 'done';
}

/**
 * Whether the end before the last row had begun when its worker was lost: the cursor may stand behind rows that were not come to, so that
 * nothing more is read. Rows that are refused for too many others stay too many.
 */
export function endedBefore(present: Submission): { problem?: Problem } | undefined {
  if (present.cancelRequested) return {};
  const problem = present.reservedFrom === undefined ? undefined : aboveCeiling(present);
  return problem && { problem };
}

const writtenIn = ({ created, updated }: LedgerChunk): number[] =>
  [...created, ...updated].flatMap(([, first, count]) => Array.from({ length: count }, (_, at) => first + at));

/** Number of a sample → accessions from `reservedFrom` on that it names and that nobody has. */
async function goneOf(
  { store, prefix }: Dependencies,
  samples: readonly number[],
  reservedFrom: number,
): Promise<Map<number, string[]>> {
  const named = new Map<number, number[]>();
  for (const sample of await storedForEdit(store, samples)) {
    if ('damaged' in sample) continue;
    const targets = decodeContent(sample.doc)
      .relationships.map(({ target }) => parseAccession(prefix, target) ?? 0)
      .filter((target) => target >= reservedFrom);
    if (targets.length > 0) named.set(sample.id, targets);
  }
  const there = await store.findOwners([...new Set([...named.values()].flat())]);
  const gone = new Map<number, string[]>();
  for (const [sample, targets] of named) {
    const missing = targets.filter((target) => !there.has(target)).map((target) => formatAccession(prefix, target));
    if (missing.length > 0) gone.set(sample, missing);
  }
  return gone;
}
