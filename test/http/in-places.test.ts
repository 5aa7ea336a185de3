/**
 * On PostgreSQL each question to the store has a connection for as long as it lasts, and a request asks several: who read lists or
 * histories eighty at once kept uploads of others waiting for a minute. So every read asks the store in a place of its account.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/http/openapi/openapi.js';
import type { Store } from '../../src/store/open.js';
import { submissionIdOf } from '../support/api-caller.js';
import { type Service, startService } from './service.js';
import { sheet } from './uploads/forms.js';

/** What else keeps them from being asked by one account as often as it likes. */
const OTHERWISE: Record<string, string[]> = {
  // In the turns of downloads.
  '/submissions/{id}/result': ['ledger'],
  '/submissions/{id}/errors': ['ledger'],
  '/submissions/{id}/changes': ['ledger'],
  '/submissions/{id}/mapping': ['ledger'],
  '/submissions/{id}/ro-crate': ['ledger'],
  '/submissions/{id}/open-relationships': ['openRelationships'],
  '/submissions/results': ['ledger'],
  // One look for all who follow it.
  '/submissions/{id}/events': ['find'],
  // In a place for whole results.
  '/samples/export': ['wholeResult'],
  // Of those who run the site.
  '/health/ready': ['check', 'indexState'],
  '/metrics': ['check', 'stats', 'deliveryBacklog', 'indexState', 'lastBackup'],
  '/operations': ['indexState', 'now'],
};

/** Of the request that is answered; whoever works beside the requests has none. */
const context = new AsyncLocalStorage<{ placed: boolean }>();
const begin = () => context.enterWith({ placed: false });
const outside = new Set<string>();

let service: Service;
let named: Record<string, string>;
beforeAll(async () => {
  service = await startService({ inPlace: (_, work) => context.run({ placed: true }, work) });
  const answer = await service.upload(sheet(2), {});
  const kept = await service.call('/samples/exports', { method: 'POST' });
  named = {
    accession: answer.text.match(/SAMR\d+/)?.[0] as string,
    id: submissionIdOf(answer),
    version: '1',
    account: 'root',
    kept: kept.json<{ exportId: string }>().exportId,
  };
  for (const [name, method] of Object.entries(service.store) as [keyof Store, unknown][]) {
    if (typeof method !== 'function') continue;
    const watched = (...given: unknown[]) => {
      if (context.getStore()?.placed === false) outside.add(name);
      return method(...given);
    };
    Object.assign(service.store, { [name]: watched });
  }
  subscribe('http.server.request.start', begin);
});
afterAll(() => {
  unsubscribe('http.server.request.start', begin);
  return service.stop();
});

const idIn = (path: string): string => (path.startsWith('/samples/exports') ? 'kept' : 'id');

it.each(OPERATIONS.filter(({ method }) => method === 'get').map(({ path }) => path))('get %s', async (path) => {
  outside.clear();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => named[name === 'id' ? idIn(path) : name] ?? 'x');
  await service.call(path === '/submissions/results' ? `${filled}?id=${named.id}` : filled);
  // Of a token what was found is believed for a while (auth/tokens.ts).
  expect([...outside].filter((name) => name !== 'findToken')).toEqual(OTHERWISE[path] ?? []);
});
