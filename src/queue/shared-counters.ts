/** A connection for counters that several processes share. */
export interface SharedCounters {
  client: unknown;
  /** Before each key. */
  prefix: string;
  close(): Promise<void>;
}

/** Whoever counts must not wait: without a connection a command fails at once, and the caller counts by itself. */
const AT_ONCE = { enableOfflineQueue: false, maxRetriesPerRequest: 0 };
/** An answer that takes longer is none; Redis gives one in less than a millisecond. */
const PATIENCE_MS = 200;

/** Undefined when the queue is embedded: then one process counts for itself. */
export async function openSharedCounters(
  queueUrl: string,
  patienceMs = PATIENCE_MS,
): Promise<SharedCounters | undefined> {
  if (!/^rediss?:/.test(queueUrl)) return undefined;
  const { connectRedis, parseRedisAddress } = await import('./redis-address.js');
  const address = parseRedisAddress(queueUrl);
  const client = connectRedis(address, { ...AT_ONCE, commandTimeout: patienceMs }, () => undefined);
  return { client, prefix: `${address.prefix}:`, close: async () => client.disconnect() };
}
