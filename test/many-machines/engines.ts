/**
 * The many-machines engines for a test server: a schema of the run's PostgreSQL, a prefix in its Redis and one in an
 * S3 server of this process. Their names come from the data folder, so that a server that is started again on the same
 * folder finds its own. `TEST_ENGINES=many` gives them to every server that test/support/server.ts starts.
 */
import { createHash } from 'node:crypto';
import { service } from '../support/services.js';
import type { S3Server } from './s3-server.js';

let storage: Promise<S3Server> | undefined;

const nameOf = (folder: string): string => `t_${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;

export async function manyMachines(folder: string): Promise<Record<string, string>> {
  const name = nameOf(folder);
  const store = new URL(service('postgres'));
  store.searchParams.set('schema', name);
  storage ??= import('./s3-server.js').then(({ S3Server }) => S3Server.open());
  return {
    STORE_URL: store.href,
    QUEUE_URL: `${service('redis')}?prefix=${name}`,
    BLOB_URL: (await storage).url(name),
  };
}

/** For a process that lives on after its servers. */
export async function closeStorage(): Promise<void> {
  await (await storage)?.close();
  storage = undefined;
}

/** Keys of the uploads that the server of this folder keeps in the S3 server. */
export async function uploadsKept(folder: string): Promise<string[]> {
  return (await storage)?.keys(nameOf(folder)) ?? [];
}
