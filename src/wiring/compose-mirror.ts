/** WIRING of a mirror: another registry's changes, read over HTTP, into the store of this one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { RefusedError } from '../client/failures.js';
import { connectionFailure, send } from '../client/http.js';
import { PATIENT, type Retry, withRetries } from '../client/retry.js';
import type { Config } from '../config.js';
import { formatAccession, parseAccession } from '../registry/accession.js';
import { recordOfDocument, type SampleRecordDocument } from '../registry/changes/change-record.js';
import type { MirroredSample } from '../registry/changes/mirror-store.js';
import type { StoredSample } from '../registry/samples/sample.js';
import { openStore } from '../store/open.js';
import type { Store } from '../store/store.js';

const PAGE = 200;
const LOOK_EVERY_MS = 1_000;
const READ_AT_ONCE = 50;

/** Only what the mirror itself decides by is looked at: content comes from the registry that is trusted with it. */
const page = z.object({
  changes: z.array(
    z.object({
      accession: z.string(),
      sample: z.custom<SampleRecordDocument>((value) => typeof value === 'object').optional(),
    }),
  ),
  cursor: z.string(),
  more: z.boolean(),
});
type Page = z.infer<typeof page>;

export interface MirrorOptions {
  source: string;
  token?: string | undefined;
  /** Ends when there is nothing more to take, instead of waiting for it. */
  once: boolean;
  signal?: AbortSignal;
  onStep?: (samples: number) => void;
  onRetry?: (retry: Retry) => void;
}

export interface Mirrored {
  /** Changes that were taken. */
  changes: number;
}

/** Keeps the store of the settings a copy of the source, from where it was left. */
export async function runMirror(config: Config, options: MirrorOptions): Promise<Mirrored> {
  const store = await openStore(config.STORE_URL, { prefix: config.ACCESSION_PREFIX });
  try {
    await store.beginMirror(options.source);
    return await follow(store, config.ACCESSION_PREFIX, options);
  } finally {
    await store.close();
  }
}

/** The copy becomes a registry of its own. @throws Error when it is no copy */
export async function endMirror(config: Config): Promise<void> {
  const store = await openStore(config.STORE_URL, { prefix: config.ACCESSION_PREFIX });
  try {
    if (!(await store.endMirror())) throw new Error('This registry is no mirror.');
  } finally {
    await store.close();
  }
}

/** Ends in order when it is asked to stop, in whatever it is: what was taken is taken. */
async function follow(store: Store, prefix: string, options: MirrorOptions): Promise<Mirrored> {
  const { signal } = options;
  const mirrored: Mirrored = { changes: 0 };
  try {
    for (let after = (await store.mirrorState())?.cursor; !signal?.aborted; ) {
      const next = page.parse(await ask(options, '/changes', { size: String(PAGE), records: 'true', after }));
      if (next.cursor !== after) {
        await store.applyMirrored({ after, cursor: next.cursor, ...(await stepOf(store, prefix, options, next)) });
        after = next.cursor;
        mirrored.changes += next.changes.length;
        if (next.changes.length > 0) options.onStep?.(mirrored.changes);
      }
      if (next.more) continue;
      if (options.once) break;
      await sleep(LOOK_EVERY_MS, undefined, signal ? { signal } : {});
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  return mirrored;
}

/** Each sample of a page once: what the page shows of it is what it is now. */
async function stepOf(store: Store, prefix: string, options: MirrorOptions, { changes }: Page) {
  const last = new Map<number, SampleRecordDocument | undefined>();
  for (const { accession, sample } of changes) {
    const id = parseAccession(prefix, accession);
    if (id === undefined) {
      throw new Error(`${accession} does not begin with ${prefix}: set ACCESSION_PREFIX to that of ${options.source}.`);
    }
    last.set(id, sample);
  }
  const known = await versionsOf(store, [...last.keys()]);
  const samples: MirroredSample[] = [];
  const withdrawn: number[] = [];
  const erased: number[] = [];
  for (const [id, document] of last) {
    if (document === undefined) {
      const gone = known.has(id) && (await isErased(options, formatAccession(prefix, id)));
      (gone ? erased : withdrawn).push(id);
      continue;
    }
    const record = recordOfDocument(document, id);
    const former: StoredSample[] = [];
    for (let version = (known.get(id) ?? 0) + 1; version < record.sample.version; version++) {
      const path = `/samples/${document.accession}/history/${version}`;
      former.push(recordOfDocument((await ask(options, path)) as SampleRecordDocument, id).sample);
    }
    samples.push({ record, former });
  }
  return { samples, withdrawn, erased };
}

/** Of a sample that the source does not show. */
async function isErased(options: MirrorOptions, accession: string): Promise<boolean> {
  const refused = await asked(options, `/samples/${accession}`, {}).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof RefusedError) return error;
      throw error;
    },
  );
  return refused?.problem.code === 'sample.erased';
}

async function versionsOf(store: Store, ids: readonly number[]): Promise<Map<number, number>> {
  const versions = new Map<number, number>();
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    for (const { sample } of await store.readSamples(ids.slice(at, at + READ_AT_ONCE))) {
      versions.set(sample.id, sample.version);
    }
  }
  return versions;
}

/** Waits for a source that is away, for as long as it takes where the mirror goes on for ever. */
async function asked(
  options: MirrorOptions,
  path: string,
  query: Record<string, string | undefined>,
): Promise<unknown> {
  const { source, token, signal, onRetry, once } = options;
  const policy = once ? PATIENT : { ...PATIENT, giveUpAfterMs: Number.POSITIVE_INFINITY };
  const headers = { accept: 'application/json' };
  const read = async (): Promise<unknown> => {
    const response = await send(source, token, { path, query, headers, signal }, process.env);
    return response.json().catch((error: unknown) => {
      throw connectionFailure(error, source, signal);
    });
  };
  return withRetries(read, policy, { onRetry, signal });
}

/** @throws Error where the source no longer has what the cursor follows upon */
async function ask(
  options: MirrorOptions,
  path: string,
  query: Record<string, string | undefined> = {},
): Promise<unknown> {
  try {
    return await asked(options, path, query);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.status !== 410) throw error;
    throw new Error(`${error.message} A mirror begins anew in an empty store.`);
  }
}
