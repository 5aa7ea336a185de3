/** What whole results of both stores have in common. Pure. */

import type { SampleLayout } from '../registry/samples/packed-sample.js';
import {
  BLOCK_SAMPLES,
  type IdRange,
  IndexBehind,
  type ResultShapes,
  withinTime,
} from '../registry/samples/whole-result.js';
import { IdSet } from '../registry/search/id-set.js';
import type { PendingEntry, Wanted } from '../registry/search/pending-samples.js';
import { type Places, resultConditions } from './result-conditions.js';
import { askedBeside } from './search-page.js';

/** What the index is still to be asked for, and the set that takes it, in which the samples are that it does not have yet. @throws IndexBehind */
export function idsBesideIndex(
  pending: { entries: readonly PendingEntry[]; missing: number },
  wanted: Wanted,
  among: IdSet | undefined,
) {
  if (pending.missing > 0) throw new IndexBehind(pending.missing);
  const { asked, fresh } = askedBeside(pending.entries, wanted, undefined, among);
  const ids = new IdSet();
  for (const id of fresh) ids.add(id);
  return { asked, ids };
}

interface Shape {
  layout: number | null;
  doc: string;
}

/** The shapes of samples whose layouts were counted, and of those in the blocks; each layout once. */
export async function* shapesOf(
  counted: readonly number[],
  blocks: AsyncIterable<readonly Shape[]>,
  layoutsOf: (numbers: readonly number[]) => SampleLayout[] | Promise<SampleLayout[]>,
): AsyncGenerator<ResultShapes> {
  const known = new Set(counted);
  yield { layouts: await layoutsOf(counted), documents: [] };
  for await (const rows of blocks) {
    const layouts = new Set(rows.flatMap(({ layout }) => layout ?? []));
    for (const layout of layouts) if (known.has(layout)) layouts.delete(layout);
    for (const layout of layouts) known.add(layout);
    const documents = rows.filter(({ layout }) => layout === null).map(({ doc }) => doc);
    yield { layouts: await layoutsOf([...layouts]), documents };
  }
}

/** Which rows a result is, with the values of the statement's places. */
export class ResultSelection {
  readonly values: unknown[] = [];
  readonly conditions: string;
  /** Throws when the result takes too long. */
  readonly inTime = withinTime();
  /** Of which rows the shapes are not known. */
  readonly further: string;

  constructor(
    wanted: Wanted,
    readonly ids: IdSet | undefined,
    spell: (values: unknown[]) => Places,
  ) {
    this.conditions = resultConditions(wanted, spell(this.values));
    // Layouts are counted where the index is not asked, so only the other samples are looked at for their shapes.
    this.further = ids === undefined ? 'layout is null' : 'true';
  }

  /** The numbers of a range in blocks, or one block without numbers. */
  *blocks({ after, upTo }: IdRange = EVERYTHING): Generator<number[] | undefined> {
    if (this.ids === undefined) yield undefined;
    for (const block of this.ids?.runs(BLOCK_SAMPLES) ?? []) {
      const within = block.filter((id) => id > after && id <= upTo);
      if (within.length > 0) yield within;
    }
  }
}

/** Of every sample. */
export const EVERYTHING: IdRange = { after: 0, upTo: Number.MAX_SAFE_INTEGER };

/** Of the least and the greatest number in a store. */
export const spanOf = (least: number | null | undefined, greatest: number | null | undefined): IdRange | undefined =>
  least == null || greatest == null ? undefined : { after: least - 1, upTo: greatest };
