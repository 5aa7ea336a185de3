/** Rows of a batch that carry keys, decided by the rule of registry/samples/row-key.ts: the same in every store. Pure. */

import { rowIssue } from '../registry/row-issue.js';
import { placesOf } from '../registry/row-places.js';
import { batchKey } from '../registry/samples/batch-keys.js';
import { decideKey, type KnownKeys, learnKey } from '../registry/samples/row-key.js';
import { batchName, HOLD, type Issue, type LaidOutBatch, type RejectedRow } from '../registry/samples/sample-batch.js';
import { notAsShown } from '../submissions/preview.js';
import { OutdatedBatch } from '../submissions/processing/unapplied-batch.js';
import { keyRuleOf } from '../submissions/reading/row-keys.js';
import type { Submission } from '../submissions/submission.js';
import type { LedgerChunk, LedgerRun } from '../submissions/submission-store.js';

/** In the place of the number of a row that is refused for its key: it neither names a sample nor registers one. */
const REFUSED = -1;

/** What has to be known of the key space before the rows are decided. */
export interface AskedKeys {
  /** Of each row. */
  keys: readonly string[];
  /** Samples that rows name or mean. */
  samples: readonly number[];
}

export function askedKeys(batch: LaidOutBatch): AskedKeys {
  const { count, ids, meant } = batch;
  const keys: string[] = [];
  const samples: number[] = [];
  for (let at = 0; at < count; at++) {
    keys.push(batchKey(batch, at));
    const id = (ids[at] as number) || (meant?.[at] ?? 0);
    if (id !== 0) samples.push(id);
  }
  return { keys, samples };
}

export interface KeyedRows {
  /** The batch with the numbers of the samples that its rows mean. */
  batch: LaidOutBatch;
  rejected: RejectedRow[];
  /** Positions of the rows that give a sample its key, in their order. */
  giving: number[];
  keys: readonly string[];
}

/** Of a batch whose rows carry none. */
export const keylessRows = (batch: LaidOutBatch): KeyedRows => ({ batch, rejected: [], giving: [], keys: [] });

interface Asked {
  batch: LaidOutBatch;
  submission: Submission;
  asked: AskedKeys;
  known: KnownKeys;
  prefix: string;
}

export function keyedRows({ batch, submission: { options }, asked: { keys }, known, prefix }: Asked): KeyedRows {
  const rule = keyRuleOf(options, prefix, placesOf(batch));
  if (rule === undefined) throw new Error('a batch has keys and its submission no column of them');
  const ids = batch.ids.slice();
  const rejected: RejectedRow[] = [];
  const giving: number[] = [];
  for (let at = 0; at < batch.count; at++) {
    const line = batch.lines[at] as number;
    const key = keys[at] as string;
    const meant = batch.meant?.[at] ?? 0;
    const released = batch.releaseDate !== undefined || !Number.isNaN(batch.releases[at]);
    const decision = decideKey({ line, key, id: ids[at] as number, meant, released }, known, rule);
    const issue = 'issue' in decision ? decision.issue : otherThanRead(batch, at, decision.id, options.commitOf);
    if (issue || 'issue' in decision) {
      rejected.push({ line, name: batchName(batch, at), key, issues: [issue as Issue] });
      ids[at] = REFUSED;
      continue;
    }
    ids[at] = decision.id;
    if (!decision.gives) continue;
    giving.push(at);
    learnKey(known, key, decision.id);
  }
  return { batch: { ...batch, ids }, rejected, giving, keys };
}

/** What keeps a row from meaning another sample than when the file was surveyed, or than a dry run showed. */
function otherThanRead(batch: LaidOutBatch, at: number, id: number, commitOf: object | undefined): Issue | undefined {
  const line = batch.lines[at] as number;
  const shown = batch.expected?.[at];
  if (commitOf && shown !== undefined && (id === 0) !== (shown === 0)) return notAsShown(line);
  // Relationships of other rows name the sample that was meant then.
  if (batch.reserved === undefined || batch.ids[at] !== 0 || id === (batch.meant?.[at] ?? 0)) return undefined;
  if (batch.mayBeReadAgain) throw new OutdatedBatch();
  const message = 'The key of this row was given or taken away while the file was read. Send the row again.';
  return rowIssue('row.changed-since', { line }, { message });
}

/** Positions of the rows that became samples, and their numbers. */
export interface CreatedRows {
  rows: readonly number[];
  ids: readonly number[];
}

export interface GivenKey {
  key: string;
  sample: number;
}

/** The keys that the rows gave, once it is known which of them were refused and which numbers the new ones (`created`) got. */
export function givenKeys(
  { batch, giving, keys }: KeyedRows,
  created: CreatedRows,
  refused: readonly RejectedRow[],
): GivenKey[] {
  const lines = new Set(refused.map(({ line }) => line));
  const given: GivenKey[] = [];
  let next = 0;
  for (const at of giving) {
    while (next < created.rows.length && (created.rows[next] as number) < at) next++;
    const id = batch.ids[at] as number;
    const sample = id === 0 ? (created.ids[next] as number) : id;
    if (id === 0 || !lines.has(batch.lines[at] as number)) given.push({ key: keys[at] as string, sample });
  }
  return given;
}

/** Of a batch that undoes: samples that lose the keys that the undone submission gave, and those that lose every key. */
export function keylessAfter(
  { keysOf, holds, ids, count }: LaidOutBatch,
  { updated, unchanged }: LedgerChunk,
): { samples: number[]; withdrawn: number[] } {
  const numbers = ([, first, length]: LedgerRun): number[] => Array.from({ length }, (_, at) => first + at);
  const undone = [...updated, ...unchanged].flatMap(numbers);
  const still = new Set(undone);
  const withdrawn: number[] = [];
  for (let at = 0; at < count; at++) {
    const id = ids[at] as number;
    if (holds?.[at] === HOLD.kill && still.has(id)) withdrawn.push(id);
  }
  return { samples: [...undone, ...(keysOf?.unchanged ?? [])], withdrawn };
}

/** Where giving a single key to a sample ends before it is written. */
export function givenBefore(
  { samples, keys }: KnownKeys,
  key: string,
  id: number,
): { id: number } | { other: string } | undefined {
  const owner = samples.get(key);
  const other = keys.get(id);
  if (owner !== undefined) return { id: owner };
  return other === undefined ? undefined : { other };
}

/** Rows of the key space, as they are read. */
export const knownFrom = (
  byKey: readonly { key: string; sample: number }[],
  bySample: readonly { key: string; sample: number }[],
): KnownKeys => ({
  samples: new Map(byKey.map(({ key, sample }) => [key, sample])),
  keys: new Map([...byKey, ...bySample].map(({ key, sample }) => [sample, key])),
});
