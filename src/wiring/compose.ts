/** WIRING of the service: the one page that knows every part; over 250 lines because it is one list of them. Opens in order, closes in reverse. */

import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstSampleChange } from '../audit/sample-changes.js';
import type { Scope } from '../auth/account-store.js';
import { createAuthenticate } from '../auth/authenticate.js';
import { firstStart } from '../auth/first-start.js';
import { createJwtCheck } from '../auth/jwt.js';
import { SignIn } from '../auth/sign-in.js';
import { Tokens } from '../auth/tokens.js';
import { openBlobs } from '../blobs/open.js';
import { nearest } from '../checklists/nearest.js';
import { openChecklists } from '../checklists/open.js';
import type { Config } from '../config.js';
import { BatchEdits } from '../exports/batch-edits.js';
import { SampleExports } from '../exports/sample-exports.js';
import { Help } from '../help/help.js';
import { createApp } from '../http/app.js';
import { UploadQuotas } from '../limits/quotas.js';
import { type InPlace, lotsInTurns, samplesInPlaces, wideInPlaces } from '../limits/sample-places.js';
import { SharedLooks } from '../limits/shared-looks.js';
import type { Logger } from '../observability/log.js';
import { Profiles } from '../profiles/profiles.js';
import { SheetProposals } from '../profiles/proposals.js';
import { openQueue } from '../queue/open.js';
import { SampleFeed } from '../registry/changes/sample-feed.js';
import { Lineage } from '../registry/lineage/lineage.js';
import { Registry, type RegistryOptions } from '../registry/registry.js';
import { checkIndex } from '../registry/search/index-progress.js';
import { SampleSearch } from '../registry/search/sample-search.js';
import { openStore } from '../store/open.js';
import type { Store } from '../store/store.js';
import type { Blobs } from '../submissions/blobs.js';
import { IsaDocuments } from '../submissions/isa-json/open.js';
import { watchSubmission } from '../submissions/progress.js';
import { Results } from '../submissions/results/results.js';
import { SampleSheets } from '../submissions/results/sample-sheets.js';
import { Uploads } from '../submissions/uploads/uploads.js';
import { MARKED_WORKBOOK } from '../workbooks/print.js';
import { WorkbookReader } from '../workbooks/reader.js';
import { sampleFile } from '../workbooks/sample-file.js';
import { checklistTemplate } from '../workbooks/template.js';
import { type Exporting, exportApart, keepExports } from './compose-exports.js';
import { reportDamage, type Searching, searchApart } from './compose-search.js';
import { composeSide } from './compose-side.js';
import { FILES_ANEW, FILES_UNKNOWN, requireSiteFiles } from './site-files.js';
import { startWorkerProcesses, type Working, type WorkingParts } from './worker-processes.js';
import { buffersDone, collectedAfter } from './young-garbage.js';

/** What those who run the service inside their own process may choose; the program leaves all of it as it is. */
export interface Choices {
  /** Milliseconds since 1970, for all that registry, submissions and tokens date. Default: the clock of the store. */
  now?: () => number;
  /** Of scrypt, for the passwords that are set. */
  passwordCost?: { N: number; r: number; p: number };
  /** Who works on submissions and fills the index; processes of their own. */
  startWorkers?: (parts: WorkingParts) => Working;
  /** Where samples are searched; a thread of its own. */
  searching?: (store: Store) => Searching;
  /** Where whole results are made; threads of their own. */
  exporting?: (store: Store) => Exporting;
  /** In which places requests ask the store; those that its kind needs (limits/sample-places.ts). */
  inPlace?: InPlace;
  /** Folder of the built page. */
  pageFolder?: string;
  /** Folder of the pages of the help. */
  helpFolder?: string;
}

export interface Service {
  app: RequestListener;
  store: Store;
  blobs: Blobs;
  tokens: Tokens;
  uploads: Uploads;
  /** The first administrator's token, when this start made it; shown nowhere else. */
  firstToken?: string;
  /** To be aborted as soon as the service is about to stop: proxies that ask learn it. */
  leaving: AbortController;
  /** Aborted when the service begins to stop: whoever streams live ends. */
  stopping: AbortController;
  /** Asks the workers to hand back what they do and kills those that take longer; uploads wait for them no longer. */
  stopWork(graceMs: number): Promise<void>;
  /** May be called twice. */
  close(): Promise<void>;
}

