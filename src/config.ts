/** Every setting, read once from the environment; over 250 lines, most of them one table. Nothing below this file reads
 * `process.env`. Each key has a help text; docs/configuration.md lists the same keys (a test compares).
 */
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { isSecret, passwordContradictions, readSecret, withPasswords } from './secret-settings.js';
import type { AttemptRules } from './submissions/processing/attempts.js';

const MiB = 1024 * 1024;
/** Of a program whose settings cannot be used. */
const EXIT_CONFIG = 2;

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

const httpUrl = z
  .string()
  .regex(/^https?:\/\/[^\s/]+/, 'must be an address such as https://samples.example.org')
  .transform((text) => text.replace(/\/+$/, ''));

const addressOf = (schemes: string, example: string) =>
  z.string().regex(new RegExp(`^(${schemes}):`), `must be an address such as ${example}`);

const UNREADABLE_STORE =
  'cannot be read as an address: it names one host, and what is special in user, password and database is percent-encoded (a password may stand as it is in STORE_PASSWORD); a socket is postgres://user@localhost/database?host=/folder';

/** Defaults stand in the spelling of the environment, so that help and documentation can print them. */
export const SETTINGS = z.object({
  PORT: whole(0, 65535).default(8080).describe('Port of the HTTP service; 0 takes a free one.'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen at. The default is reached from this machine only; 0.0.0.0 means every network.'),
  BASE_PATH: z
    .string()
    .regex(/^(\/[\w.~-]+)*\/?$/, 'must be a path such as /biosamples')
    .transform((path) => path.replace(/\/$/, ''))
    .default('')
    .describe('Path before every address, for a service behind a shared host name, such as /biosamples.'),
  PUBLIC_URL: httpUrl
    .optional()
    .describe(
      'Scheme and host that clients see, such as https://samples.example.org; the links in answers begin with it. Absent: taken from each request.',
    ),
  TRUST_PROXY: z
    .string()
    .default('')
    .describe(
      'Proxies whose X-Forwarded-* headers are believed: how many stand in front, or their addresses separated by commas. Empty: none.',
    ),
  DATA_DIR: z.string().min(1).default('./data').describe('Folder of the database and the uploaded files.'),
  STORE_URL: addressOf(
    'sqlite|postgres|postgresql',
    'sqlite:./data/registry.db or postgres://user:password@host/database',
  )
    .refine((url) => url.startsWith('sqlite:') || URL.canParse(url), UNREADABLE_STORE)
    .optional()
    .describe('Where samples and submissions are kept: sqlite:FILE or postgres://…. Absent: registry.db in DATA_DIR.'),
  STORE_PASSWORD: z
    .string()
    .optional()
    .describe('Password for STORE_URL, as it is; in the address itself it is percent-encoded.'),
  QUEUE_URL: addressOf('embedded|redis|rediss|redis\\+sentinel|redis\\+cluster', 'embedded: or redis://host:6379')
    .default('embedded:')
    .describe('What rings for the workers: embedded: for one machine, redis://… for many.'),
  QUEUE_PASSWORD: z.string().optional().describe('Password for QUEUE_URL, as it is.'),
  BLOB_URL: addressOf('file|s3', 'file:./data/blobs or s3://bucket/prefix?endpoint=…')
    .optional()
    .describe(
      'Where uploaded files lie: file:FOLDER or s3://bucket/prefix?endpoint=…, the same for all processes on a store. Absent: blobs in DATA_DIR.',
    ),
  BLOB_SECRET: z
    .string()
    .optional()
    .describe('Secret of the key that BLOB_URL begins with (s3://KEY@bucket/…), as it is.'),
  WORKERS: whole(0, 64)
    .default(1)
    .describe('Ingest worker processes started beside the HTTP service; 0 for a process that only answers requests.'),
  ACCESSION_PREFIX: z
    .string()
    .regex(/^[A-Z][A-Z_]{0,15}$/, 'must be 1 to 16 capital letters or underscores')
    .default('SAMR')
    .describe(
      'Letters before the number of every accession. The store keeps them from its first start on: a process with others does not start.',
    ),
  SMALL_MAX_BYTES: whole(0, 100 * MiB)
    .default(20_000)
    .describe('A file of fewer bytes and fewer rows than the two thresholds is answered with its result at once.'),
  SMALL_MAX_ROWS: whole(0, 1_000_000).default(200).describe('See SMALL_MAX_BYTES.'),
  SMALL_WAIT_SECONDS: whole(0, 300)
    .default(30)
    .describe('Longest time that the answer to a small upload waits for its result.'),
  MAX_UPLOAD_BYTES: whole(1, Number.MAX_SAFE_INTEGER)
    .default(1024 * MiB)
    .describe('Largest file that can be uploaded, in bytes.'),
  MAX_JSON_BYTES: whole(1, 1024 * MiB)
    .default(MiB)
    .describe('Largest JSON body, in bytes.'),
  LEASE_SECONDS: whole(1, 3600)
    .default(5)
    .describe('How long a worker may be silent before another takes its submission over.'),
  MAX_ATTEMPTS: whole(1, 100)
    .default(3)
    .describe('How often processing may fail by itself at the same line before the submission is given up.'),
  LOST_WORKERS_SECONDS: whole(0, 30 * 24 * 3600)
    .default(3600)
    .describe(
      'For how long, at the same line, workers that are killed from outside and services that are unavailable do not count as failures.',
    ),
  // The most: 5 to 10 ms of write lock on the reference machine, so that small uploads get in between; fewer syncs than 1 000.
  BATCH_ROWS: whole(1, 2_500)
    .default(2_500)
    .describe(
      'Rows of a file that a worker registers in one transaction. With fewer, small uploads wait less for a large one, which takes longer.',
    ),
  CHECKLISTS_DIR: z.string().min(1).optional().describe('Folder of further checklists (JSON Schema files).'),
  DEFAULT_CHECKLIST: z
    .string()
    .min(1)
    .optional()
    .describe('Checklist for samples that name none. Absent: required fields alone.'),
  ACCOUNT_FIELD_ALIAS: z
    .string()
    .regex(/^[A-Za-z]\w{0,63}$/, 'must be a member name such as webinSubmissionAccountId')
    .optional()
    .describe('Second spelling of submissionAccountId that requests may use and answers carry.'),
  ADMIN_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 visible ASCII characters')
    .optional()
    .describe('Token of the account admin. Absent: one is made on first start and printed once.'),
  ADMIN_ACCOUNTS: list
    .optional()
    .describe(
      'Accounts that are administrators when they sign in by password or identity provider, separated by commas. Absent: admin by password, nobody by identity provider.',
    ),
  SESSION_HOURS: whole(1, 24 * 90)
    .default(12)
    .describe('How long a sign-in of the page lasts.'),
  PASSWORD_TOKEN_MINUTES: whole(1, 7 * 24 * 60)
    .default(60)
    .describe('Life of a token that POST /auth/token answers.'),
  AUTH_ISSUER: z
    .string()
    .min(1)
    .optional()
    .describe('Issuer of the JSON Web Tokens to accept. Absent: only tokens of our own.'),
  AUTH_AUDIENCE: z
    .string()
    .min(1)
    .optional()
    .describe('Audience that those tokens must name; required with AUTH_ISSUER.'),
  AUTH_JWKS_URL: httpUrl.optional().describe('Address of the issuer’s public keys; required with AUTH_ISSUER.'),
  AUTH_ACCOUNT_CLAIM: z.string().min(1).default('sub').describe('Claim of those tokens that names the account.'),
  CORS_ORIGIN: list
    .default(['*'])
    .describe('Web pages of other origins that may read answers: * for all, origins separated by commas, or none.'),
  RATE_READS_PER_MINUTE: whole(0, 100_000_000)
    .default(60_000)
    .describe(
      'Lists, searches and other reads that one network address may make in a minute, counted by each process; 0 for no limit. Reads of a single sample are not counted.',
    ),
  RATE_WRITES_PER_MINUTE: whole(0, 100_000_000)
    .default(60_000)
    .describe('Changes that one account may make in a minute; 0 for no limit.'),
  RATE_UPLOADS_PER_MINUTE: whole(0, 100_000_000)
    .default(6_000)
    .describe('Files that one account may upload in a minute; 0 for no limit.'),
  RATE_SIGN_INS_PER_MINUTE: whole(0, 100_000_000)
    .default(60)
    .describe('Attempts to sign in with a password that one network address may make in a minute; 0 for no limit.'),
  QUOTA_SUBMISSIONS_PER_DAY: whole(0, 100_000_000)
    .default(0)
    .describe('Files that one account may upload in 24 hours; 0 for no limit.'),
  QUOTA_BYTES_PER_DAY: whole(0, Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe('Bytes that one account may upload in 24 hours; 0 for no limit.'),
  QUOTA_WAITING: whole(0, 100_000_000)
    .default(10_000)
    .describe('Submissions of one account that may wait or run at the same time; 0 for no limit.'),
  KEPT_EXPORTS_HOURS: whole(1, 30 * 24)
    .default(24)
    .describe('How long the file of a whole result that was asked for with POST /samples/exports is kept.'),
  KEPT_EXPORTS_OF_ONE: whole(1, 1_000)
    .default(5)
    .describe('Such files that one account may have at the same time, those that are still to be made too.'),
  KEPT_EXPORTS_BYTES_OF_ONE: whole(1, Number.MAX_SAFE_INTEGER)
    .default(10 * 1024 * MiB)
    .describe('Bytes that such files of one account may have together.'),
  KEPT_EXPORTS_BYTES_IN_ALL: whole(1, Number.MAX_SAFE_INTEGER)
    .default(50 * 1024 * MiB)
    .describe('Bytes that all such files may have together; they lie where uploaded files lie (BLOB_URL).'),
  WEBHOOKS_ALLOW_PRIVATE: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .describe('Whether webhooks may go to private and loopback addresses, for receivers in the same network.'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 visible ASCII characters')
    .optional()
    .describe('Bearer token with which /metrics may be read. An administrator’s token always may.'),
  WORKER_METRICS_PORT: whole(0, 65535)
    .default(0)
    .describe(
      'Port at which a worker that runs by itself shows its metrics, on HOST and without a token; 0 for none. Workers beside the HTTP service are shown there.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe('Collector that traces are sent to (OTLP over HTTP), such as http://localhost:4318. Absent: no traces.'),
  AUDIT_DIR: z.string().min(1).optional().describe('Folder of the audit log. Absent: audit in DATA_DIR.'),
  RETENTION_ORIGINALS_DAYS: whole(0, 36_500)
    .default(0)
    .describe(
      'How long uploaded files are kept after their end; 0 for ever. Result, mapping and errors end with them, samples stay; a file that comes again is stored again until the next purge.',
    ),
  RETENTION_LEDGERS_DAYS: whole(0, 36_500)
    .default(0)
    .describe('How long it is kept which line became which sample; 0 for ever.'),
  RETENTION_KEYS_DAYS: whole(0, 36_500)
    .default(0)
    .describe(
      'How long the Idempotency-Key of an upload is remembered after its submission has ended; 0 for ever. Those of requests that register samples are kept for ever.',
    ),
  RETENTION_WEBHOOK_LOG_DAYS: whole(0, 36_500)
    .default(30)
    .describe('How long the log of webhook deliveries is kept; 0 for ever.'),
  RETENTION_AUDIT_DAYS: whole(0, 36_500).default(0).describe('How long the audit log is kept; 0 for ever.'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info')
    .describe('Least severe kind of log line that is written.'),
  SHUTDOWN_SECONDS: whole(1, 300)
    .default(8)
    .describe('How long running requests and chunks may take to end after a stop signal.'),
  LEAVE_SECONDS: whole(0, 300)
    .default(0)
    .describe(
      'How long the service goes on answering after SIGTERM, each connection once, before that: behind a proxy as long as that needs to turn to the others.',
    ),
});

export type Config = Omit<z.output<typeof SETTINGS>, 'STORE_URL' | 'BLOB_URL' | 'AUDIT_DIR' | 'ADMIN_ACCOUNTS'> & {
  /** By password. */
  ADMIN_ACCOUNTS: string[];
  /** By identity provider. */
  AUTH_ADMIN_ACCOUNTS: string[];
  STORE_URL: string;
  BLOB_URL: string;
  AUDIT_DIR: string;
};

/** Every key with its help text, for `--help`, the documentation and its test. */
export const CONFIG_KEYS = Object.entries(SETTINGS.shape).map(([name, schema]) => ({
  name: name as keyof Config,
  help: schema.description ?? '',
}));

/** The environment cannot be used; each fault is one line that names the key, its value and what it should be. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/**
 * Reads all settings, secrets also from files. An empty value counts as absent.
 * @throws ConfigError with every fault at once
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  const given = Object.fromEntries(
    CONFIG_KEYS.map(({ name }) => [name, (isSecret(name) ? readSecret(env, name, faults) : env[name]) || undefined]),
  );
  // Once in a process: to compile the schema first, as for documents by the thousand, takes longer.
  const read = SETTINGS.safeParse(given, { jitless: true });
  if (read.success) faults.push(...contradictions(read.data));
  else
    for (const issue of read.error.issues) {
      const key = String(issue.path[0]);
      const shown = isSecret(key) ? 'the value given' : JSON.stringify(given[key]);
      faults.push(`${key}: ${shown} ${issue.message}.`);
    }
  if (!read.success || faults.length > 0) throw new ConfigError(faults);
  const { DATA_DIR, AUDIT_DIR, ADMIN_ACCOUNTS } = read.data;
  const { STORE_URL, QUEUE_URL, BLOB_URL } = withPasswords(read.data);
  return {
    ...read.data,
    QUEUE_URL,
    DATA_DIR: isAbsolute(DATA_DIR) ? DATA_DIR : resolve(DATA_DIR),
    STORE_URL: STORE_URL ?? `sqlite:${join(DATA_DIR, 'registry.db')}`,
    BLOB_URL: BLOB_URL ?? `file:${join(DATA_DIR, 'blobs')}`,
    AUDIT_DIR: AUDIT_DIR ?? join(DATA_DIR, 'audit'),
    ADMIN_ACCOUNTS: ADMIN_ACCOUNTS ?? ['admin'],
    AUTH_ADMIN_ACCOUNTS: ADMIN_ACCOUNTS ?? [],
  };
}

/** The settings, or the end of the process: each fault is a line on standard error. */
export function configOrExit(env: NodeJS.ProcessEnv): Config {
  try {
    return loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) console.error(fault);
    process.exit(EXIT_CONFIG);
  }
}

/** When a submission is given up. */
export const attemptRules = ({ MAX_ATTEMPTS, LOST_WORKERS_SECONDS }: Config): AttemptRules => ({
  maxAttempts: MAX_ATTEMPTS,
  outsideMs: LOST_WORKERS_SECONDS * 1000,
});

function contradictions(config: z.output<typeof SETTINGS>): string[] {
  const faults = passwordContradictions(config);
  for (const key of ['AUTH_AUDIENCE', 'AUTH_JWKS_URL'] as const) {
    if (config.AUTH_ISSUER && !config[key]) faults.push(`${key}: is required when AUTH_ISSUER is set.`);
    if (!config.AUTH_ISSUER && config[key])
      faults.push(`${key}: has no effect without AUTH_ISSUER; set both or neither.`);
  }
  for (const origin of config.CORS_ORIGIN) {
    if (!/^(\*|none|https?:\/\/[^\s/]+)$/.test(origin))
      faults.push(`CORS_ORIGIN: ${JSON.stringify(origin)} must be *, none or an origin such as https://example.org.`);
  }
  return faults;
}
