/**
 * The whole service in the test's own process: real HTTP, a real SQLite file, real blobs, a real worker. Every JSON
 * answer that a test receives through `Service.call` is held to the interface description (test/support/described.ts).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tokens } from '../../src/auth/tokens.js';
import { type Config, loadConfig } from '../../src/config.js';
import { serve } from '../../src/http/serve.js';
import type { InPlace } from '../../src/limits/sample-places.js';
import { createLog } from '../../src/observability/log.js';
import type { Store } from '../../src/store/open.js';
import { compose } from '../../src/wiring/compose.js';
import { makeEmptyStore } from '../contract/empty-stores.js';
import { type Answer, ApiCaller, type CallOptions } from '../support/api-caller.js';
import { holdToDescription } from '../support/described.js';
import { inThisProcess } from '../support/in-this-process.js';

export const ADMIN_TOKEN = 'administrator-of-the-tests';

/** These suites ask more than one client may, and what fails once fails the test: another try would hide it. */
const SETTINGS = {
  PORT: '0',
  ADMIN_TOKEN,
  // However long the machine takes: what is answered with its result shall be.
  SMALL_WAIT_SECONDS: '300',
  MAX_ATTEMPTS: '1',
  RATE_READS_PER_MINUTE: '0',
  RATE_WRITES_PER_MINUTE: '0',
  RATE_UPLOADS_PER_MINUTE: '0',
  RATE_SIGN_INS_PER_MINUTE: '0',
};

export interface ServiceOptions {
  env?: Record<string, string>;
  /** A folder of the caller's, kept when the service stops. */
  folder?: string;
  /** Lines of the log. */
  log?: (line: string) => void;
  /** Added to the clock of registry and tokens, milliseconds. */
  clockAhead?: () => number;
  /** What is uploaded stays under way until the service stops: nothing works on it. */
  withoutWorker?: boolean;
  /** In which places requests ask the store. */
  inPlace?: InPlace;
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
  const config = loadConfig({ ...SETTINGS, DATA_DIR: folder, ...options.env });
  if (options.folder === undefined && config.STORE_URL === `sqlite:${join(folder, 'registry.db')}`) {
    await makeEmptyStore(join(folder, 'registry.db'), config.ACCESSION_PREFIX);
  }
  const log = createLog(config.LOG_LEVEL, 'test', { write: options.log ?? (() => undefined) });
  const service = await compose(config, log, {
    ...inThisProcess({ clockAhead: options.clockAhead }),
    ...(options.withoutWorker && { startWorkers: () => ({ programs: () => [], stop: async () => undefined }) }),
    ...(options.inPlace && { inPlace: options.inPlace }),
    // The least of scrypt: what passwords cost is the matter of test/auth/sign-in.test.ts.
    passwordCost: { N: 2, r: 1, p: 1 },
  });
  const listening = await serve(service.app, { host: config.HOST, port: config.PORT, log });
  const stop = async () => {
    service.stopping.abort();
    await listening.close(500);
    await service.close();
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  return new Service(listening.url + config.BASE_PATH, config, service.store, service.tokens, folder, stop);
}
