/** A second thread for a large result that ends before it begins: the first one makes all of it. */
import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import type { ExportingData } from '../../src/wiring/export-messages.js';
import { sharedWithSecond } from '../../src/wiring/export-second-thread.js';

const nothing = (): void => undefined;
const EVENTS = { counted: nothing, handed: nothing, written: nothing, partEnded: nothing };

it('is done without, whatever it ends of', async () => {
  const store = { idSpan: async () => ({ after: 0, upTo: 1_000_000 }) } as Parameters<typeof sharedWithSecond>[0];
  // The thread's program is where the product is built; here there is none, so that the thread fails while nobody waits for it.
  const data = { order: { format: 'tsv', query: { terms: [] } }, path: '/nowhere', memory: new SharedArrayBuffer(8) };
  const shared = await sharedWithSecond(store, data as unknown as Omit<ExportingData, 'parts'>, EVENTS);
  if (availableParallelism() < 2) return expect(shared).toBeUndefined();
  const moment = shared?.sharing.moment;
  expect(moment && 'isShared' in moment && (await moment.isShared(1_000_000))).toBe(false);
  expect(shared?.sharing.begun()).toBeUndefined();
  await shared?.stop();
});
