/** WIRING of an operator's command: the store and the blobs themselves, without a service in between. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { expireAuditFiles } from '../audit/files.js';
import { ACCOUNT_NAME_WORDS, isAccountName } from '../auth/account-name.js';
import { hashPassword } from '../auth/passwords.js';
import { Tokens } from '../auth/tokens.js';
import { openBlobs } from '../blobs/open.js';
import type { Config } from '../config.js';
import { makeFolderNow, syncFolder } from '../durable-names.js';
import { formatAccession, parseAccession } from '../registry/accession.js';
import { RegistryError } from '../registry/errors.js';
import { type MigrationReport, migrateStore } from '../store/migrate-store.js';
import { openStore } from '../store/open.js';
import { kindOfStore, placeOf, requireStore, restoreSnapshot, snapshotStore } from '../store/snapshot.js';
import type { Store } from '../store/store.js';
import { PASSED_OVER } from '../store/upkeep-rules.js';
import type { Blobs } from '../submissions/blobs.js';
import { whyNotOpened } from '../submissions/uploads/disk-room.js';
import { type BackupManifest, copyOriginals, type LostOriginal } from '../upkeep/backup.js';
import { findOrphans } from '../upkeep/orphans.js';
import { type Purged, purge, retentionOf } from '../upkeep/purge.js';
import { type VerifyReport, verifyStore } from '../upkeep/verify.js';
import { type EraseOrder, type EraseReport, eraseSamples } from './compose-erasing.js';
import { type ActiveSubmissionsReport, activeReport, type SiteReport, siteReport } from './compose-operations.js';
import { openAudit } from './open-audit.js';
import { bringSiteFiles, requireSiteFiles } from './site-files.js';

export type { LostOriginal } from '../upkeep/backup.js';
export type { EraseReport } from './compose-erasing.js';
export type { ActiveSubmissionsReport, SiteReport } from './compose-operations.js';

export class Operator {
  private constructor(
    private readonly config: Config,
    readonly store: Store,
    private readonly blobs: Blobs,
    readonly tokens: Tokens,
  ) {}

  /** Opening brings the store to its newest schema, and makes one where it may be new. @throws Error where it may not */
  static async open(config: Config, mayBeNew: boolean): Promise<Operator> {
    if (!mayBeNew) await requireStore(config.STORE_URL);
    const store = await openStore(config.STORE_URL, { prefix: config.ACCESSION_PREFIX });
    return new Operator(config, store, await openBlobs(config.BLOB_URL), new Tokens(store));
  }

  /** Sessions of the account end. `make`: the account must be new, else it must be there. */
  async setPassword(account: string, password: string, make: boolean): Promise<void> {
    const hash = await hashPassword(password);
    if (make && !(await this.ensureAccount(account))) {
      throw new Error(`There is an account ${account} already; \`account passwd\` sets its password.`);
    }
    await this.store.setPassword(account, { hash });
  }

  /** True when the account was made. @throws Error for what cannot be a name */
  async ensureAccount(account: string): Promise<boolean> {
    if (!isAccountName(account))
      throw new Error(`${JSON.stringify(account)} cannot be the name of an account, which ${ACCOUNT_NAME_WORDS}`);
    return this.store.createAccount(account, this.store.now());
  }

  /** @throws Error where the settings name another place than that of the store's files */
  private requireFiles(): Promise<void> {
    const { store, blobs, config } = this;
    return requireSiteFiles({ store, blobs, url: config.BLOB_URL }, () => {});
  }

  /** @throws RegistryError storage.full, which names the folder where its disk is the full one */
  async backup(folder: string): Promise<BackupManifest> {
    await this.requireFiles();
    const target = resolve(folder);
    return this.backUpTo(target).catch((error: unknown) => {
      throw whyNotOpened(error, target);
    });
  }

  private async backUpTo(target: string): Promise<BackupManifest> {
    const { config } = this;
    makeFolderNow(target);
    const created = new Date();
    await snapshotStore(config.STORE_URL, target);
    const kind = kindOfStore(config.STORE_URL);
    // Of SQLite the copy is asked, which cannot have learned of a file since.
    const asked =
      kind === 'sqlite'
        ? await openStore(`sqlite:${join(target, 'registry.db')}`, { prefix: config.ACCESSION_PREFIX })
        : this.store;
    const originals = await openBlobs(`file:${join(target, 'originals')}`);
    const copied = await copyOriginals(asked, this.blobs, originals, (id) => this.store.originalGone(id));
    if (asked !== this.store) await asked.close();
    await originals.close();
    const manifest: BackupManifest = {
      format: 1,
      created: created.toISOString(),
      accessionPrefix: config.ACCESSION_PREFIX,
      store: kind,
      ...copied,
    };
    // Last: a folder without a manifest is no backup.
    const path = join(target, MANIFEST);
    await writeFile(`${path}.part`, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
    await rename(`${path}.part`, path);
    await syncFolder(target);
    await this.store.recordBackup(created.getTime());
    return manifest;
  }

  verify(options: { originals: boolean; onProgress?: (done: string) => void }): Promise<VerifyReport> {
    const { onProgress } = options;
    return verifyStore(this.store, {
      blobs: this.blobs,
      originals: options.originals,
      ...(onProgress ? { onProgress } : {}),
    });
  }

  /** Recorded in the audit log, with the files of it that are removed. */
  async purge(): Promise<Purged> {
    const { config, store, blobs } = this;
    await this.requireFiles();
    const log = openAudit(config);
    const expireAudit = (before: number) =>
      expireAuditFiles(config.AUDIT_DIR, before, (files) => log.recordExpired(files));
    const purged = await purge({ store, blobs, expireAudit, now: store.now() }, retentionOf(config));
    log.record({ action: 'purge', account: operatorName(), outcome: 0 });
    log.close();
    return purged;
  }

  /** Recorded in the audit log where they are removed. */
  async findOrphans(remove: boolean): Promise<string[]> {
    const { store, blobs } = this;
    await this.requireFiles();
    const orphans = await findOrphans({ store, blobs, now: store.now() }, remove);
    if (remove) this.audit('purge', 0);
    return orphans;
  }

  /** Each sample is recorded in the audit log before it is erased. */
  async erase(order: EraseOrder): Promise<EraseReport> {
    await this.requireFiles();
    const record = (accession: string) => this.audit('erase', 0, `sample ${accession}`);
    return eraseSamples(this.config, this.store, this.blobs, { ...order, record });
  }

  site(): Promise<SiteReport> {
    return siteReport(this.config, this.store, this.blobs);
  }

  activeSubmissions(account: string | undefined): Promise<ActiveSubmissionsReport> {
    return activeReport(this.store, account);
  }

  async reindex(onProgress: (left: number) => void): Promise<void> {
    await this.store.rebuildIndex();
    for (;;) {
      const { more } = await this.store.indexNext(REINDEX_STEP);
      const { lag } = await this.store.indexState();
      if (!more && lag === 0) return;
      onProgress(lag);
    }
  }

  /** Records what an operator did, in a file of the audit log of this command's own. */
  audit(action: string, outcome: number, object?: string): void {
    const log = openAudit(this.config);
    log.record({ action, account: operatorName(), outcome, ...(object === undefined ? {} : { object }) });
    log.close();
  }

  async close(): Promise<void> {
    await this.blobs.close();
    await this.store.close();
  }
}

