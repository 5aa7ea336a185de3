/** PostgreSQL's own programs, given all that the service's own connection is given by the same address. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, rootCertificates } from 'node:tls';
import { promisify } from 'node:util';
import type { Client } from 'pg';

const run = promisify(execFile);

// What these programs and Node look for by themselves is no setting of ours.
const { env: environment } = process;

/** Not connected. What is ours in the address is no parameter of PostgreSQL's. */
export async function clientOf(url: string): Promise<Client> {
  const { default: pg } = await import('pg');
  const address = new URL(url);
  for (const own of ['schema', 'pool']) address.searchParams.delete(own);
  return new pg.Client(address.href);
}

/**
 * Resolves to what it printed. It never asks for a password, as nobody sits there: it would wait for ever.
 * @throws Error with what it said
 */
export async function runProgram(
  program: 'pg_dump' | 'pg_restore',
  parameters: readonly string[],
  url: string,
): Promise<string> {
  // For what the programs take from files only.
  const folder = await mkdtemp(join(tmpdir(), `${program}-`));
  try {
    const env = await connection(url, folder);
    const { stdout } = await run(program, ['--no-password', ...parameters], { env });
    return stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`${program} is not installed here, or not in PATH; it comes with PostgreSQL's client programs.`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * What the store itself connects to, wherever the address says it (`?host=` of a socket). In the environment and not among the
 * arguments, which every user of the machine can see.
 */
async function connection(url: string, folder: string): Promise<NodeJS.ProcessEnv> {
  const client = await clientOf(url);
  const { host, port, user, password, database } = client;
  const { PATH = '/usr/local/bin:/usr/bin:/bin', HOME, PGPASSFILE } = environment;
  return {
    PATH,
    HOME,
    PGPASSFILE,
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password ?? undefined,
    PGDATABASE: database,
    ...(await furtherParameters(client, new URL(url).searchParams, folder)),
  };
}

/** The driver has read them from the address or the environment, and its types do not tell. */
interface Further {
  connectionParameters: { options?: string; ssl?: boolean | ConnectionOptions; sslnegotiation?: string };
}

async function furtherParameters(client: Client, address: URLSearchParams, folder: string): Promise<NodeJS.ProcessEnv> {
  const { options, ssl, sslnegotiation } = (client as unknown as Further).connectionParameters;
  const PGOPTIONS = options || undefined;
  if (!ssl) return { PGOPTIONS, PGSSLMODE: 'disable' };
  const of: ConnectionOptions = ssl === true ? {} : ssl;
  const certificates = {
    PGOPTIONS,
    PGSSLNEGOTIATION: sslnegotiation,
    PGSSLCERT: address.get('sslcert') ?? undefined,
    PGSSLKEY: address.get('sslkey') ?? undefined,
  };
  if (of.rejectUnauthorized === false) return { ...certificates, PGSSLMODE: 'require' };
  const PGSSLROOTCERT = join(folder, 'trusted.crt');
  await writeFile(PGSSLROOTCERT, of.ca === undefined ? trusted() : String(of.ca));
  // The driver takes `require` and `verify-ca` for `verify-full`, unless the address has `uselibpqcompat=true`.
  return { ...certificates, PGSSLMODE: of.checkServerIdentity ? 'verify-ca' : 'verify-full', PGSSLROOTCERT };
}

/** Whom Node itself trusts. */
function trusted(): string {
  const { NODE_EXTRA_CA_CERTS: extra } = environment;
  return [...rootCertificates, ...(extra ? [readFileSync(extra, 'utf8')] : [])].join('\n');
}
