/** The store that a setting names. */
import type { AccountStore } from '../auth/account-store.js';
import type { UsageStore } from '../limits/usage-store.js';
import type { SampleStore } from '../registry/sample-store.js';
import type { SubmissionStore } from '../submissions/submission-store.js';
import type { WebhookStore } from '../webhooks/webhook-store.js';
import { openPostgresStore } from './postgres/open.js';
import { openSqliteStore } from './sqlite/open.js';

export interface Store extends SampleStore, SubmissionStore, AccountStore, WebhookStore, UsageStore {
  /** Rejects with the reason when the store cannot answer now. */
  check(): Promise<void>;
  /** May be called twice. */
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Prefix of accessions, for messages that name one. */
  prefix: string;
  /** The clock, milliseconds since 1970; for tests. */
  now?: () => number;
  /** SQLite: bytes that the file may grow to; beyond them writes are refused with `storage.full`. */
  maxBytes?: number;
}

/** `sqlite:PATH` or `postgres://…` (postgres/open.ts). @throws Error for any other address */
export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return openSqliteStore(url.slice('sqlite:'.length), options);
  }
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgresStore(url, options);
  throw new Error(`STORE_URL is "${url.replace(/\/\/[^@/]*@/, '//…@')}"; it must be sqlite:PATH or postgres://…`);
}
