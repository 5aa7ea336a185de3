/** Rows of `open_relationship` that a batch opens and completes (decision 127): the same in every store. Pure. */
import { formatAccession } from '../registry/accession.js';
import { type PlacedRelationship, placesOf } from '../registry/samples/placed-relationships.js';
import type { LaidOutBatch, RejectedRow } from '../registry/samples/sample-batch.js';
import type { Submission, UploadOptions } from '../submissions/submission.js';
import type { LedgerChunk } from '../submissions/submission-store.js';
import type { CreatedRows } from './keyed-rows.js';

export interface OpenedRow {
  sample: number;
  type: string;
  name: string;
  line: number;
  place: number;
}

/** What waits at this moment, as stores have it. */
export type WaitingRow = Pick<OpenedRow, 'sample' | 'type' | 'name' | 'place'>;

/** What the rows of a batch opened, once it is known which of them were refused and which numbers the new ones got. */
function openedRows(batch: LaidOutBatch, created: CreatedRows, refused: readonly RejectedRow[]): OpenedRow[] {
  if (!batch.open?.size) return [];
  const lines = new Set(refused.map(({ line }) => line));
  const fresh = new Map(created.rows.map((at, n) => [at, created.ids[n] as number]));
  return [...batch.open].flatMap(([at, targets]) => {
    const line = batch.lines[at] as number;
    const sample = fresh.get(at) ?? (batch.ids[at] as number);
    if (at >= batch.count || sample <= 0 || lines.has(line)) return [];
    return targets.map(({ type, name, place }) => ({ sample, type, name, line, place }));
  });
}

/** Samples whose rows say anew what they are: what waited for them is given up, unless a row opens it again. */
function rewrittenSamples(
  { update }: Pick<UploadOptions, 'update'>,
  { undoes }: LaidOutBatch,
  { updated }: LedgerChunk,
): number[] {
  if (update === 'merge' && undoes === undefined) return [];
  return updated.flatMap(([, first, count]) => Array.from({ length: count }, (_, at) => first + at));
}

/** Whether a submission gives samples to relationships that wait: it writes, and takes nothing back. */
export const completesOpen = ({ options }: Pick<Submission, 'options'>): boolean =>
  !options.dryRun && options.undoOf === undefined;

export interface Completing {
  /** By number of the sample. One that cannot be written is taken out. */
  added: Map<number, PlacedRelationship[]>;
  rows: { sample: number; type: string; name: string; target: number }[];
}

export const completedSamples = ({ completes, ids }: LaidOutBatch): number[] =>
  [...(completes?.keys() ?? [])].map((at) => ids[at] as number);

/** A batch that was written. */
export interface Written {
  submission: Pick<Submission, 'options'>;
  batch: LaidOutBatch;
  chunk: LedgerChunk;
  created: CreatedRows;
  rejected: readonly RejectedRow[];
  completing: Completing | undefined;
}

/** Whether nothing waits after it that did not before. */
export const addsNothing = ({ batch, completing: done }: Written): boolean => !batch.open?.size && done === undefined;

/** What it makes of what waits: samples whose rows say it anew, what is opened, what is completed. */
export const waitingAfter = ({ submission, batch, chunk, created, rejected, completing: done }: Written) => ({
  rewritten: rewrittenSamples(submission.options, batch, chunk),
  opened: openedRows(batch, created, rejected),
  completed: done ? done.rows.filter(({ sample }) => done.added.has(sample)) : [],
});

type Place = Pick<OpenedRow, 'sample' | 'type' | 'name'>;
const START: Place = { sample: 0, type: '', name: '' };

/** Where a page begins, in the order of names and of samples. */
export const behindName = ({ name, sample, type }: Place = START): [string, number, string] => [name, sample, type];
export const behindSample = ({ sample, type, name }: Place = START): [number, string, string] => [sample, type, name];

/** What of a batch's completions still waits, and where it goes. */
export function completing(batch: LaidOutBatch, waiting: readonly WaitingRow[], prefix: string): Completing {
  const result: Completing = { added: new Map(), rows: [] };
  for (const [at, { targets }] of batch.completes ?? []) {
    const sample = batch.ids[at] as number;
    const open = waiting.filter((row) => row.sample === sample);
    const filled = open
      .flatMap((row) => {
        const found = targets.find(({ type, name }) => type === row.type && name === row.name);
        return found ? [{ ...row, target: found.target }] : [];
      })
      .sort((a, b) => a.place - b.place);
    const rest = open.filter((row) => !filled.some(({ type, name }) => type === row.type && name === row.name));
    const places = placesOf(
      filled.map(({ place }) => place),
      rest.map(({ place }) => place),
    );
    const added = filled.map(({ type, target }, n) => ({
      type,
      target: formatAccession(prefix, target),
      at: places[n] as number,
    }));
    result.added.set(sample, added);
    for (const { type, name, target } of filled) result.rows.push({ sample, type, name, target });
  }
  return result;
}
