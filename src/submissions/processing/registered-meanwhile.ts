/**
 * What the account has registered since the dry run that a commit carries out (decision 188): rows that were shown as new are samples by now
 * where an upload of other bytes, such as the same sheet with a row corrected, or a program has registered samples of their names.
 */
import { formatAccession } from '../../registry/accession.js';
import type { ChangeRun, ChangeStore } from '../../registry/changes/change-store.js';
import { rowWord, shorten } from '../../registry/row-issue.js';
import { placesOf } from '../../registry/row-places.js';
import { batchName, type LaidOutBatch } from '../../registry/samples/sample-batch.js';
import { type LotStore, sampleLots } from '../../registry/samples/sample-lots.js';
import { newRows } from '../reading/known-names.js';
import type { Problem, Submission } from '../submission.js';
import type { SubmissionStore } from '../submission-store.js';

type MeanwhileStore = Pick<SubmissionStore, 'find'> & ChangeStore & LotStore;

/** Names that are held in memory; of more, the file is read once for each so many. */
const NAMES_HELD = 100_000;
const RUNS_AT_ONCE = 500;
/** Rows that the message names. */
const NAMED_ROWS = 3;

/**
 * Why the commit may not begin, or undefined. `read` reads its rows as they would be applied; it is called where the account has registered
 * anything since.
 */
export async function registeredMeanwhile(
  { store, prefix, namesHeld = NAMES_HELD }: { store: MeanwhileStore; prefix: string; namesHeld?: number },
  submission: Pick<Submission, 'account' | 'options' | 'cursor'>,
  read: () => Promise<AsyncIterable<LaidOutBatch>>,
  signal: AbortSignal,
): Promise<Problem | undefined> {
  const { account, options, cursor } = submission;
  const { commitOf, duplicate, key } = options;
  // The commit that a plan makes by itself shows nobody anything; keys say which sample a row means.
  if (!commitOf || commitOf.automatic || duplicate === 'allow' || key !== undefined || cursor > 0) return undefined;
  const dryRun = await store.find(commitOf.submissionId);
  if (dryRun === undefined || options.edit !== undefined) return undefined;
  for await (const names of namesSince(store, { account, since: dryRun.created, signal }, namesHeld)) {
    const found: Found[] = [];
    for await (const batch of await read()) {
      if (signal.aborted) return undefined;
      found.push(...foundIn(batch, names));
      if (found.length > NAMED_ROWS) break;
    }
    if (found.length > 0) return registered(found, prefix);
  }
  return undefined;
}

interface Found {
  line: number;
  row: string;
  name: string;
  id: number;
}

function foundIn(batch: LaidOutBatch, names: ReadonlyMap<string, number>): Found[] {
  const row = rowWord(placesOf(batch).form);
  return newRows(batch).flatMap((at): Found[] => {
    const name = batchName(batch, at);
    const id = names.get(name);
    return id === undefined ? [] : [{ line: batch.lines[at] as number, row, name, id }];
  });
}

function registered(found: readonly Found[], prefix: string): Problem {
  const named = found.slice(0, NAMED_ROWS).map(({ line, name, id }) => {
    return `"${shorten(name)}" (line ${line}) is ${formatAccession(prefix, id)}`;
  });
  if (found.length > NAMED_ROWS) named.push('and so on');
  const [{ line, row }] = found as [Found];
  const message =
    `Samples of these names were registered since the dry run showed their ${row}s as new: ${named.join(', ')}. Nothing was written, so that none ` +
    `is registered twice. Check the file again (dryRun=true) to see what it would do now, and write these accessions into the ${row}s that mean them.`;
  return { code: 'conflict', message, line, retryable: false };
}

interface Since {
  account: string;
  since: number;
  signal: AbortSignal;
}

/** Name → number of the samples that the account has since then and that are not withdrawn, so many at once. */
async function* namesSince(store: MeanwhileStore, asked: Since, most: number): AsyncGenerator<Map<string, number>> {
  let names = new Map<string, number>();
  for await (const ids of createdSince(store, asked)) {
    for await (const lot of sampleLots(store, ids)) {
      for (const { record } of lot) {
        const { account, adminStatus, name, id } = record?.sample ?? {};
        if (id !== undefined && account === asked.account && adminStatus === undefined && name) names.set(name, id);
      }
    }
    if (names.size < most) continue;
    yield names;
    names = new Map();
  }
  if (names.size > 0) yield names;
}

/** Numbers of samples that the account registered, run by run: those of one run are of one account. */
async function* createdSince(store: ChangeStore, { account, since, signal }: Since): AsyncGenerator<number[]> {
  while (await store.advanceChanges());
  let from = await firstSince(store, since);
  while (!signal.aborted) {
    const runs = await store.readChanges(from, RUNS_AT_ONCE);
    const created = runs.filter(({ type }) => type === 'created');
    const owners = await store.readVisibility(created.map(({ first }) => first));
    for (const { first, count } of created) {
      if (owners.get(first)?.account === account) yield Array.from({ length: count }, (_, at) => first + at);
    }
    const last = runs.at(-1);
    if (last === undefined || runs.length < RUNS_AT_ONCE) return;
    from = last.number + 1;
  }
}

/** Number of the first change that was written at this time or later. The log is in order of commit, and its times nearly so. */
async function firstSince(store: ChangeStore, since: number): Promise<number> {
  let low = 1;
  let high = ((await store.lastChange())?.number ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [run] = (await store.readChanges(middle, 1)) as [ChangeRun];
    if (run.at < since) low = run.number + 1;
    else high = middle;
  }
  return low;
}
