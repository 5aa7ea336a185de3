/**
 * The whole service in the test's own process: real HTTP, a real SQLite file, real blobs, a real worker. Every JSON
 * answer that a test receives through `Service.call` is held to the interface description (test/support/described.ts).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthenticate } from '../../src/auth/authenticate.js';
import { firstStart } from '../../src/auth/first-start.js';
import { createJwtCheck, type IdentityProvider } from '../../src/auth/jwt.js';
import { SignIn } from '../../src/auth/sign-in.js';
import { Tokens } from '../../src/auth/tokens.js';
import { openBlobs } from '../../src/blobs/open.js';
import { openChecklists } from '../../src/checklists/open.js';
import { attemptRules, type Config, loadConfig } from '../../src/config.js';
import { createApp } from '../../src/http/app.js';
import { serve } from '../../src/http/serve.js';
import { UploadQuotas } from '../../src/limits/quotas.js';
import { createLog } from '../../src/observability/log.js';
import { EmbeddedQueue } from '../../src/queue/embedded.js';
import { checkIndex } from '../../src/registry/index-progress.js';
import { Registry } from '../../src/registry/registry.js';
import { SampleSearch } from '../../src/registry/sample-search.js';
import { openStore, type Store } from '../../src/store/open.js';
import { watchSubmission } from '../../src/submissions/progress.js';
import { Results } from '../../src/submissions/results.js';
import { SampleSheets } from '../../src/submissions/sample-sheets.js';
import { Uploads } from '../../src/submissions/uploads.js';
import { startWorker } from '../../src/submissions/work.js';
import { scopesByProvider } from '../../src/wiring/compose.js';
import { composeSide } from '../../src/wiring/compose-side.js';
import { printMarkedRows } from '../../src/workbooks/print.js';
import { WorkbookReader } from '../../src/workbooks/reader.js';
import { sampleFile } from '../../src/workbooks/sample-file.js';
import { checklistTemplate } from '../../src/workbooks/template.js';
import { type Answer, ApiCaller, type CallOptions } from '../support/api-caller.js';
import { holdToDescription } from '../support/described.js';
import { ROOT } from '../support/output.js';

export const ADMIN_TOKEN = 'administrator-of-the-tests';

export interface ServiceOptions {
  env?: Record<string, string>;
  /** A folder of the caller's, kept when the service stops. */
  folder?: string;
  /** Lines of the log. */
  log?: (line: string) => void;
  /** Added to the clock of registry and tokens, milliseconds. */
  clockAhead?: () => number;
  /** Of scrypt; the least unless given: what passwords cost is the matter of test/auth/sign-in.test.ts. */
  passwordCost?: { N: number; r: number; p: number };
}

export class Service extends ApiCaller {
  constructor(
    url: string,
    readonly config: Config,
    readonly store: Store,
    readonly tokens: Tokens,
    readonly folder: string,
    readonly stop: () => Promise<void>,
  ) {
    super(url, ADMIN_TOKEN);
  }

