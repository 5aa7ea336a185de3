/**
 * Where Redis (or Valkey) is, as one address:
 *
 *     redis://[user:password@]host[:port][/db]          one server; rediss:// speaks TLS
 *     redis://host1:26379,host2:26379/0?sentinel=NAME   Sentinels that know the master called NAME
 *     redis://host1:6379,host2:6379?cluster=true        nodes of a Cluster
 *
 * Further parameters: `prefix` (of every key; default `registry`), `sentinelPassword`.
 */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
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
    if (!['sentinel', 'sentinelPassword', 'cluster', 'prefix'].includes(name)) throw refused(`has no parameter "${name}"`);
  }
  const master = parameters.get('sentinel') ?? undefined;
  const kind = master ? 'sentinel' : parameters.get('cluster') === 'true' ? 'cluster' : 'single';
  const nodes = hosts.split(',').map((host) => parseNode(host, PORT[kind]));
  if (kind === 'single' && nodes.length > 1) throw refused('lists several hosts: add ?sentinel=NAME or ?cluster=true');
  if (kind === 'cluster' && db && db !== '0') throw refused('names a database, but a Cluster has only number 0');
  const [user, ...rest] = (credentials ?? '').split(':');
  const password = rest.join(':');
  const sentinelPassword = parameters.get('sentinelPassword') ?? undefined;
  return {
    kind,
    nodes,
    tls: scheme === 'rediss',
    ...(user ? { username: decodeURIComponent(user) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    db: Number(db ?? 0),
    ...(master ? { master } : {}),
    ...(sentinelPassword ? { sentinelPassword } : {}),
    prefix: `{${parameters.get('prefix') ?? 'registry'}}`,
  };
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
  options: RedisOptions,
  onError: (error: Error) => void,
): RedisClient {
  const retry = (times: number): number => Math.min(50 * 2 ** Math.min(times, 5), 1000);
  const common: RedisOptions = {
    ...(address.username === undefined ? {} : { username: address.username }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls ? { tls: {} } : {}),
    keepAlive: 10_000,
    connectTimeout: 5000,
    retryStrategy: retry,
    ...options,
  };
  const client = open(address, common, retry);
  client.on('error', onError);
  return client;
}

function open(address: RedisAddress, common: RedisOptions, retry: (times: number) => number): RedisClient {
  if (address.kind === 'cluster') {
    const { enableOfflineQueue = true, retryStrategy: _, ...redisOptions } = common;
    return new Cluster(address.nodes, { redisOptions, enableOfflineQueue, clusterRetryStrategy: retry });
  }
  if (address.kind === 'sentinel') {
    return new Redis({
      ...common,
      db: address.db,
      sentinels: address.nodes,
      name: address.master ?? '',
      sentinelRetryStrategy: retry,
      ...(address.sentinelPassword === undefined ? {} : { sentinelPassword: address.sentinelPassword }),
      ...(address.tls ? { enableTLSForSentinelMode: true } : {}),
    });
  }
  return new Redis({ ...common, ...address.nodes[0], db: address.db });
}
