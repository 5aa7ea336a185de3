/** All that the house asks of a store, in one. */
import type { AccountStore } from '../auth/account-store.js';
import type { UsageStore } from '../limits/usage-store.js';
import type { ProfileStore } from '../profiles/profile-store.js';
import type { AccountSettingsStore } from '../registry/account-settings.js';
import type { ChangeStore } from '../registry/changes/change-store.js';
import type { MirrorStore } from '../registry/changes/mirror-store.js';
import type { SampleKeyStore } from '../registry/samples/sample-key-store.js';
import type { SampleStore } from '../registry/samples/sample-store.js';
import type { WholeResultStore } from '../registry/samples/whole-result.js';
import type { KeptExportStore } from '../registry/search/kept-export-store.js';
import type { SearchStore } from '../registry/search/search-store.js';
import type { OpenRelationshipStore } from '../submissions/open-relationship-store.js';
import type { SubmissionStore } from '../submissions/submission-store.js';
import type { ErasingStore } from '../upkeep/erasing-store.js';
import type { UpkeepStore } from '../upkeep/upkeep-store.js';
import type { WebhookStore } from '../webhooks/webhook-store.js';

export interface Store
  extends SampleStore,
    SampleKeyStore,
    OpenRelationshipStore,
    SearchStore,
    WholeResultStore,
    SubmissionStore,
    ChangeStore,
    MirrorStore,
    AccountStore,
    AccountSettingsStore,
    WebhookStore,
    ProfileStore,
    KeptExportStore,
    UsageStore,
    UpkeepStore,
    ErasingStore {
  /** Milliseconds since 1970 by the clock that leases are written by, one for all processes on a store: PostgreSQL's own there. */
  now(): number;
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
  /** PostgreSQL: how long what a lost connection ended is tried again, milliseconds. Default 15 000. */
  patienceMs?: number;
  /** SQLite: bytes that the file may grow to; beyond them writes are refused with `storage.full`. */
  maxBytes?: number;
  /** Memory of each file's page cache, KiB; for a store in files. Default 8 000. */
  cacheKiB?: number;
  /** Hears that a damaged search index was set aside, under which name, and why; a new one is filled. */
  onIndexDamage?: (aside: string, reason: unknown) => void;
}
