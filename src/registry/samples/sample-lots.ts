/**
 * Samples of a list, read in lots: each reading is a transaction, which on PostgreSQL takes longer than what it reads, and all at
 * once may be gigabytes.
 */
import type { Caller } from '../permissions.js';
import type { SearchStore } from '../search/search-store.js';
import type { SampleRecord } from './sample-store.js';

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