/** Of a store or files that are away, busy or full. */
export const isNotNow = (error: unknown): error is RegistryError =>
  error instanceof RegistryError && (error.code === 'service.unavailable' || error.code === 'storage.full');

const operatorName = (): string => `operator:${userInfo().username}`;

const MANIFEST = 'manifest.json';
const REINDEX_STEP = 2_000;

export interface Restored {
  manifest: BackupManifest;
  /** Uploaded files that the backup has not. */
  lost: LostOriginal[];
  /** The next accession that will be given. */
  next: string;
  /** Numbers before it that were left out, as nobody said which was the last that was given. */
  passedOver: number;
}

/**
 * Brings a backup to where the settings say, which must be empty. With `continueAfter`, the last accession that was
 * given before the loss, numbers go on behind it, else so far behind the backup's that none is given again. @throws Error
 */
export async function restoreBackup(config: Config, folder: string, continueAfter?: string): Promise<Restored> {
  const prefix = config.ACCESSION_PREFIX;
  const last = continueAfter === undefined ? undefined : parseAccession(prefix, continueAfter);
  if (continueAfter !== undefined && last === undefined) {
    throw new Error(`${JSON.stringify(continueAfter)} is no accession; give one such as ${prefix}1234.`);
  }
  const source = resolve(folder);
  const text = await readFile(join(source, MANIFEST), 'utf8').catch(() => {
    throw new Error(`${source} is no whole backup: it has no ${MANIFEST}.`);
  });
  const manifest = JSON.parse(text) as BackupManifest;
  if (manifest.accessionPrefix !== config.ACCESSION_PREFIX) {
    throw new Error(`The backup's accessions begin with ${manifest.accessionPrefix}; set ACCESSION_PREFIX to it.`);
  }
  const from = await openBlobs(`file:${join(source, 'originals')}`);
  const to = await openBlobs(config.BLOB_URL);
  await restoreSnapshot(source, config.STORE_URL, last);
  const store = await openStore(config.STORE_URL, { prefix: config.ACCESSION_PREFIX });
  try {
    const { lost } = await copyOriginals(store, from, to).catch((error: Error) => {
      throw new Error(
        `Not all uploaded files could be restored: ${error.message} Take away ${placeOf(config.STORE_URL)}, which was begun, and restore again.`,
      );
    });
    await bringSiteFiles({ store, blobs: to });
    return {
      manifest,
      lost,
      next: formatAccession(prefix, await store.nextAccession()),
      passedOver: last === undefined ? PASSED_OVER : 0,
    };
  } finally {
    await Promise.all([store.close(), from.close(), to.close()]);
  }
}

/** From a file to PostgreSQL; see store/migrate-store.ts. */
export function moveStore(
  config: Config,
  from: string,
  to: string,
  onTable: (name: string, rows: number) => void,
): Promise<MigrationReport> {
  return migrateStore(from, to, {
    prefix: config.ACCESSION_PREFIX,
    onTable: ({ name, rows }) => onTable(name, rows),
  });
}
