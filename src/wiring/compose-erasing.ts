/** WIRING of erasing samples for good: the store, the uploaded files, and the whole results that are kept for a while. */
import { FIRST_ADMIN } from '../auth/first-start.js';
import type { Config } from '../config.js';
import { sweepEnded } from '../exports/make-kept.js';
import { parseAccession } from '../registry/accession.js';
import type { Store } from '../store/store.js';
import type { Blobs } from '../submissions/blobs.js';
import { type ErasePlan, erase, planErasure } from '../upkeep/erase.js';

export interface EraseOrder {
  accessions: readonly string[];
  /** Else it is only said what would be erased. */
  confirmed: boolean;
  withKeys: boolean;
  vacuum: boolean;
  onProgress: (done: string) => void;
}

export interface EraseReport extends ErasePlan {
  erased: boolean;
  /** Whole results that are kept, any of which may have the samples in it. */
  exports: number;
}

/** As many at once: each upload is looked through for all of them. */
const MOST = 1_000;
const KEPT_EXPORTS = 10_000;

/** @throws RegistryError sample.not-found and those of the store; Error for what is no accession */
export async function eraseSamples(
  config: Config,
  store: Store,
  blobs: Blobs,
  { accessions, confirmed, withKeys, vacuum, onProgress, record }: EraseOrder & { record: (accession: string) => void },
): Promise<EraseReport> {
  const prefix = config.ACCESSION_PREFIX;
  if (accessions.length > MOST) throw new Error(`Give at most ${MOST} accessions at once.`);
  const ids = new Set(
    accessions.map((accession) => {
      const id = parseAccession(prefix, accession);
      if (id === undefined)
        throw new Error(`${JSON.stringify(accession)} is no accession; give one such as ${prefix}1234.`);
      return id;
    }),
  );
  const mirror = await store.mirrorState();
  if (mirror)
    throw new Error(`This registry is a copy of ${mirror.source}: erase the samples there, and the copy follows.`);
  const parts = { store, blobs, prefix, onProgress };
  if (!confirmed) {
    const exports = (await store.listExports(undefined, store.now(), KEPT_EXPORTS)).length;
    return { erased: false, ...(await planErasure(parts, [...ids])), exports };
  }
  const plan = await erase(parts, [...ids], { author: FIRST_ADMIN, withKeys, record });
  const exports = await removeExports(store, blobs);
  if (vacuum) await store.vacuum();
  return { erased: true, ...plan, exports };
}

/** One that is being made loses its claim, and its file goes when its maker has noticed. */
async function removeExports(store: Store, blobs: Blobs): Promise<number> {
  const kept = await store.listExports(undefined, store.now(), KEPT_EXPORTS);
  for (const { id } of kept) await store.removeExport(id, store.now());
  await sweepEnded({ store, blobs, now: () => store.now() });
  return kept.length;
}