const HELP_FOLDER = fileURLToPath(new URL('../../../docs', import.meta.url));
const PAGE_FOLDER = fileURLToPath(new URL('../../../web/dist', import.meta.url));

export async function compose(config: Config, log: Logger, choices: Choices = {}): Promise<Service> {
  const { startWorkers = startWorkerProcesses } = choices;
  const store = await openStore(config.STORE_URL, {
    prefix: config.ACCESSION_PREFIX,
    ...(choices.now && { now: choices.now }),
    onIndexDamage: reportDamage(log),
  });
  const { now } = store;
  await refuseEmptied(store, config.AUDIT_DIR);
  const blobs = collectedAfter(await openBlobs(config.BLOB_URL));
  await requireSiteFiles(
    { store, blobs, url: config.BLOB_URL },
    (error) => log.warn({ err: error }, FILES_UNKNOWN),
    config.WORKERS === 0 ? {} : { beginAnew: (why) => log.error({ why }, FILES_ANEW) },
  ).catch(async (error) => {
    await Promise.all([blobs.close(), store.close()]);
    throw error;
  });
  const queue = await openQueue(config.QUEUE_URL, {
    onError: (error) => log.warn({ err: error }, 'the queue has failed; workers look for themselves'),
  });
  const checklists = openChecklists(config.CHECKLISTS_DIR);
  checklists.compileFolder();
  if (config.DEFAULT_CHECKLIST !== undefined) checklists.get(config.DEFAULT_CHECKLIST);
  const files = new WorkbookReader();
  const workbooks = new IsaDocuments(files, config.ACCESSION_PREFIX);
  const tokens = new Tokens(store, now);
  const signIn = new SignIn(store, tokens, config.ADMIN_ACCOUNTS, now, choices.passwordCost);
  const { text: firstToken, warnings } = await firstStart(store, tokens, config.ADMIN_TOKEN);
  for (const warning of warnings) log.warn(warning);
  const options: RegistryOptions = {
    prefix: config.ACCESSION_PREFIX,
    now,
    accountFieldAlias: config.ACCOUNT_FIELD_ALIAS,
    checklists,
    defaultChecklist: config.DEFAULT_CHECKLIST,
  };
  const registry = new Registry(store, options);
  const leaving = new AbortController();
  const workEnds = new AbortController();
  const stopping = new AbortController();
  const quotas = new UploadQuotas(store, {
    submissionsPerDay: config.QUOTA_SUBMISSIONS_PER_DAY,
    bytesPerDay: config.QUOTA_BYTES_PER_DAY,
    waiting: config.QUOTA_WAITING,
  });
  const profiles = new Profiles(store, now);
  const uploads = new Uploads({
    profiles,
    admit: (account, declared) => quotas.admit(account, declared),
    store,
    queue,
    blobs,
    checklists,
    workbooks,
    prefix: config.ACCESSION_PREFIX,
    limits: { bytes: config.SMALL_MAX_BYTES, rows: config.SMALL_MAX_ROWS },
    maxUploadBytes: config.MAX_UPLOAD_BYTES,
    waitMs: config.SMALL_WAIT_SECONDS * 1000,
    workEnds: workEnds.signal,
    now,
  });
  const searching = choices.searching?.(store) ?? searchApart(config, log);
  const found = { ...store, findSamples: searching.findSamples };
  const lotsFor = lotsInTurns(store);
  const search = new SampleSearch(found, registry, options, lotsFor);
  const feed = new SampleFeed(store, options, lotsFor);
  const parts = { store, blobs, queue, uploads, quotas, feed, search, stopping: stopping.signal };
  const side = await composeSide(config, log, parts);
  const exporting = choices.exporting?.(store) ?? exportApart(config, log);
  const exports = new SampleExports({
    start: exporting.start,
    store: found,
    folder: join(config.DATA_DIR, 'exports'),
    prefix: config.ACCESSION_PREFIX,
    now,
    sent: buffersDone,
  });
  const looks = new SharedLooks((id: string) => store.find(id));
  const keeping = keepExports(config, log, { store, blobs, exports, now });
  const app = createApp({
    config,
    log,
    inPlace: choices.inPlace ?? (config.STORE_URL.startsWith('sqlite:') ? wideInPlaces() : samplesInPlaces()),
    accounts: store,
    tokens,
    signIn,
    registry,
    feed,
    settings: store,
    profiles,
    proposals: new SheetProposals({ profiles, checklists, files, prefix: config.ACCESSION_PREFIX, meant: nearest }),
    checklists,
    template: (id, options) => checklistTemplate(checklists, id, options),
    sheets: new SampleSheets({ store, lotsFor, prefix: config.ACCESSION_PREFIX, now, print: sampleFile }),
    authenticate: createAuthenticate({
      tokens,
      accounts: store,
      jwt: identityProvider(config),
      scopesOf: (account) => scopesByProvider(config, account),
      signInScopes: (account) => signIn.scopesOf(account),
      now,
    }),
    search,
    lineage: new Lineage(found, options),
    exports,
    keptExports: keeping.kept,
    edits: new BatchEdits({
      exports,
      uploads,
      store: found,
      prefix: config.ACCESSION_PREFIX,
      now,
    }),
    uploads,
    results: new Results({
      store,
      blobs,
      workbooks,
      rowChecks: { checklists: () => checklists, defaultChecklist: config.DEFAULT_CHECKLIST },
      names: found,
      workbook: MARKED_WORKBOOK,
      prefix: config.ACCESSION_PREFIX,
    }),
    watch: (id, signal) => watchSubmission((...look) => looks.next(...look), id, signal),
    stopping: stopping.signal,
    leaving: leaving.signal,
    health: {
      store: () => store.check(),
      blobs: () => blobs.check(),
      queue: () => queue.check(),
      index: () => checkIndex(store, now),
      audit: side.checkAudit,
    },
    help: new Help(choices.helpFolder ?? HELP_FOLDER),
    pageFolder: choices.pageFolder ?? PAGE_FOLDER,
    guards: side.guards,
    extensions: side.extensions,
  });
  const working = startWorkers({ config, log, store, blobs, queue, metrics: side.metrics });
  side.watchWorkers(() => working.programs());
  const stopWork = (graceMs: number): Promise<void> => {
    workEnds.abort();
    return working.stop(graceMs);
  };
  let closed: Promise<void> | undefined;
  return {
    app: side.measure(app),
    store,
    blobs,
    tokens,
    uploads,
    ...(firstToken === undefined ? {} : { firstToken }),
    leaving,
    stopping,
    stopWork,
    close: () => {
      closed ??= (async () => {
        stopping.abort();
        await stopWork(config.SHUTDOWN_SECONDS * 1000);
        await side.close();
        await Promise.all([searching.close(), keeping.close(), exporting.close()]);
        await queue.close();
        await blobs.close();
        await store.close();
      })();
      return closed;
    },
  };
}