  override async call(path: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await super.call(path, options);
    const below = path.startsWith('http') ? path.slice(this.url.length) : path;
    holdToDescription(options.method ?? 'GET', below, answer);
    return answer;
  }
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'sample-registry-http-'));
  const now = () => Date.now() + (options.clockAhead?.() ?? 0);
  const config = loadConfig({ PORT: '0', DATA_DIR: folder, ADMIN_TOKEN, SMALL_WAIT_SECONDS: '10', ...options.env });
  const write = options.log ?? (() => undefined);
  const log = createLog(config.LOG_LEVEL, 'test', { write });
  const store = await openStore(config.STORE_URL, { prefix: config.ACCESSION_PREFIX, now });
  const blobs = await openBlobs(config.BLOB_URL);
  const queue = new EmbeddedQueue();
  const tokens = new Tokens(store, now);
  const signIn = new SignIn(store, tokens, config.ADMIN_ACCOUNTS, now, options.passwordCost ?? { N: 2, r: 1, p: 1 });
  await firstStart(store, tokens, ADMIN_TOKEN);
  const checklists = openChecklists(config.CHECKLISTS_DIR);
  const registry = new Registry(store, {
    prefix: config.ACCESSION_PREFIX,
    now,
    accountFieldAlias: config.ACCOUNT_FIELD_ALIAS,
    checklists,
    defaultChecklist: config.DEFAULT_CHECKLIST,
  });
  const submissions = { store, queue, blobs, prefix: config.ACCESSION_PREFIX };
  const limits = { bytes: config.SMALL_MAX_BYTES, rows: config.SMALL_MAX_ROWS };
  const workbooks = new WorkbookReader();
  const quotas = new UploadQuotas(store, {
    submissionsPerDay: config.QUOTA_SUBMISSIONS_PER_DAY,
    bytesPerDay: config.QUOTA_BYTES_PER_DAY,
    waiting: config.QUOTA_WAITING,
  });
  const uploads = new Uploads({
    admit: (account, declared) => quotas.admit(account, declared),
    ...submissions,
    checklists,
    workbooks,
    limits,
    maxUploadBytes: config.MAX_UPLOAD_BYTES,
    waitMs: config.SMALL_WAIT_SECONDS * 1000,
    now,
  });
  const worker = startWorker(
    { ...submissions, batchRows: 250, leaseMs: 10_000, rules: attemptRules(config), events: {} },
    { name: 'in-process', concurrency: { small: 2, large: 1 }, lookEveryMs: 200 },
  );
  const indexing = setInterval(() => void store.indexNext(500).catch(() => undefined), 100);
  const stopping = new AbortController();
  const side = await composeSide(config, log, { store, blobs, queue, uploads, quotas, stopping: stopping.signal });
  const app = createApp({
    config,
    log,
    accounts: store,
    tokens,
    signIn,
    registry,
    settings: store,
    uploads,
    results: new Results({
      ...submissions,
      workbooks,
      rowChecks: { checklists: () => checklists, defaultChecklist: config.DEFAULT_CHECKLIST },
      printWorkbook: printMarkedRows,
    }),
    template: (id, asked) => checklistTemplate(checklists, id, asked),
    sheets: new SampleSheets({ store, prefix: config.ACCESSION_PREFIX, now, print: sampleFile }),
    watch: (id, signal) => watchSubmission(store, id, signal),
    stopping: stopping.signal,
    checklists,
    search: new SampleSearch(store, registry, { prefix: config.ACCESSION_PREFIX, now }),
    authenticate: createAuthenticate({
      tokens,
      accounts: store,
      jwt: providerOf(config),
      scopesOf: (account) => scopesByProvider(config, account),
      signInScopes: (account) => signIn.scopesOf(account),
      now,
    }),
    // Without its guards: these suites ask more than one client may.
    extensions: side.extensions,
    pageFolder: join(ROOT, 'web', 'dist'),
    health: {
      store: () => store.check(),
      blobs: () => blobs.check(),
      queue: () => queue.check(),
      index: () => checkIndex(store, now),
    },
  });
  const listening = await serve(app, { host: config.HOST, port: config.PORT, log });
  const stop = async () => {
    stopping.abort();
    clearInterval(indexing);
    await listening.close(500);
    await worker.stop();
    await side.close();
    await queue.close();
    await blobs.close();
    await store.close();
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  return new Service(listening.url + config.BASE_PATH, config, store, tokens, folder, stop);
}

function providerOf(config: Config) {
  if (!config.AUTH_ISSUER) return undefined;
  const provider: IdentityProvider = {
    issuer: config.AUTH_ISSUER,
    audience: config.AUTH_AUDIENCE as string,
    jwksUrl: config.AUTH_JWKS_URL as string,
    accountClaim: config.AUTH_ACCOUNT_CLAIM,
  };
  return createJwtCheck(provider);
}
