/** What PostgreSQL's store prepares of a batch: seen by the numbers that it takes. */
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
import type { Store } from '../../src/store/store.js';
import { idsOf } from '../contract/apply-batch.js';
import { postgresStores } from '../contract/empty-stores.js';
import { batchOf, claimNext, draft, named } from '../many-machines/store-samples.js';
import { without } from '../support/services.js';

const LEASE = { leaseMs: 60_000, last: false };
const batch = (nth: number): LaidOutBatch => batchOf(2 + 20 * nth, named(2 + 20 * nth, 20));

describe.skipIf(without('postgres'))('while a batch is written, the next one', () => {
  const stores = postgresStores();
  afterAll(() => stores.remove());
  let store: Store;
  let clock: number;
  beforeEach(async () => {
    clock = Date.UTC(2030, 0, 1);
    store = await stores.open({ prefix: 'SAMR', now: () => clock });
  });
  afterEach(() => store.close());
  const claimed = async () => {
    await store.accept(draft('ada'), { sameBytes: true });
    return await claimNext(store);
  };
  const taken = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await store.nextAccession();
    await work();
    return (await store.nextAccession()) - before;
  };

  it('gets its numbers, which it has when its turn comes', async () => {
    const claim = await claimed();
    const [one, two, three] = [batch(0), batch(1), batch(2)];
    expect(await taken(() => store.applyBatch(claim, one, { ...LEASE, next: two }))).toBe(40);
    expect(await taken(() => store.applyBatch(claim, two, { ...LEASE, next: three }))).toBe(20);
    expect(await taken(() => store.applyBatch(claim, three, LEASE))).toBe(0);
  });

  it('has them once, and not a second later', async () => {
    const claim = await claimed();
    const [one, two] = [batch(0), batch(1)];
    await store.applyBatch(claim, one, { ...LEASE, next: two });
    clock += 1001;
    expect(await taken(() => store.applyBatch(claim, two, LEASE))).toBe(20);
    const other = await claimed();
    expect(await taken(() => store.applyBatch(other, two, LEASE))).toBe(20);
  });

  it('has none of an attempt that came to nothing', async () => {
    const claim = await claimed();
    const [one, two] = [batch(0), batch(1)];
    const overtaken = { ...claim, attempt: claim.attempt + 1 };
    await expect(store.applyBatch(overtaken, one, { ...LEASE, next: two })).rejects.toThrow();
    await store.applyBatch(claim, one, LEASE);
    expect(await taken(() => store.applyBatch(claim, two, LEASE))).toBe(20);
  });

  it.each<[string, (batch: LaidOutBatch) => LaidOutBatch]>([
    ['names a sample', (one) => ({ ...one, ids: Float64Array.from(one.ids, (_, row) => (row === 3 ? 1 : 0)) })],
    ['has numbers already', (one) => ({ ...one, reserved: Float64Array.from(one.ids, (_, row) => 5000 + row) })],
    ['registers nothing', (one) => ({ ...one, count: 0 })],
  ])('is not prepared where it %s', async (_, changed) => {
    const claim = await claimed();
    const next = changed(batch(1));
    expect(await taken(() => store.applyBatch(claim, batch(0), { ...LEASE, next }))).toBe(20);
  });

  it('is not prepared beside a batch that writes nothing new', async () => {
    const claim = await claimed();
    const { chunk } = await store.applyBatch(claim, batch(0), LEASE);
    const again = { ...batch(1), ids: Float64Array.from(idsOf(chunk.created)) };
    expect(await taken(() => store.applyBatch(claim, again, { ...LEASE, next: batch(2) }))).toBe(0);
  });
});
