/** WIRING of what an operator asks of a site: whether what it stands on answers, what is behind, why a submission takes long. */
import type { Config } from '../config.js';
import { within } from '../observability/within.js';
import { openQueue } from '../queue/open.js';
import { describeIndex, type SearchIndexDocument } from '../registry/search/index-progress.js';
import type { Store } from '../store/store.js';
import type { Blobs } from '../submissions/blobs.js';
import { LEAST_BYTES } from '../submissions/uploads/disk-room.js';
import { activeSubmissions } from '../submissions/what-happens.js';
import { disksOf, foldersOf, partsOf } from './compose-metrics.js';

/** How long a part may take to answer, milliseconds. */
const PART_MS = 5_000;

/** What the service stands on and what is behind; absent where the store does not answer. */
export interface SiteReport {
  parts: { name: string; fault?: string }[];
  /** Bytes; `full`: uploads are refused. */
  disks: { folder: string; path: string; free: number; size: number; full: boolean }[];
  searchIndex?: SearchIndexDocument;
  lastBackup?: string;
  /** `oldestWaiting`: milliseconds. */
  queue?: { waiting: number; running: number; oldestWaiting?: number };
  webhooks?: { waiting: number };
}

export interface ActiveSubmissionsReport {
  submissions: {
    submissionId: string;
    account: string;
    fileName: string;
    fileSize: number;
    accepted: string;
    phase: string;
    worker?: string;
    /** What is going on with it, in a sentence. */
    what: string;
  }[];
  /** There are more. */
  further: boolean;
}

/** Each part is asked by itself; what does not answer is said, and the rest is there. */
export async function siteReport(config: Config, store: Store, blobs: Blobs): Promise<SiteReport> {
  const { now } = store;
  const queue = await openQueue(config.QUEUE_URL);
  try {
    const folders = foldersOf(config);
    const [parts, disks, searchIndex, lastBackup, submissions, webhooks] = await Promise.all([
      Promise.all(Object.entries(partsOf({ store, blobs, queue })).map(async ([name, check]) => partOf(name, check))),
      disksOf(folders),
      answered(describeIndex(store, config.ACCESSION_PREFIX, now)),
      answered(store.lastBackup()),
      answered(store.stats()),
      answered(store.deliveryBacklog()),
    ]);
    return {
      parts,
      disks: disks.map((disk) => ({ ...disk, path: folders[disk.folder] ?? '', full: disk.free < LEAST_BYTES })),
      ...(searchIndex && { searchIndex }),
      ...(lastBackup && { lastBackup: new Date(lastBackup).toISOString() }),
      ...(submissions && { queue: submissions }),
      ...(webhooks && { webhooks }),
    };
  } finally {
    await queue.close();
  }
}

export async function activeReport(store: Store, account: string | undefined): Promise<ActiveSubmissionsReport> {
  const { list, further } = await activeSubmissions(store, account, store.now);
  const submissions = list.map(({ submission, what }) => ({
    submissionId: submission.id,
    account: submission.account,
    fileName: submission.fileName,
    fileSize: submission.fileSize,
    accepted: new Date(submission.created).toISOString(),
    phase: submission.phase,
    ...(submission.worker === undefined ? {} : { worker: submission.worker }),
    what,
  }));
  return { submissions, further };
}

const partOf = (name: string, check: () => Promise<void>): Promise<{ name: string; fault?: string }> =>
  within(PART_MS, check()).then(
    () => ({ name }),
    (error: Error) => ({ name, fault: error.message }),
  );

const answered = <T>(asked: Promise<T>): Promise<T | undefined> => within(PART_MS, asked).catch(() => undefined);