/** An identity provider's accounts are administrators only where a setting says so: its subject `admin` may be anybody. */
const scopesByProvider = ({ AUTH_ADMIN_ACCOUNTS }: Config, account: string): Scope[] =>
  AUTH_ADMIN_ACCOUNTS.includes(account) ? ['read', 'submit', 'admin'] : ['read', 'submit'];

/** Numbers that were given must never be given again: a store that has lost its samples does not begin anew by itself. */
async function refuseEmptied(store: Store, auditFolder: string): Promise<void> {
  if ((await store.nextAccession()) !== 1) return;
  // An upload that waits, or of which no row was good, has given no number yet.
  if ((await store.list({ size: 1 })).length > 0) return;
  const file = await firstSampleChange(auditFolder);
  if (file === undefined) return;
  await store.close();
  throw new Error(
    `The store is empty, and ${file} in ${auditFolder} tells of samples that were registered: their accessions would be given again. Restore the backup; to begin anew on purpose, move the audit log elsewhere first.`,
  );
}

function identityProvider(config: Config) {
  const { AUTH_ISSUER, AUTH_AUDIENCE, AUTH_JWKS_URL, AUTH_ACCOUNT_CLAIM } = config;
  if (!AUTH_ISSUER || !AUTH_AUDIENCE || !AUTH_JWKS_URL) return undefined;
  return createJwtCheck({
    issuer: AUTH_ISSUER,
    audience: AUTH_AUDIENCE,
    jwksUrl: AUTH_JWKS_URL,
    accountClaim: AUTH_ACCOUNT_CLAIM,
  });
}
