/** Segments of the search file that are merged page by page, while newer ones come in between: each sample is what was last said of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Terms, termKey } from '../../src/registry/search/term-keys.js';
import { openStore } from '../../src/store/open.js';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';
import Database from '../../src/store/sqlite/driver.js';
import { mergeSlice } from '../../src/store/sqlite/search/search-merge.js';
import { addPage, removePages, StagedPostings, segmentsOf } from '../../src/store/sqlite/search/search-segments.js';
import { slotsFound } from '../../src/store/sqlite/search/search-slots.js';
import type { Store } from '../../src/store/store.js';
import { Random } from '../support/random.js';
import { runs } from '../support/seeds.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-merged-segments-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORDS = 900;

it.each([1, 2, 3, 4].slice(0, runs(4)))('say of each sample what was last said of it (%i)', async (seed) => {
  const file = join(folder, `${seed}.db`);
  await (await openStore(`sqlite:${file}`, { prefix: 'SAMR' })).close();
  const index = new SqliteDatabase(`${file}-search`);
  const random = new Random(seed);
  const said = new Map<number, Set<string>>();
  let next = 1;
  const add = (samples: number): Promise<void> =>
    index.write(() => {
      const staged = new StagedPostings();
      for (let at = 0; at < samples; at++) {
        // Mostly new ones: a segment that holds one sample of before among others is the hardest.
        const isKnown = at === 0 && next > 1 && random.chance(0.3);
        const id = isKnown ? Math.max(1, next - 1 - random.below(60)) : next++;
        const words = Array.from({ length: 6 }, () => `${random.below(WORDS)}`);
        said.set(id, new Set(words));
        staged.add({ id, name: `s${id}`, account: 1, release: 0, updated: 0, hidden: 0 }, [
          { terms: [new Terms(words.join(' '))] },
        ]);
      }
      staged.write(index);
    });
  const check = (): void => {
    const segments = segmentsOf(index, 0);
    for (let word = 0; word < WORDS; word += 13) {
      const mask = slotsFound(index, segments, [[termKey(`w${word}`)]]);
      const found = [...said.keys()].filter((id) => mask && ((mask[id >> 5] as number) >>> (id & 31)) & 1);
      const meant = [...said].filter(([, words]) => words.has(`${word}`)).map(([id]) => id);
      expect(found, `w${word}`).toEqual(meant);
    }
  };
  let merged = 0;
  for (let round = 0; round < 160; round++) {
    await add(random.pick([1, 1, 1, 3, 12]));
    // A page at a time, so that most merges are under way when the next samples come.
    for (let slices = random.below(3); slices > 0; slices--) {
      if (await index.write(() => mergeSlice(index, 8, () => true))) merged++;
    }
    if (round % 8 === 0) check();
  }
  while (await index.write(() => mergeSlice(index, 8, () => true))) merged++;
  check();
  expect(merged).toBeGreaterThan(10);
  expect(segmentsOf(index, 0).length).toBeLessThan(40);
  index.close();
});

describe('what merged segments took', () => {
  /** The index of a store in which a segment of so many pages was merged away. */
  const merged = async (name: string, pages: number): Promise<{ store: Store; index: SqliteDatabase }> => {
    const file = join(folder, name);
    const store = await openStore(`sqlite:${file}`, { prefix: 'SAMR' });
    const index = new SqliteDatabase(`${file}-search`);
    await index.write(() => {
      for (let page = 0; page < pages; page++) addPage(index, 900, page, Buffer.alloc(7_900, page));
    });
    await index.write(() => removePages(index, 900));
    return { store, index };
  };
  const free = (index: SqliteDatabase): number =>
    index.sql<{ n: number }>('select freelist_count as n from pragma_freelist_count').get()?.n ?? 0;

  it('is given back to the file system, step by step, but for what the next ones need', async () => {
    const { store, index } = await merged('given-back.db', 700);
    const left = [free(index)];
    while ((await store.indexNext(20)).more) left.push(free(index));
    left.push(free(index));
    expect(left[0]).toBeGreaterThanOrEqual(700);
    expect(left.at(-1)).toBeLessThanOrEqual(128);
    for (const [step, pages] of left.slice(1).entries()) expect((left[step] as number) - pages).toBeLessThanOrEqual(64);
    await store.indexNext(20);
    expect([free(index), left.at(-1) === 0]).toEqual([left.at(-1), false]);
    expect(index.check()).toBe('ok');
    index.close();
    await store.close();
  });

  it('is given back, without a write for merging, where a span has many segments of which too few have one size', async () => {
    const { store, index } = await merged('sizes.db', 700);
    let next = 1;
    for (const size of [...Array(7).fill(1), ...Array(7).fill(9)]) {
      await index.write(() => {
        const staged = new StagedPostings();
        for (let at = 0; at < size; at++) {
          const id = next++;
          staged.add({ id, name: `s${id}`, account: 1, release: 0, updated: 0, hidden: 0 }, [
            { terms: [new Terms('a')] },
          ]);
        }
        staged.write(index);
      });
    }
    while ((await store.indexNext(20)).more);
    expect([segmentsOf(index, 0).length, free(index)]).toEqual([14, expect.toSatisfy((pages) => pages <= 128)]);
    const version = () =>
      index.sql<{ version: number }>('select data_version as version from pragma_data_version').get();
    const before = version();
    await store.indexNext(20);
    expect(version()).toEqual(before);
    index.close();
    await store.close();
  });

  it('is asked of new files alone: one that is there is opened without a write', async () => {
    const path = join(folder, 'opened.db');
    await (await openStore(`sqlite:${path}`, { prefix: 'SAMR' })).close();
    const watching = [path, `${path}-search`].map((file) => new Database(file));
    const versions = () => watching.map((each) => each.pragma('data_version', { simple: true }));
    const before = versions();
    await (await openStore(`sqlite:${path}`, { prefix: 'SAMR' })).close();
    expect(versions()).toEqual(before);
    for (const each of watching) each.close();
  });

  it('stays where a file of before cannot give pages back', async () => {
    const path = join(folder, 'kept.db');
    await (await openStore(`sqlite:${path}`, { prefix: 'SAMR' })).close();
    const before = new Database(`${path}-search`);
    before.pragma('auto_vacuum = NONE');
    before.exec('vacuum');
    before.close();
    const { store, index } = await merged('kept.db', 700);
    expect((await store.indexNext(20)).more).toBe(false);
    expect(free(index)).toBeGreaterThanOrEqual(700);
    index.close();
    await store.close();
  });
});
