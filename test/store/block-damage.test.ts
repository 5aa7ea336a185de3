/** Blocks of samples in a SQLite file whose bytes changed: what was stored is answered, or the block and the sample are named. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../src/store/open.js';
import Database from '../../src/store/sqlite/driver.js';
import { HEAD_COLUMNS } from '../../src/store/sqlite/samples/block-reader.js';
import { batchOf, claimNext, draft, named } from '../many-machines/store-samples.js';
import { Random } from '../support/random.js';

const BLOCKS = 1000;
const SAMPLES = 64 * BLOCKS;
const BATCH = 3200;
const folder = mkdtempSync(join(tmpdir(), 'registry-blocks-'));
const path = join(folder, 'registry.db');
const random = new Random(20261125);
let store: Store;
let file: Database.Database;

interface Block {
  number: number;
  first: number;
  count: number;
  body: Buffer;
}

beforeAll(async () => {
  store = await openStore(`sqlite:${path}`, { prefix: 'SAMR' });
  await store.accept(draft('ada'), { sameBytes: false });
  const claim = await claimNext(store);
  for (let from = 0; from < SAMPLES; from += BATCH) {
    const last = from + BATCH >= SAMPLES;
    await store.applyBatch(claim, batchOf(from + 2, named(from, BATCH)), { leaseMs: 600_000, last });
  }
  file = new Database(path);
});
afterAll(async () => {
  file.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** All blocks of samples; the first and the last are shorter, because numbers begin with 1. */
const blocks = () =>
  file.prepare<[], Block>('select number, first, count, body from sample_block order by first').all();

const accession = (id: number): string => `SAMR${id}`;
const namesIt = ({ first, count }: Block) => ({
  code: 'storage.damaged',
  message: expect.stringContaining(`The block of samples ${accession(first)} to ${accession(first + count - 1)}`),
});

describe('a byte that changed in a block', () => {
  it(`is found in each of ${BLOCKS}, and named by a read, a version, a result and a row that updates`, async () => {
    const all = blocks();
    expect(all.length).toBeGreaterThanOrEqual(BLOCKS);
    const write = file.prepare('update sample_block set body = ? where number = ?');
    for (const block of all) {
      const changed = Buffer.from(block.body);
      const at = random.below(changed.length);
      changed[at] = (changed[at] as number) ^ (1 << random.below(8));
      write.run(changed, block.number);
      const id = block.first + random.below(block.count);
      await expect(store.readSample(id)).rejects.toMatchObject(namesIt(block));
      await expect(store.readVersion(id, 1)).rejects.toMatchObject(namesIt(block));
      write.run(block.body, block.number);
      expect((await store.readSample(id))?.sample.name).toBe(`sample ${id - 1}`);
    }
  });

  it.each(HEAD_COLUMNS.split(', ').filter((column) => !['cell', 'first'].includes(column)))(
    'is found in its column %s',
    async (column) => {
      const [, block] = blocks() as [Block, Block];
      const before = file.prepare(`select ${column} as value from sample_block where number = ?`).get(block.number) as {
        value: number | null;
      };
      const write = file.prepare(`update sample_block set ${column} = ? where number = ?`);
      for (const bit of column === 'admin_status' ? [0] : [0, 3, 17]) {
        const value = column === 'admin_status' ? 'KILLED' : (before.value ?? 0) ^ (1 << bit);
        write.run(Number(before.value) > 2 ** 31 ? Number(before.value) + 2 ** bit : value, block.number);
        await expect(store.readSample(block.first), `bit ${bit}`).rejects.toMatchObject({ code: 'storage.damaged' });
      }
      write.run(before.value, block.number);
      expect(await store.readSample(block.first)).toMatchObject({ sample: { id: block.first } });
    },
  );

  it('is listed with the versions that it damages, and the others are not', async () => {
    const [, block] = blocks() as [Block, Block];
    await store.accept(draft('ada'), { sameBytes: false });
    const update = named(block.first - 1, block.count).map((row, n) => ({
      ...row,
      cells: 'Mus musculus\tliver',
      id: block.first + n,
    }));
    await store.applyBatch(await claimNext(store), batchOf(2, update), { leaseMs: 60_000, last: true });
    expect(await store.damagedVersions({ id: 0, version: 0 }, 100)).toEqual({ damaged: [] });
    file
      .prepare("update sample_block set body = cast(x'ff' || substr(body, 2) as blob) where number = ?")
      .run(block.number);
    const ids = Array.from({ length: block.count }, (_, n) => block.first + n);
    expect(await store.damagedVersions({ id: 0, version: 0 }, 100)).toEqual({
      damaged: ids.map((id) => ({ id, version: 1 })),
    });
    expect(await store.readSample(block.first)).toMatchObject({ sample: { version: 2 } });
    await expect(store.readVersion(block.first, 1)).rejects.toMatchObject(namesIt(block));
  });
});

it('keeps the samples of its block out of the index and of searches, and no other', async () => {
  const own = join(folder, 'index.db');
  const damaged = await openStore(`sqlite:${own}`, { prefix: 'SAMR' });
  await damaged.accept(draft('ada'), { sameBytes: false });
  const batch = batchOf(2, named(0, 200));
  await damaged.applyBatch(await claimNext(damaged), batch, { leaseMs: 600_000, last: true });
  const blocksOfOwn = new Database(own);
  const block = blocksOfOwn
    .prepare('select number, first, count, body from sample_block where first = 64')
    .get() as Block;
  block.body[30] = (block.body[30] as number) ^ 1;
  blocksOfOwn.prepare('update sample_block set body = ? where number = ?').run(block.body, block.number);
  blocksOfOwn.close();
  const others = 200 - block.count;
  const found = async () => {
    const page = await damaged.findSamples({ terms: [['wsample']], now: Date.now(), size: 1 }, { page: 0 });
    return page.total;
  };
  expect(await found(), 'before it is indexed').toBe(others);
  let indexed = 0;
  for (let step = await damaged.indexNext(70); step.more; step = await damaged.indexNext(70)) indexed += step.indexed;
  expect([indexed, (await damaged.indexState()).lag, await found()]).toEqual([others, 0, others]);
  const names = ['sample 70', 'sample 150'];
  expect([...(await damaged.findNamed('ada', names)).keys()], 'names').toEqual(['sample 150']);
  await damaged.close();
});
