/** Workers of several machines on one PostgreSQL, where the clock of a machine is set while they work. */
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { PostgresDatabase } from '../../src/store/postgres/database.js';
import type { Store } from '../../src/store/store.js';
import { until } from '../many-machines/local-process.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { batchOf, claimNext, draft, named } from '../many-machines/store-samples.js';
import { without } from '../support/services.js';

const HOUR = 3_600_000;
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
