import type { Blobs } from '../submissions/blobs.js';
import { tableKey } from '../submissions/reading/stored-source.js';
import type { SubmissionStore } from '../submissions/submission-store.js';
import type { UpkeepStore } from './upkeep-store.js';

/** How long things are kept, in days; 0 for ever. Samples and their history are always kept. */
export interface Retention {
  /** Uploaded files. Result, mapping and errors are printed from them and end with them. */
  originals: number;
  /** Which line became which sample. */
  ledgers: number;
  idempotencyKeys: number;
  webhookDeliveries: number;
  audit: number;
}

/** The settings that say so. */
export interface RetentionSettings {
  RETENTION_ORIGINALS_DAYS: number;
  RETENTION_LEDGERS_DAYS: number;
  RETENTION_KEYS_DAYS: number;
  RETENTION_WEBHOOK_LOG_DAYS: number;
  RETENTION_AUDIT_DAYS: number;
}

export const retentionOf = (settings: RetentionSettings): Retention => ({
  originals: settings.RETENTION_ORIGINALS_DAYS,
  ledgers: settings.RETENTION_LEDGERS_DAYS,
  idempotencyKeys: settings.RETENTION_KEYS_DAYS,
  webhookDeliveries: settings.RETENTION_WEBHOOK_LOG_DAYS,
  audit: settings.RETENTION_AUDIT_DAYS,
});

export interface Purged {
  originals: number;
  ledgers: number;
  idempotencyKeys: number;
  webhookDeliveries: number;
  /** Sessions and tokens that have ended. */
  tokens: number;
  auditFiles: string[];
  /** Files that were stored and, as their process was killed, never became a submission. */
  unaccepted: number;
}

export interface PurgeDependencies {
  store: UpkeepStore &
    Pick<SubmissionStore, 'hasOriginal'> & {
      forgetDeliveries(before: number): Promise<number>;
      forgetTokens(before: { signIns: number; tokens: number }): Promise<number>;
    };
  blobs: Pick<Blobs, 'delete' | 'settle' | 'pendingFrom'>;
  /** Removes audit files from before this time; resolves to their names. */
  expireAudit: (before: number) => string[];
  now: number;
}

const DAY_MS = 24 * 3600_000;
const AT_ONCE = 100;
/** An upload that was stored this long ago and is no submission will not become one: what lies between takes minutes. */
export const UNACCEPTED_MS = DAY_MS;
/** A list of tokens shows for so long what has ended; sessions are gone the day after. */
const ENDED_TOKENS_DAYS = 90;

/** Removes what need not be kept any longer. May be stopped at any point and run again. */
export async function purge(deps: PurgeDependencies, retention: Retention): Promise<Purged> {
  const { store, now } = deps;
  const before = (days: number): number => (days === 0 ? Number.NEGATIVE_INFINITY : now - days * DAY_MS);
  const when = async (days: number, forget: (before: number) => Promise<number>): Promise<number> =>
    days === 0 ? 0 : forget(before(days));
  return {
    originals: await when(retention.originals, (time) => purgeOriginals(deps, time)),
    ledgers: await when(retention.ledgers, (time) => store.forgetLedgers(time)),
    idempotencyKeys: await when(retention.idempotencyKeys, (time) => store.forgetKeys(time)),
    webhookDeliveries: await when(retention.webhookDeliveries, (time) => store.forgetDeliveries(time)),
    tokens: await store.forgetTokens({ signIns: now - DAY_MS, tokens: now - ENDED_TOKENS_DAYS * DAY_MS }),
    auditFiles: retention.audit === 0 ? [] : deps.expireAudit(before(retention.audit)),
    unaccepted: await purgeUnaccepted(deps, now - UNACCEPTED_MS),
  };
}

/** The file goes first and the mark after it: stopped in between, the next run deletes what is gone already, which is no error. */
async function purgeOriginals({ store, blobs }: PurgeDependencies, before: number): Promise<number> {
  for (let removed = 0; ; ) {
    const due = await store.originalsFrom(before, AT_ONCE);
    for (const { blobKey } of due) {
      await blobs.delete(tableKey(blobKey));
      await blobs.delete(blobKey);
    }
    await store.markOriginalsGone(due.map(({ submissionId }) => submissionId));
    removed += due.length;
    if (due.length < AT_ONCE) return removed;
  }
}

/** Of what was stored and never said to stay, that which no submission has. */
async function purgeUnaccepted({ store, blobs }: PurgeDependencies, before: number): Promise<number> {
  for (let removed = 0; ; ) {
    const pending = await blobs.pendingFrom(before, AT_ONCE);
    for (const { key, account, sha256 } of pending) {
      if (!(await store.hasOriginal({ account, sha256, blobKey: key }))) {
        await blobs.delete(tableKey(key));
        await blobs.delete(key);
        removed++;
      }
      await blobs.settle(key);
    }
    if (pending.length < AT_ONCE) return removed;
  }
}
