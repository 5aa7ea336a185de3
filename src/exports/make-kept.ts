/**
 * Makes the whole results that wait, in their order, in places of those that are sent at once: in every process that
 * answers requests. A process that dies loses its claim, and another begins anew.
 */
import { ERRORS, RegistryError } from '../registry/errors.js';
import type { KeptExport, KeptExportStore } from '../registry/search/kept-export-store.js';
import type { Blobs } from '../submissions/blobs.js';
import { type KeptExportSettings, requestOf } from './kept-exports.js';
import { keyOf, removeFiles, removeFilesBefore } from './kept-files.js';
import type { ExportPlace, SampleExports } from './sample-exports.js';

export interface MakingDependencies {
  store: KeptExportStore;
  blobs: Pick<Blobs, 'put' | 'delete'>;
  exports: Pick<SampleExports, 'place' | 'beginAt'>;
  settings: KeptExportSettings;
  leaseMs: number;
  now: () => number;
  onError: (error: unknown, exportId?: string) => void;
}

export interface Making {
  /** Looks at once. */
  nudge(): void;
  /** What is being made waits again. */
  stop(): Promise<void>;
}

/** Made at once by one process: whoever waits for a result finds places, too. */
const AT_ONCE = 2;
const LOOK_EVERY_MS = 2_000;
const SWEEP_EVERY_MS = 60_000;
const LOOKED_AT = 100;
/** Attempts whose process died. */
const MOST_ATTEMPTS = 5;

export function startMaking(deps: MakingDependencies): Making {
  const { store, exports, now, onError } = deps;
  const making = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let looking: Promise<void> = Promise.resolve();

  const look = async (): Promise<void> => {
    if (stopping.signal.aborted || making.size >= AT_ONCE) return;
    for (const { id, account } of await store.waitingExports(now(), LOOKED_AT)) {
      if (stopping.signal.aborted || making.size >= AT_ONCE) return;
      const leave = making.has(id) ? undefined : exports.place(account);
      if (leave === undefined) continue;
      const claim = await store.claimExport(id, now(), deps.leaseMs).catch((error: unknown) => onError(error, id));
      if (!claim) {
        leave();
        continue;
      }
      const made = makeOne(deps, claim, leave, stopping.signal)
        .catch((error: unknown) => onError(error, id))
        .finally(() => {
          making.delete(id);
          nudge();
        });
      making.set(id, made);
    }
  };
  const nudge = (): void => {
    if (!stopping.signal.aborted) looking = looking.then(look).catch(onError);
  };
  const sweep = (): void => void sweepEnded(deps).catch(onError);
  const timers = [setInterval(nudge, LOOK_EVERY_MS).unref(), setInterval(sweep, SWEEP_EVERY_MS).unref()];
  return {
    nudge,
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      await looking;
      await Promise.all(making.values());
    },
  };
}

/** Takes away what was removed or has expired: the files first, so that one that is stopped in between is done again. */
export async function sweepEnded({ store, blobs, now }: Pick<MakingDependencies, 'store' | 'blobs' | 'now'>) {
  for (;;) {
    const ended = await store.endedExports(now(), LOOKED_AT);
    for (const claim of ended) {
      await removeFiles(blobs, claim);
      await store.forgetExport(claim.id);
    }
    if (ended.length < LOOKED_AT) return;
  }
}

async function makeOne(deps: MakingDependencies, claim: KeptExport, leave: ExportPlace, stopping: AbortSignal) {
  const { store, blobs, settings, now } = deps;
  const key = keyOf(claim);
  const until = () => ({ now: now(), expires: now() + settings.keepMs });
  const lost = new AbortController();
  const over = AbortSignal.any([stopping, lost.signal]);
  const extend = () =>
    store.extendExport(claim, now(), deps.leaseMs).then(
      (held) => !held && lost.abort(),
      () => undefined, // the store is away; the lease says for how long that may be
    );
  const keep = setInterval(extend, deps.leaseMs / 3);
  /** Whether it may be there for its account by now: the answer to that can be lost. Else its file goes with those of the next attempt, or all. */
  let mayBeComplete = false;
  try {
    if (claim.attempts - claim.handedBack > MOST_ATTEMPTS) throw attemptsUsedUp();
    const file = await storeFile(deps, claim, key, leave, over);
    mayBeComplete = true;
    const answer = await store.completeExport(claim, file, settings.bytes, until());
    mayBeComplete = answer === 'completed';
    if (answer === 'no room') throw noRoom();
    if (answer === 'lost') await blobs.delete(key);
    else await removeFilesBefore(blobs, claim);
  } catch (error) {
    if (!mayBeComplete) await blobs.delete(key);
    const pauseMs = stopping.aborted ? 0 : pauseAfter(error);
    if (pauseMs !== undefined) await store.returnExport(claim, now(), now() + pauseMs);
    else if (!over.aborted) {
      // False of one that is there, whose answer was lost.
      if (await store.failExport(claim, problemOf(error), until())) await removeFiles(blobs, claim);
      if (!(error instanceof RegistryError)) deps.onError(error, claim.id);
    }
  } finally {
    clearInterval(keep);
    leave();
  }
}

async function storeFile(
  { store, blobs, exports, settings }: MakingDependencies,
  claim: KeptExport,
  key: string,
  leave: ExportPlace,
  over: AbortSignal,
) {
  const { account, admin } = claim;
  const kept = await store.keptBytes(account);
  const maxBytes = Math.min(settings.bytes.ofOne - kept.ofAccount, settings.bytes.inAll - kept.inAll);
  if (maxBytes <= 0) throw noRoom();
  const made = await exports.beginAt(leave, requestOf(claim), { account, admin, scopes: ['read'] });
  const end = () => void made.end();
  over.addEventListener('abort', end, { once: true });
  try {
    over.throwIfAborted();
    const stored = await blobs.put(key, untilOver(made.file.read(), over), { maxBytes }).catch((error: unknown) => {
      throw error instanceof RegistryError && error.code === 'file.too-large' ? noRoom() : error;
    });
    return { samples: made.count, bytes: stored.size, sha256: stored.sha256 };
  } finally {
    over.removeEventListener('abort', end);
    await made.end();
  }
}

async function* untilOver(pieces: AsyncIterable<Buffer>, over: AbortSignal): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    over.throwIfAborted();
    yield piece;
  }
  over.throwIfAborted();
}

/** Milliseconds after which to begin again, of what passes by itself, such as an index that is behind. */
function pauseAfter(error: unknown): number | undefined {
  const seconds = error instanceof RegistryError && error.detail.extra?.retryAfter;
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

const problemOf = (error: unknown): { code: string; message: string } =>
  error instanceof RegistryError
    ? { code: error.code, message: error.message }
    : { code: 'internal', message: `${ERRORS.internal} The operators find it in the log under the id of this export.` };

const noRoom = (): RegistryError =>
  new RegistryError(
    'storage.full',
    'The file is larger than what may still be kept; take away exports that you need no more, narrow the search, or take the result at once with GET /samples/export.',
  );

const attemptsUsedUp = (): RegistryError =>
  new RegistryError(
    'service.unavailable',
    `The making of this result was begun ${MOST_ATTEMPTS} times and never came to its end; narrow the search, or tell the operators.`,
  );
