/** WIRING of the service: the one page that knows every part. Opens in order, closes in reverse; tests call it with PORT 0. */

import type { RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { firstSampleChange } from '../audit/sample-changes.js';
import type { Scope } from '../auth/account-store.js';
import { createAuthenticate } from '../auth/authenticate.js';
import { firstStart } from '../auth/first-start.js';
import { createJwtCheck } from '../auth/jwt.js';
import { SignIn } from '../auth/sign-in.js';
import { Tokens } from '../auth/tokens.js';
import { openBlobs } from '../blobs/open.js';
import { openChecklists } from '../checklists/open.js';
import { attemptRules, type Config } from '../config.js';
import { createApp } from '../http/app.js';
import { UploadQuotas } from '../limits/quotas.js';
import type { Logger } from '../observability/log.js';
import type { Metrics } from '../observability/metrics.js';
import { EmbeddedQueue } from '../queue/embedded.js';
import { openQueue } from '../queue/open.js';
import { checkIndex } from '../registry/index-progress.js';
import { Registry, type RegistryOptions } from '../registry/registry.js';
import { SampleSearch } from '../registry/sample-search.js';
import { openStore } from '../store/open.js';
import type { Store } from '../store/store.js';
import { watchSubmission } from '../submissions/progress.js';
import { Results } from '../submissions/results.js';
import { SampleSheets } from '../submissions/sample-sheets.js';
import { Uploads } from '../submissions/uploads.js';
import { printMarkedRows } from '../workbooks/print.js';
import { WorkbookReader } from '../workbooks/reader.js';
import { sampleFile } from '../workbooks/sample-file.js';
import { checklistTemplate } from '../workbooks/template.js';
import { reportDamage, searchApart } from './compose-search.js';
import { composeSide } from './compose-side.js';
import { type Supervisor, superviseWorkers } from './supervise-workers.js';

export interface Service {
  app: RequestListener;
  /** The first administrator's token, when this start made it; shown nowhere else. */
  firstToken?: string;
  /** Aborted when the service begins to stop: whoever streams live ends. */
  stopping: AbortController;
  /** May be called twice. */
  close(): Promise<void>;
}

const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export async function compose(config: Config, log: Logger): Promise<Service> {
  const store = await openStore(config.STORE_URL, {
    prefix: config.ACCESSION_PREFIX,
    onIndexDamage: reportDamage(log),
  });
  await refuseEmptied(store, config.AUDIT_DIR);
  const blobs = await openBlobs(config.BLOB_URL);
  const queue = await openQueue(config.QUEUE_URL, {
    onError: (error) => log.warn({ err: error }, 'the queue has failed; workers look for themselves'),
  });
  const checklists = openChecklists(config.CHECKLISTS_DIR);
  checklists.compileAll();
  if (config.DEFAULT_CHECKLIST !== undefined) checklists.get(config.DEFAULT_CHECKLIST);
  const workbooks = new WorkbookReader();
  const tokens = new Tokens(store);
  const signIn = new SignIn(store, tokens, config.ADMIN_ACCOUNTS);
  const { text: firstToken, warnings } = await firstStart(store, tokens, config.ADMIN_TOKEN);
  for (const warning of warnings) log.warn(warning);
  const options: RegistryOptions = {
    prefix: config.ACCESSION_PREFIX,
    now: Date.now,
    accountFieldAlias: config.ACCOUNT_FIELD_ALIAS,
    checklists,
    defaultChecklist: config.DEFAULT_CHECKLIST,
  };
  const registry = new Registry(store, options);
  const stopping = new AbortController();
  const quotas = new UploadQuotas(store, {
    submissionsPerDay: config.QUOTA_SUBMISSIONS_PER_DAY,
    bytesPerDay: config.QUOTA_BYTES_PER_DAY,
    waiting: config.QUOTA_WAITING,
  });
  const uploads = new Uploads({
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
    now: Date.now,
  });
  const side = await composeSide(config, log, { store, blobs, queue, uploads, quotas, stopping: stopping.signal });
  const searching = searchApart(config, log);
  const app = createApp({
    config,
    log,
    accounts: store,
    tokens,
    signIn,
    registry,
    settings: store,
    checklists,
    template: (id, options) => checklistTemplate(checklists, id, options),
    sheets: new SampleSheets({ store, prefix: config.ACCESSION_PREFIX, now: Date.now, print: sampleFile }),
    authenticate: createAuthenticate({
      tokens,
      accounts: store,
      jwt: identityProvider(config),
      scopesOf: (account) => scopesByProvider(config, account),
      signInScopes: (account) => signIn.scopesOf(account),
    }),
    search: new SampleSearch({ findSamples: searching.findSamples, readSamples: store.readSamples }, registry, options),
    uploads,
    results: new Results({
      store,
      blobs,
      workbooks,
      rowChecks: { checklists: () => checklists, defaultChecklist: config.DEFAULT_CHECKLIST },
      printWorkbook: printMarkedRows,
      prefix: config.ACCESSION_PREFIX,
    }),
    watch: (id, signal) => watchSubmission(store, id, signal),
    stopping: stopping.signal,
    health: {
      store: () => store.check(),
      blobs: () => blobs.check(),
      queue: () => queue.check(),
      index: () => checkIndex(store, Date.now),
      audit: side.checkAudit,
    },
    pageFolder: beside('../../../web/dist'),
    guards: side.guards,
    extensions: side.extensions,
  });
  const supervisors: Record<string, Supervisor> =
    config.WORKERS > 0 ? startWorkers(config, log, store, queue, side.metrics) : {};
  side.watchWorkers(() =>
    Object.entries(supervisors).map(([program, { wanted, pids }]) => ({ program, wanted, running: pids().length })),
  );
  let closed: Promise<void> | undefined;
  return {
    app: side.measure(app),
    ...(firstToken === undefined ? {} : { firstToken }),
    stopping,
    close: () => {
      closed ??= (async () => {
        stopping.abort();
        await Promise.all(
          Object.values(supervisors).map((supervisor) => supervisor.stop(config.SHUTDOWN_SECONDS * 1000)),
        );
        await searching.close();
        await side.close();
        await queue.close();
        await blobs.close();
        await store.close();
      })();
      return closed;
    },
  };
}

/** An identity provider's accounts are administrators only where a setting says so: its subject `admin` may be anybody. */
export const scopesByProvider = ({ AUTH_ADMIN_ACCOUNTS }: Config, account: string): Scope[] =>
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

/** The ingest workers of this machine, and the indexer behind them. */
function startWorkers(
  config: Config,
  log: Logger,
  store: Store,
  queue: unknown,
  metrics: Metrics,
): Record<'ingest' | 'indexer', Supervisor> {
  // A worker beats once a second; on a busy machine a beat may be late by several, and a frozen one must be gone in 10 s.
  const silenceMs = Math.max(7_000, config.LEASE_SECONDS * 1000);
  const common = { silenceMs, env: process.env, log };
  return {
    ingest: superviseWorkers({
      ...common,
      entry: beside('../../workers/ingest.js'),
      // A batch lives for milliseconds, but its text is freed by a whole collection only. Measured at 2 000 000 rows: the
      // engine's own pace takes 361 MiB at its best speed, this one 310 MiB at 7 % more time.
      execArgv: ['--max-semi-space-size=4', '--heap-growing-percent=60'],
      count: config.WORKERS,
      queue: queue instanceof EmbeddedQueue ? queue : undefined,
      releaseWorker: async (name) => metrics.takenOver(await store.releaseWorker(name, attemptRules(config))),
      onDeath: () => metrics.workerDied('ingest'),
      onWork: (report) => metrics.workDone(report),
    }),
    indexer: superviseWorkers({
      ...common,
      entry: beside('../../workers/indexer.js'),
      onDeath: () => metrics.workerDied('indexer'),
      count: 1,
      // It works in small steps for hours; left alone the engine would let garbage grow to 170 MB.
      execArgv: ['--max-semi-space-size=1', '--max-old-space-size=64', '--heap-growing-percent=40'],
      // Nobody waits for it, and what ends it once may well end it again.
      restartAfterMs: [0, 250, 1000, 5000, 15_000, 60_000],
    }),
  };
}
