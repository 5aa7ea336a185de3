/**
 * Where Redis (or Valkey) is, as one address:
 *
 *     redis://[user:password@]host[:port][/db]          one server; rediss:// speaks TLS
 *     redis://host1:26379,host2:26379/0?sentinel=NAME   Sentinels that know the master called NAME
 *     redis://host1:6379,host2:6379?cluster=true        nodes of a Cluster
 *
 * Further parameters: `prefix` (of every key; default `registry`), `sentinelPassword`.
 */
import { Cluster, Redis } from 'ioredis';
import { RegistryError } from '../registry/errors.js';

export interface RedisAddress {
  kind: 'single' | 'sentinel' | 'cluster';
  nodes: { host: string; port: number }[];
  tls: boolean;
  username?: string;
  password?: string;
  db: number;
  /** Name of the master, for Sentinel. */
  master?: string;
  sentinelPassword?: string;
  /** Wrapped in braces, so that a Cluster keeps all keys of a queue in one slot, as BullMQ's scripts need. */
  prefix: string;
}

export type RedisClient = Redis | Cluster;

/** How one connection treats commands that it cannot send or that are not answered. */
export interface RedisPatience {
  /** False: a command is refused at once while there is no connection. */
  enableOfflineQueue?: boolean;
  /** null: for ever. */
  maxRetriesPerRequest: number | null;
  /** Milliseconds. */
  commandTimeout?: number;
}

const PORT = { single: 6379, cluster: 6379, sentinel: 26379 } as const;

/** @throws RegistryError request.invalid, naming what is wrong with the address (never its password) */
export function parseRedisAddress(url: string): RedisAddress {
  const match = /^(rediss?):\/\/(?:([^@/?]*)@)?([^/?]+)(?:\/(\d+))?\/?(?:\?(.*))?$/.exec(url);
  if (!match) {
    throw refused('has the form redis://[user:password@]host[:port][,host…][/db][?sentinel=NAME or ?cluster=true]');
  }
  const [, scheme, credentials, hosts = '', db, query] = match;
  const parameters = new URLSearchParams(query ?? '');
  for (const name of parameters.keys()) {
    if (!['sentinel', 'sentinelPassword', 'cluster', 'prefix'].includes(name))
      throw refused(`has no parameter "${name}"`);
  }
  const master = parameters.get('sentinel') ?? undefined;
  const kind = master ? 'sentinel' : parameters.get('cluster') === 'true' ? 'cluster' : 'single';
  const nodes = hosts.split(',').map((host) => parseNode(host, PORT[kind]));
  if (kind === 'single' && nodes.length > 1) throw refused('lists several hosts: add ?sentinel=NAME or ?cluster=true');
  if (kind === 'cluster' && db && db !== '0') throw refused('names a database, but a Cluster has only number 0');
  const sentinelPassword = parameters.get('sentinelPassword') ?? undefined;
  return {
    kind,
    nodes,
    tls: scheme === 'rediss',
    ...parseCredentials(credentials),
    db: Number(db ?? 0),
    ...(master ? { master } : {}),
    ...(sentinelPassword ? { sentinelPassword } : {}),
    prefix: `{${parameters.get('prefix') ?? 'registry'}}`,
  };
}

function parseCredentials(text = ''): { username?: string; password?: string } {
  const [username, ...rest] = text.split(':').map(decoded);
  const password = rest.join(':');
  return { ...(username ? { username } : {}), ...(password ? { password } : {}) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused('has a % in its user name or password that begins no escape: write it as %25, or set QUEUE_PASSWORD');
  }
}

function parseNode(text: string, defaultPort: number): { host: string; port: number } {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(text);
  const port = Number(match?.[2] ?? defaultPort);
  if (!match?.[1] || port < 1 || port > 65535) throw refused(`has "${text}" where host or host:port should be`);
  return { host: match[1].replace(/^\[|\]$/g, ''), port };
}

function refused(reason: string): RegistryError {
  return new RegistryError('request.invalid', `The Redis address ${reason}.`);
}

/** Reconnects for ever, waiting at most a second between tries. Errors go to `onError`; none is left unhandled. */
export function connectRedis(
  address: RedisAddress,
  patience: RedisPatience,
  onError: (error: Error) => void,
): RedisClient {
  const client = open(address, patience);
  client.on('error', onError);
  return client;
}

function open(address: RedisAddress, patience: RedisPatience): RedisClient {
  const retryStrategy = (times: number): number => Math.min(50 * 2 ** Math.min(times, 5), 1000);
  const login = {
    ...(address.username === undefined ? {} : { username: address.username }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls ? { tls: {} } : {}),
    keepAlive: 10_000,
    connectTimeout: 5000,
  };
  if (address.kind === 'cluster') {
    const { enableOfflineQueue = true, ...others } = patience;
    return new Cluster(address.nodes, {
      redisOptions: { ...login, ...others },
      enableOfflineQueue,
      clusterRetryStrategy: retryStrategy,
    });
  }
  if (address.kind === 'sentinel') {
    return new Redis({
      ...login,
      ...patience,
      retryStrategy,
      db: address.db,
      sentinels: address.nodes,
      name: address.master ?? '',
      sentinelRetryStrategy: retryStrategy,
      ...(address.sentinelPassword === undefined ? {} : { sentinelPassword: address.sentinelPassword }),
      ...(address.tls ? { enableTLSForSentinelMode: true } : {}),
    });
  }
  return new Redis({ ...login, ...patience, retryStrategy, ...address.nodes[0], db: address.db });
}
