/**
 * The batch that follows is prepared while the server writes this one: its numbers are taken, its samples summed up and spelled. Else the
 * two would wait for each other in turns, half of the time each (docs/decisions/0174).
 *
 * Numbers are taken without waiting for the disk, so a crash of the server may give them out again (`takeNumbers`). Those of a batch that is
 * prepared are as durable as the transaction in which they were taken: its commit is written behind theirs. So they are taken before
 * it, and kept only when it was committed and its client heard of it.
 */
import type { LaidOutBatch } from '../../../registry/samples/sample-batch.js';
import { newRows } from '../../batch-rules.js';
import { JoinedTexts } from '../text.js';
import type { BatchContext } from './batch-context.js';
import { type NewSamples, newSamples } from './insert-rows.js';

export interface PreparedBatch {
  submission: number;
  layout: number;
  /** When its samples say that they were written, milliseconds since 1970. */
  now: number;
  samples: NewSamples;
}

/** What is prepared says when it was; samples do not say that they were written longer ago than a slow transaction takes. */
const FRESH_MS = 1000;
const kept = new WeakMap<LaidOutBatch, PreparedBatch>();

/** What was prepared of the batch, once. */
export function takePrepared(batch: LaidOutBatch, now: number): PreparedBatch | undefined {
  const prepared = kept.get(batch);
  kept.delete(batch);
  return prepared && prepared.now <= now && now - prepared.now <= FRESH_MS ? prepared : undefined;
}

type Parts = Pick<BatchContext, 'database' | 'names' | 'blocks'> & { now: () => number };

/** Within one transaction, and kept when that is committed. */
export class Preparation {
  #prepared: Promise<PreparedBatch | undefined> | undefined;

  constructor(
    private readonly parts: Parts,
    private readonly batch: LaidOutBatch | undefined,
  ) {}

  /** When the server has something to do. */
  begin(account: number, submission: number): void {
    if (!this.batch) return;
    // What cannot be prepared is done in its turn, and fails there if it must.
    this.#prepared ??= prepareBatch(this.parts, this.batch, account, submission).catch(() => undefined);
  }

  /** Before the commit. */
  async end(): Promise<void> {
    await this.#prepared;
  }

  async keep(): Promise<void> {
    const prepared = await this.#prepared;
    if (prepared && this.batch) kept.set(this.batch, prepared);
  }
}

/** Undefined of one that does more than to register rows. */
async function prepareBatch(
  { database, names, blocks, now: clock }: Parts,
  batch: LaidOutBatch,
  account: number,
  submission: number,
): Promise<PreparedBatch | undefined> {
  const rows = newRows(batch);
  const isPlain = !batch.reserved && !batch.keys && !batch.open && !batch.completes && rows.length === batch.count;
  if (!isPlain || rows.length === 0) return undefined;
  const layout = await names.layoutNumber(batch.layout);
  const first = await database.takeNumbers('accession', rows.length);
  const now = clock();
  const ids = rows.map((_, n) => first + n);
  const samples = await newSamples({ account, submission, layout, now, blocks }, batch, rows, ids);
  for (const [, values] of samples.statements)
    for (const value of values) if (value instanceof JoinedTexts) value.toPostgres();
  return { submission, layout, now, samples };
}

/** Whether that is what the batch still asks for, whose new rows these are: some may have been held back since. */
export const isStillSo = (
  { submission, layout, samples }: PreparedBatch,
  asked: { submission: number; layout: number | undefined },
  rows: readonly number[],
): boolean => submission === asked.submission && layout === asked.layout && rows.length === samples.rows.length;
