/**
 * Samples of a list, read in lots: each reading is a transaction, which on PostgreSQL takes longer than what it reads, and all at
 * once may be gigabytes.
 */
import type { Caller } from '../permissions.js';
import type { SearchStore } from '../search/search-store.js';
import type { StoredSample } from './sample.js';
import type { SampleRecord, SampleStore } from './sample-store.js';

/** Samples of a lot. */
export const LOT_SAMPLES = 50;
/** Stored bytes of several samples together. */
const LOT_BYTES = 250_000;

export type LotStore = Pick<SearchStore, 'readSamplesWithin'>;

/** The lots of a caller or, without a token, of a network; of neither, the service's own. */
export type LotsFor = (caller: Caller | undefined, network?: string) => LotStore;

/** As many of `ids` as a lot is, or fewer: `read` says of how many of them, from the first on, the records are; one at least. */
export const readLot = (
  store: LotStore,
  ids: readonly number[],
  most = LOT_SAMPLES,
): Promise<{ records: SampleRecord[]; read: number }> =>
  store.readSamplesWithin(ids.slice(0, Math.min(most, LOT_SAMPLES)), LOT_BYTES);

/** Those of these numbers, in their order, lot by lot; one that is not there has no record. */
export async function* sampleLots(
  store: LotStore,
  ids: readonly number[],
): AsyncGenerator<readonly { id: number; record: SampleRecord | undefined }[]> {
  for (let at = 0; at < ids.length; ) {
    const asked = ids.slice(at, at + LOT_SAMPLES);
    const { records, read } = await readLot(store, asked);
    const found = new Map(records.map((record) => [record.sample.id, record]));
    yield asked.slice(0, read).map((id) => ({ id, record: found.get(id) }));
    at += read;
  }
}

/** Parts of a list that are as long as a lot. */
export function* inLots<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += LOT_SAMPLES) yield items.slice(at, at + LOT_SAMPLES);
}

export type VersionStore = Pick<SampleStore, 'readVersions'>;

/** Of each sample the latest version from the given one on back that is meant, `most` steps back at most; undefined where there is none. */
export async function lastMeant(
  store: VersionStore,
  samples: readonly (StoredSample | undefined)[],
  isMeant: (sample: StoredSample, at: number) => boolean,
  most = Number.POSITIVE_INFINITY,
): Promise<(StoredSample | undefined)[]> {
  const found = [...samples];
  for (let steps = 0; ; steps++) {
    const others = found.flatMap((sample, at) => (sample && !isMeant(sample, at) ? [{ at, sample }] : []));
    if (others.length === 0) return found;
    const former =
      steps < most
        ? await formerVersions(
            store,
            others.map(({ sample }) => sample),
          )
        : [];
    for (const [nth, { at }] of others.entries()) found[at] = former[nth];
  }
}

/** The version before each of these, in their order. */
export async function formerVersions(
  store: VersionStore,
  samples: readonly (StoredSample | undefined)[],
): Promise<(StoredSample | undefined)[]> {
  const known = samples.flatMap((sample) => (sample && sample.version > 1 ? [sample] : []));
  if (known.length === 0) return samples.map(() => undefined);
  const read = await store.readVersions(known.map(({ id, version }) => ({ id, version: version - 1 })));
  const former = new Map(known.map((sample, at) => [sample, read[at]]));
  return samples.map((sample) => sample && former.get(sample));
}
