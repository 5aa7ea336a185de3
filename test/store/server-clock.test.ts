/** Workers of several machines on one PostgreSQL, where the clock of a machine is set while they work. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { PostgresDatabase } from '../../src/store/postgres/database.js';
import type { Store } from '../../src/store/store.js';
import { startService } from '../http/service.js';
import { until } from '../many-machines/local-process.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { batchOf, claimNext, draft, named } from '../many-machines/store-samples.js';
import { without } from '../support/services.js';

const HOUR = 3_600_000;
const REQUEST = { filters: [], format: 'csv', curated: false, registry: '' };
const LEASE = { leaseMs: 60_000 };
const RULES = { lane: 'large', ...LEASE, maxAttempts: 3, outsideMs: HOUR } as const;

describe.skipIf(without('postgres'))('the clock of a machine that works on PostgreSQL', () => {
  let url: string;
  let stores: Store[];
  beforeEach(() => {
    url = freshSchemaUrl();
    stores = [];
  });
  afterEach(async () => {
    vi.useRealTimers();
    for (const store of stores) await store.close();
  });
  afterAll(() => dropSchemas());
  const open = async (): Promise<Store> => {
    const store = await openStore(url, { prefix: 'SAMR' });
    stores.push(store);
    return store;
  };

  it.each([
    ['an hour on', HOUR],
    ['an hour back', -HOUR],
    ['a day on', 24 * HOUR],
    ['two minutes back', -120_000],
  ])('may be set %s: no living worker loses its submission to it, and none of its own to others', async (_, by) => {
    const [steady, moved] = [await open(), await open()];
    await steady.accept(draft('ada'), { sameBytes: true });
    const claim = await claimNext(steady, 60_000);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + by });
    expect(await moved.claimNext({ ...RULES, worker: 'moved' })).toBeUndefined();
    await moved.accept(draft('ada'), { sameBytes: true });
    const own = await moved.claimNext({ ...RULES, worker: 'moved' });
    vi.useRealTimers();
    expect(own).toBeDefined();
    expect(await steady.claimNext({ ...RULES, worker: 'third' })).toBeUndefined();
    const batch = batchOf(2, named(1, 3));
    expect(await steady.applyBatch(claim, batch, { ...LEASE, last: true })).toMatchObject({
      submission: { state: 'COMPLETED', attempts: 1 },
    });
  });

  it.each([
    ['on', HOUR],
    ['back', -HOUR],
  ])(
    'may be set an hour %s: its service begins no whole result anew that another one makes, and makes its own',
    async (_, by) => {
      const other = await open();
      // A clock that can be set afterwards, also by whoever has taken hold of it before.
      vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
      const service = await startService({ env: { STORE_URL: url } });
      try {
        await service.token('ada');
        const bo = await service.token('bo');
        const under = { id: randomUUID(), account: 'ada', admin: false, request: REQUEST };
        const times = { created: other.now(), expires: other.now() + 24 * HOUR };
        await other.orderExport({ ...under, ...times }, { ofOne: 5, inAll: 5 });
        const claim = await other.claimExport(under.id, other.now(), LEASE.leaseMs);
        expect(claim?.attempts).toBe(1);
        vi.setSystemTime(Date.now() + by);
        const { exportId } = (await service.call('/samples/exports?format=csv', { method: 'POST', token: bo })).json<{
          exportId: string;
        }>();
        const phase = async () =>
          (await service.get(`/samples/exports/${exportId}`, { token: bo })).json<{ phase: string }>().phase;
        await expect.poll(phase, { interval: 20, timeout: 60_000 }).toBe('DONE');
        expect(await other.findExport(under.id, other.now())).toMatchObject({ state: 'ACTIVE', attempts: 1 });
      } finally {
        vi.useRealTimers();
        await service.stop();
      }
    },
  );

  it('counts for nothing at the very moment when it is set', async () => {
    const database = new PostgresDatabase(url);
    try {
      await database.setClock();
      const before = Date.now();
      for (const by of [HOUR, -HOUR]) {
        vi.useFakeTimers({ toFake: ['Date'], now: before + by });
        expect(Math.abs(database.now() - before)).toBeLessThan(HOUR / 2);
      }
    } finally {
      vi.useRealTimers();
      await database.close();
    }
  });

  it('tells that the machine slept, and the time is asked for anew', async () => {
    const database = new PostgresDatabase(url);
    try {
      await database.setClock();
      const apart = () => Math.abs(database.now() - Date.now());
      const steady = performance.now();
      // Asleep for an hour: the clock that cannot be set stood still meanwhile.
      vi.spyOn(performance, 'now').mockImplementation(() => steady - HOUR);
      await until(async () => expect(apart()).toBeLessThan(1_000));
    } finally {
      vi.restoreAllMocks();
      await database.close();
    }
  });
});
