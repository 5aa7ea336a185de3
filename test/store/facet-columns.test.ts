/** The columns of the search index: their bytes, and that an index of before them is filled while it is read. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/sample.js';
import { entriesOf, SLOTS, writeBlock } from '../../src/store/columns/block.js';
import { endsOf, rangeAt } from '../../src/store/columns/nice-ranges.js';
import { openStore } from '../../src/store/open.js';
import { PostgresDatabase } from '../../src/store/postgres/database.js';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { Random } from '../support/random.js';
import { without } from '../support/services.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-columns-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a block of a column', () => {
  const random = new Random(5);
  const filled = (entries: number, part: number): string[] =>
    Array.from({ length: SLOTS }, () => (random.chance(part) ? `\u0000\u00ff${random.below(entries)}` : ''));
  const CASES: [string, string[]][] = [
    ['nothing but one', Array.from({ length: SLOTS }, (_, at) => (at === 700 ? 'x' : ''))],
    ['the same for all', Array.from({ length: SLOTS }, () => 'x')],
    ['its own for each', Array.from({ length: SLOTS }, (_, at) => `entry ${at}`)],
    ['its own for some', Array.from({ length: SLOTS }, (_, at) => (at % 3 ? `entry ${at}` : ''))],
    ...[1, 2, 3, 15, 16, 255, 256, 2000].map((entries): [string, string[]] => [
      `${entries} entries`,
      filled(entries, 0.9),
    ]),
  ];
  it.each(CASES)('is read as it was written: %s', (_, entries) => {
    const data = writeBlock(entries);
    expect(data && entriesOf(data)).toEqual(entries);
    // A block is part of a larger buffer when a driver hands it over.
    const inside = Buffer.concat([Buffer.alloc(3), data ?? Buffer.alloc(0)]).subarray(3);
    expect(entriesOf(inside)).toEqual(entries);
  });

  it('is none where there is nothing', () => {
    expect(writeBlock(Array.from({ length: SLOTS }, () => ''))).toBeUndefined();
  });
});

describe('ranges', () => {
  const measures = (numbers: number[]) => ({
    numbers: Float64Array.from(numbers),
    counts: Float64Array.from(numbers, () => 1),
  });
  it('have round ends, and what lies far out is in the first and the last', () => {
    const ages = Array.from({ length: 200 }, (_, at) => 18 + (at % 60));
    expect(endsOf(measures([...ages, -1e300, 9e200]), false)).toEqual([20, 30, 40, 50, 60, 70]);
    expect(endsOf(measures([5, 5]), false)).toEqual([]);
    expect(endsOf(measures([]), false)).toEqual([]);
  });

  it('of dates end with days, months or years', () => {
    const days = Array.from({ length: 6000 }, (_, at) => Date.UTC(2008, 0, 1) + at * 86_400_000);
    const ends = endsOf(measures(days), true).map((end) => new Date(end).toISOString().slice(0, 10));
    expect(ends.every((end) => end.endsWith('-01-01'))).toBe(true);
    expect(endsOf(measures([Date.UTC(2020, 0, 1), Date.UTC(2020, 0, 5)]), true)).toHaveLength(4);
  });

  it('hold every number once', () => {
    const random = new Random(9);
    for (let turn = 0; turn < 200; turn++) {
      const scale = 10 ** (random.below(40) - 20);
      const numbers = Array.from({ length: 50 }, () => (random.next() - 0.5) * scale);
      const ends = endsOf(measures(numbers), false);
      expect(ends).toEqual([...new Set(ends)].sort((a, b) => a - b));
      expect(ends.length).toBeLessThan(30);
      for (const number of numbers) {
        const at = rangeAt(ends, number);
        expect(number >= (ends[at - 1] ?? -Infinity) && number < (ends[at] ?? Infinity)).toBe(true);
      }
    }
  });
});

const ENGINES = [
  {
    engine: 'sqlite',
    open: () => {
      const path = join(folder, 'before.db');
      return {
        url: `sqlite:${path}`,
        before: async () => {
          const index = new SqliteDatabase(`${path}-search`);
          await index.write(() => {
            for (const table of ['facet_block', 'facet_key']) index.sql(`delete from ${table}`).run();
            index.sql('update progress set columns_moved = -1').run();
          });
          index.close();
        },
      };
    },
  },
  ...(without('postgres')
    ? []
    : [
        {
          engine: 'postgres',
          open: () => {
            const url = freshSchemaUrl();
            return {
              url,
              before: async () => {
                const database = new PostgresDatabase(url);
                // As a process of an earlier version leaves it.
                await database.run('delete from facet_block');
                await database.run('update search_progress set moved = moved + 1');
                await database.close();
              },
            };
          },
        },
      ]),
];

describe.each(ENGINES)('an index of before the columns on $engine', ({ open }) => {
  afterAll(() => dropSchemas());
  it('is filled step by step: lists are complete meanwhile, facets say what they lack', async () => {
    const { url, before } = open();
    const now = 1_700_000_000_000;
    const store = await openStore(url, { prefix: 'SAMR', now: () => now });
    for (let at = 0; at < 30; at++) {
      const content = { ...emptyContent(), characteristics: { organism: [{ text: `kind ${at % 3}` }] } };
      const draft = { name: `s${at}`, release: 0, content };
      await store.createSample({ draft, account: 'ada', author: 'ada', via: 'JSON_API', placeholder: false });
    }
    while ((await store.indexNext(100)).more);
    const ask = () => store.findSamples({ terms: [], now, size: 50, facets: { of: 1, values: 5 } }, { page: 0 });
    const whole = await ask();
    expect(whole.facets).toMatchObject({ samples: 30, missing: 0 });
    await before();
    expect(await ask()).toMatchObject({ ids: whole.ids, missing: 0, facets: { samples: 0, missing: 30 } });
    await store.indexNext(10);
    const part = await ask();
    expect(part).toMatchObject({ ids: whole.ids, missing: 0, facets: { samples: 10, missing: 20 } });
    while ((await store.indexNext(7)).more);
    expect(await ask()).toEqual(whole);
    await store.close();
  });
});
