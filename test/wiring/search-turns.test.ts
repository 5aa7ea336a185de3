/** Searches in their thread: few at a time, in turns of those who ask, and none is lost with the thread or the service. */
import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { createLog } from '../../src/observability/log.js';
import type { SearchQuery } from '../../src/registry/search/search-store.js';
import { searchApart } from '../../src/wiring/compose-search.js';

/** A thread that answers when it is asked to. */
class HeldThread extends EventEmitter {
  readonly asked: { id: number; query: SearchQuery }[] = [];
  postMessage = (message: { id: number; query: SearchQuery }): void => void this.asked.push(message);
  terminate = async (): Promise<void> => void this.emit('exit', 1);
  /** To the oldest question that has none. */
  answer(): void {
    const { id, query } = this.asked.shift() as { id: number; query: SearchQuery };
    this.emit('message', { id, page: { ids: [query.size], missing: 0 } });
  }
}

function searching(storeUrl: string) {
  const threads: HeldThread[] = [];
  const config = { ...loadConfig({ ADMIN_TOKEN: 'a'.repeat(20) }), STORE_URL: storeUrl };
  const search = searchApart(config, createLog('silent', 'test'), () => {
    const thread = new HeldThread();
    threads.push(thread);
    return thread as unknown as Worker;
  });
  /** The page or why there is none, by the number that the search has for a size. */
  const ended: (number | string)[] = [];
  const ask = (number: number, who: Partial<SearchQuery> = {}): void =>
    void search.findSamples({ terms: [], now: 1, size: number, ...who }, {}).then(
      ({ ids }) => ended.push(ids[0] as number),
      (error: Error) => ended.push(error.message),
    );
  return { search, threads, ask, ended };
}

const account = (name: string) => ({ reader: { account: name, admin: false } });
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('each account and each network without a token has a turn after each of the others', async () => {
  const { threads, ask, ended } = searching('sqlite:x');
  for (const number of [1, 2, 3, 4, 5]) ask(number, account('greedy'));
  ask(6, account('modest'));
  ask(7, { network: '192.0.2.1' });
  ask(8, { network: '192.0.2.2' });
  ask(9);
  const thread = threads[0] as HeldThread;
  const order: number[] = [];
  while (thread.asked.length > 0) {
    expect(thread.asked.length).toBeLessThanOrEqual(2);
    order.push(thread.asked[0]?.query.size as number);
    thread.answer();
  }
  await settled();
  expect(order).toEqual([1, 2, 3, 6, 7, 8, 9, 4, 5]);
  expect(ended).toEqual(order);
});

it('four are in the thread where the store answers several at once', () => {
  const { threads, ask } = searching('postgres://localhost/x');
  for (const number of [1, 2, 3, 4, 5, 6]) ask(number);
  expect(threads[0]?.asked).toHaveLength(4);
});

it('of one asker 100 wait and of all 400; more are refused with what to do', async () => {
  const { ask, ended } = searching('sqlite:x');
  for (let number = 0; number < 103; number++) ask(number, account('greedy'));
  await settled();
  expect(ended).toEqual(['100 of your searches are waiting already; ask again in some seconds.']);
  for (let number = 0; number < 400; number++) ask(number, account(`lab-${number % 20}`));
  await settled();
  expect(new Set(ended.slice(1))).toEqual(new Set(['400 searches are waiting already; ask again in some seconds.']));
  expect(ended).toHaveLength(1 + 100);
});

it('when the thread ends, what was in it is interrupted, and the others are asked of a new one', async () => {
  const { threads, ask, ended } = searching('sqlite:x');
  for (const number of [1, 2, 3]) ask(number);
  threads[0]?.emit('exit', 1);
  await settled();
  expect(ended).toEqual(Array(2).fill('The search was interrupted; ask again.'));
  threads[1]?.answer();
  await settled();
  expect([ended.at(-1), threads.length]).toEqual([3, 2]);
});

it('when the service stops, no search is left without an answer', async () => {
  const { search, threads, ask, ended } = searching('sqlite:x');
  for (const number of [1, 2, 3]) ask(number);
  await search.close();
  await settled();
  expect(ended.sort()).toEqual(
    [...Array(2).fill('The search was interrupted; ask again.'), 'The service stops.'].sort(),
  );
  expect(threads).toHaveLength(1);
});
