/**
 * That all processes on a store have its uploaded files in one place: a mark lies there, and the store knows it. A process that looks elsewhere
 * finds none of the files that others took in, and gives up what waits, as if they were lost.
 */
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { RegistryError } from '../registry/errors.js';
import type { Store } from '../store/store.js';
import type { Blobs } from '../submissions/blobs.js';

/** The blob that holds the mark. */
const MARK = 'registry-place';
/** How long another process may take to write the mark that it has just settled. */
const PATIENCE_MS = 3_000;
const LOOK_EVERY_MS = 250;
/** Of a store from before the marks: one of so many of its last uploads must be there. */
const LAST_UPLOADS = 20;

/** For the log. */
export const FILES_UNKNOWN = 'whether BLOB_URL is where the uploaded files of this store lie is not known now';

export const FILES_ANEW =
  'no uploaded file of this store lies in BLOB_URL: new ones are kept there from now on, and what earlier submissions uploaded cannot be read';

interface SiteFiles {
  store: Pick<Store, 'settled' | 'settle' | 'settleAnew' | 'list' | 'originalGone'>;
  blobs: Blobs;
  /** BLOB_URL, for messages. */
  url: string;
}

interface Leave {
  patienceMs?: number;
  /** It works on what it takes in: it may go on in a place that no store has marked, as where a container's own disk is gone. Hears what is lost. */
  beginAnew?: (why: string) => void;
}

/**
 * `onUnknown`: why that is not known, as the files are away; then the next start looks.
 * @throws Error where the store's files are elsewhere
 */
export async function requireSiteFiles(
  site: SiteFiles,
  onUnknown: (error: unknown) => void,
  { patienceMs = PATIENCE_MS, beginAnew }: Leave = {},
): Promise<void> {
  const { store, blobs, url } = site;
  let known: string | undefined;
  try {
    known = (await store.settled('files')) ?? (await settleHere(site));
    if (known === undefined) throw new Error(`None of the last uploads of this store lies in ${shown(url)}.`);
    if (await hasMark(blobs, known, patienceMs)) return;
    // Who settled on this place may have ended before it wrote the mark.
    if ((await readMark(blobs)) === undefined) {
      if ((await uploadsHere(site)) === 'some') return await writeMark(blobs, known);
      if (beginAnew) {
        const own = randomUUID();
        await writeMark(blobs, own);
        await store.settleAnew('files', own);
        return beginAnew(elsewhere(blobs, url, known));
      }
    }
  } catch (error) {
    return onUnknown(error);
  }
  throw new Error(elsewhere(blobs, url, known));
}

/** After a restore, which has brought the files here. */
export async function bringSiteFiles({ store, blobs }: Pick<SiteFiles, 'store' | 'blobs'>): Promise<void> {
  const here = await readMark(blobs);
  if (here !== undefined) return store.settleAnew('files', here);
  const known = await store.settled('files');
  if (known !== undefined) await writeMark(blobs, known);
}

/** The mark that is settled by now; undefined where the store has uploads and none of the last ones is here. */
async function settleHere(site: SiteFiles): Promise<string | undefined> {
  const { store, blobs } = site;
  if ((await uploadsHere(site)) === 'others') return undefined;
  const here = await readMark(blobs);
  const own = here ?? randomUUID();
  const settled = await store.settle('files', own);
  if (settled !== own || here !== undefined) return settled;
  try {
    await writeMark(blobs, own);
  } catch (error) {
    await store.settleAnew('files', undefined);
    throw error;
  }
  return own;
}

/** Whether `some` of the store's last uploads lie here, or it has `others` only, or `none` that is kept. */
async function uploadsHere({ store, blobs }: SiteFiles): Promise<'some' | 'others' | 'none'> {
  const kept: string[] = [];
  for (const { id, blobKey } of await store.list({ size: LAST_UPLOADS })) {
    if (!(await store.originalGone(id))) kept.push(blobKey);
  }
  for (const key of kept) if ((await firstBytes(blobs, key)) !== undefined) return 'some';
  return kept.length === 0 ? 'none' : 'others';
}

async function hasMark(blobs: Blobs, mark: string, patienceMs: number): Promise<boolean> {
  for (let left = patienceMs; ; left -= LOOK_EVERY_MS) {
    if ((await readMark(blobs)) === mark) return true;
    if (left <= 0) return false;
    await delay(LOOK_EVERY_MS);
  }
}

const readMark = async (blobs: Blobs): Promise<string | undefined> => (await firstBytes(blobs, MARK))?.trim();

async function writeMark(blobs: Blobs, mark: string): Promise<void> {
  await blobs.put(
    MARK,
    (async function* () {
      yield Buffer.from(mark);
    })(),
    { maxBytes: mark.length },
  );
}

/** Undefined when there is no such blob. */
async function firstBytes(blobs: Blobs, key: string): Promise<string | undefined> {
  try {
    return await text(blobs.open(key, { end: 64 }));
  } catch (error) {
    if (error instanceof RegistryError && error.code === 'not-found') return undefined;
    throw error;
  }
}

const shown = (url: string): string => url.replace(/^(s3:\/\/)[^@/]*@/, '$1…@');

function elsewhere(blobs: Blobs, url: string, known: string): string {
  const mark = blobs.localPath?.(MARK) ?? `the object ${MARK} below the prefix of the bucket`;
  return `BLOB_URL is ${shown(url)}, and the uploaded files of this store lie elsewhere: set BLOB_URL (without it DATA_DIR) as the other processes on the store have it, and see that the folder is mounted. If the files were moved or copied here by hand, or are lost and it goes on without them, write ${known} into ${mark}.`;
}
