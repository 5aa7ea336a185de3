/** `descendantOf:` and `ancestorOf:` of a search, as the samples that they stand for. */
import { formatAccession, parseAccession } from '../accession.js';
import { RegistryError } from '../errors.js';
import type { Caller } from '../permissions.js';
import { DESCENT_TYPES, followedTypes } from '../samples/relationship-types.js';
import { type LineageSample, LineageSamples, type LineageStore } from './lineage-samples.js';
import { type Direction, LineageWalk, type Walked } from './lineage-walk.js';

export interface LineageFilter {
  direction: Direction;
  /** Of ours or of another registry. */
  accession: string;
  /** The one type that is followed; absent: those that say descent. */
  type?: string;
}

/** Samples that one filter may stand for: a list of them goes with every page of the search. */
const MOST = 10_000;
const FILTER_MS = 10_000;

interface Asking {
  prefix: string;
  now: number;
  caller: Caller | undefined;
}

/** All filters of one search end at the same moment, of `performance.now()`. */
interface Resolving extends Asking {
  until: number;
}

/**
 * Accession numbers of the samples that meet these filters: those of one direction are alternatives, both directions must
 * be met. `missing`: changes that are not known yet. A sample of ours that the caller may not read has no descendants for it.
 * @throws RegistryError request.invalid, service.unavailable
 */
export async function resolveLineage(
  store: LineageStore,
  filters: readonly LineageFilter[],
  asking: Asking,
): Promise<{ ids: number[]; missing: number }> {
  const resolving = { ...asking, until: performance.now() + FILTER_MS };
  const met = new Map<Direction, Set<number>>();
  let missing = 0;
  for (const filter of filters) {
    const found = await resolveOne(store, filter, resolving);
    const ids = met.get(filter.direction) ?? new Set();
    met.set(filter.direction, ids);
    for (const id of found.ids) ids.add(id);
    missing = Math.max(missing, found.missing);
  }
  const [first = new Set(), ...others] = met.values();
  return { ids: [...first].filter((id) => others.every((ids) => ids.has(id))), missing };
}

async function resolveOne(
  store: LineageStore,
  filter: LineageFilter,
  resolving: Resolving,
): Promise<{ ids: number[]; missing: number }> {
  const { prefix, now, caller, until } = resolving;
  const types = followedTypes(filter.type === undefined ? DESCENT_TYPES : [filter.type]);
  const samples = new LineageSamples(store, { prefix, caller, now, types, statements: 20 * MOST });
  const first = await firstOf(samples, filter.accession, prefix);
  if (first === undefined) return { ids: [], missing: samples.missing };
  const limits = { depth: MOST, nodes: MOST + 1, until };
  const walked = await new LineageWalk(samples, types, filter.direction, limits).from(first);
  refuseCut(walked, filter);
  const ids = [...walked.depths].flatMap(([accession, depth]) =>
    depth === 0 ? [] : (parseAccession(prefix, accession) ?? []),
  );
  return { ids, missing: samples.missing };
}

async function firstOf(samples: LineageSamples, accession: string, prefix: string): Promise<LineageSample | undefined> {
  const id = parseAccession(prefix, accession);
  // What is of another registry is known by what ours say of it.
  if (id === undefined) return { accession, statements: [], partial: false };
  for await (const sample of samples.read([formatAccession(prefix, id)], Number.POSITIVE_INFINITY)) return sample;
  return undefined;
}

/** A list is whole or it is not begun. */
function refuseCut({ more }: Walked, { direction, accession }: LineageFilter): void {
  const reasons = new Set(more.values());
  const filter = `${direction === 'ancestors' ? 'ancestorOf' : 'descendantOf'}:${accession}`;
  if (reasons.has('time')) {
    throw new RegistryError(
      'service.unavailable',
      `The filter "${filter}" was stopped after ${FILTER_MS / 1000} s. Begin at a sample with fewer ${direction}.`,
    );
  }
  if (reasons.size > 0) {
    throw new RegistryError(
      'request.invalid',
      `The filter "${filter}" stands for more than ${MOST} samples. Begin at one with fewer ${direction}, or find those that name it directly with "rel:TYPE:${accession}".`,
    );
  }
}
