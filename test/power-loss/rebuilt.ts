/** What a power cut left, started again: whether it can be read, whether all that was answered is there, and whether it goes on. */
import { join } from 'node:path';
import { openFilesystemBlobs } from '../../src/blobs/filesystem.js';
import { EmbeddedQueue } from '../../src/queue/embedded.js';
import { parseAccession } from '../../src/registry/accession.js';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import type { Store } from '../../src/store/store.js';
import type { Blobs } from '../../src/submissions/blobs.js';
import { isFinal } from '../../src/submissions/submission.js';
import { startWorker, type Worker } from '../../src/submissions/work.js';
import { verifyStore } from '../../src/upkeep/verify.js';
import type { Promised } from './recorded-service.js';

const PREFIX = 'SAMR';
/** Who had work is gone with the power, and what was claimed is free when that has run out. */
const now = (): number => Date.now() + 3_600_000;

export async function faultsOf(folder: string, promised: readonly Promised[], goOn: boolean): Promise<string[]> {
  const found: string[] = [];
  let store: Store | undefined;
  try {
    store = await openSqliteStore(join(folder, 'registry.db'), { prefix: PREFIX, now, cacheKiB: 500 });
    const blobs = await openFilesystemBlobs(join(folder, 'blobs'));
    const verified = async (when: string): Promise<void> => {
      const { faults } = await verifyStore(store as Store, { blobs, originals: true });
      found.push(...faults.map(({ place, message }) => `${when}: ${place}: ${message}`));
    };
    await verified('as it was left');
    for (const what of promised) found.push(...(await lacking(store, what)));
    if (goOn && found.length === 0) {
      await finish(store, blobs);
      await verified('when it had gone on');
    }
  } catch (error) {
    found.push(`unreadable: ${(error as Error).message}`);
  } finally {
    await store?.close();
  }
  return found;
}

async function lacking(store: Store, what: Promised): Promise<string[]> {
  if (what.kind === 'submission') {
    const present = await store.find(what.id);
    if (present === undefined) return [`submission ${what.id} was answered and is not there`];
    return what.ended && !isFinal(present.state) ? [`submission ${what.id} had ended and is ${present.state}`] : [];
  }
  const record = await store.readSample(parseAccession(PREFIX, what.accession) as number);
  const note = record?.sample.content.characteristics.note?.[0]?.text;
  return note === what.note ? [] : [`${what.accession} was answered with "${what.note}" and has "${note}"`];
}

/** A worker takes up what was not finished. */
async function finish(store: Store, blobs: Blobs): Promise<void> {
  const queue = new EmbeddedQueue();
  const active = async () => (await store.list({ size: 100 })).filter(({ state }) => !isFinal(state));
  if ((await active()).length === 0) return;
  let worker: Worker | undefined;
  await new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error('the work does not go on')), 60_000).unref();
    const events = { ended: () => void active().then((left) => left.length === 0 && resolve()) };
    const rules = { maxAttempts: 3, outsideMs: 3_600_000 };
    const deps = { store, blobs, queue, prefix: PREFIX, batchRows: 250, leaseMs: 10_000, now, rules, events };
    worker = startWorker(deps, { name: 'after the power cut', concurrency: { small: 1, large: 1 }, lookEveryMs: 20 });
  });
  await worker?.stop();
  await queue.close();
}
