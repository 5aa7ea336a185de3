/** Names of receivers: who names many that nobody answers for keeps those of others from being found no longer than any. */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import type { LookupFunction } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { guardedLookup } from '../../src/webhooks/address-guard.js';
import { nameServerLookup } from '../../src/webhooks/name-servers.js';
import { NameServer } from './name-server.js';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const asked = (lookup: LookupFunction, name: string, options = {}): Promise<unknown> =>
  new Promise((resolve, reject) =>
    lookup(name, options, (error, address) => (error ? reject(error) : resolve(address))),
  );

it('are not asked of the system, whose lookups wait for one another in two threads', () => {
  const system = vi.spyOn(dns, 'lookup');
  syncBuiltinESMExports();
  asked(guardedLookup(), 'receiver.invalid').catch(() => undefined);
  expect(system).not.toHaveBeenCalled();
});

it('are found while those of which nobody answers are waited for', async () => {
  const names = new NameServer(['93.184.216.34']);
  const lookup = nameServerLookup(await names.resolver(60_000));
  let ended = 0;
  for (let nth = 0; nth < 20; nth++) {
    asked(lookup, `silent${nth}.test`)
      .catch(() => undefined)
      .finally(() => ended++);
  }
  expect(await asked(lookup, 'receiver.test')).toBe('93.184.216.34');
  expect(await asked(lookup, 'receiver.test', { all: true })).toEqual([{ address: '93.184.216.34', family: 4 }]);
  expect(ended).toBe(0);
  names.close();
});

it('of which nobody answers are not those that nobody has', async () => {
  const names = new NameServer(['93.184.216.34']);
  const lookup = nameServerLookup(await names.resolver(50));
  await expect(asked(lookup, 'silent.test')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  names.close();
});
