/** The columns of the search index: their bytes, and that an index of before them is filled while it is read. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { DISTINCT } from '../../src/registry/search/facets.js';
import {
  addFacet,
  type CountedCharacteristic,
  characteristicOf,
  LISTED_LETTERS,
  noFacets,
  type SampleFacets,
} from '../../src/registry/search/sample-facets.js';
import { attributeTerm, valueTerm } from '../../src/registry/search/search-terms.js';
import { codeOf } from '../../src/registry/search/term-keys.js';
import { entriesOf, SLOTS, writeBlock } from '../../src/store/columns/block.js';
import { countFacets } from '../../src/store/columns/count-facets.js';
import { FIRST_KEY, KEYS, OWNER } from '../../src/store/columns/entries.js';
import { endsOf, rangeAt } from '../../src/store/columns/nice-ranges.js';
import { type Answers, type Ask, readNow, type StoredBlock } from '../../src/store/columns/reading.js';
import { columnsOf, type StagedBlock, stage, withStaged } from '../../src/store/columns/staged.js';
import { openStore } from '../../src/store/open.js';
import { PostgresDatabase } from '../../src/store/postgres/database.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { Random } from '../support/random.js';
import { without } from '../support/services.js';
import { usedHeap } from '../support/used-heap.js';

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
    ...[1, 2, 16, 255, 256, 2000].map((entries): [string, string[]] => [
      `${entries} entries of one length`,
      filled(entries, 0.9).map((entry) => (entry === '' ? '' : entry.padEnd(9))),
    ]),
    ['its own of one length for each', Array.from({ length: SLOTS }, (_, at) => `\u0000\u00ff${1000 + at}`)],
  ];
  it.each(CASES)('is read as it was written: %s', (_, entries) => {
    for (const shares of [true, false]) {
      const data = writeBlock(entries, shares);
      expect(data && entriesOf(data)).toEqual(entries);
      // A block is part of a larger buffer when a driver hands it over.
      const inside = Buffer.concat([Buffer.alloc(3), data ?? Buffer.alloc(0)]).subarray(3);
      expect(entriesOf(inside)).toEqual(entries);
    }
  });

  it('writes a length that all entries have once, where every program can read that', () => {
    const entries = Array.from({ length: SLOTS }, (_, at) => `\u0000${1000 + at}`);
    const [shared, spelled] = [true, false].map((shares) => writeBlock(entries, shares)?.length ?? 0);
    expect((spelled as number) - (shared as number)).toBe(2 * (SLOTS - 1));
  });

  it('is none where there is nothing', () => {
    expect(
      writeBlock(
        Array.from({ length: SLOTS }, () => ''),
        true,
      ),
    ).toBeUndefined();
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

describe('a characteristic with more values than are distinguished', () => {
  const SAMPLES = DISTINCT + 15_000;
  const facetsOf = (id: number): SampleFacets => {
    const facets = noFacets();
    for (const [name, text] of [
      ['depth', `${id}.5`],
      ['note', `note ${id}`],
      ...(id % 2 ? [['sex', id % 4 === 1 ? 'male' : 'female']] : []),
    ] as [string, string][]) {
      const code = codeOf(attributeTerm(name));
      const known = characteristicOf(facets, code, name);
      if (known) addFacet(facets, known, codeOf(valueTerm(name, text)), text, text);
    }
    return facets;
  };
  const keys = new Map<number, number>();
  const keyOf = (code: number): number => {
    const key = keys.get(code) ?? FIRST_KEY + keys.size;
    keys.set(code, key);
    return key;
  };
  const columns = new Map<number, StoredBlock[]>();
  for (let first = 0; first < SAMPLES; first += SLOTS) {
    const samples = Array.from({ length: Math.min(SLOTS, SAMPLES - first) }, (_, at) => ({
      id: first + at,
      account: 1,
      release: 0,
      updated: 0,
      hidden: (first + at) % 10 === 0,
      counted: [...facetsOf(first + at).characteristics],
      more: facetsOf(first + at).more,
    }));
    for (const staged of stage(samples, keyOf)) {
      for (const column of columnsOf(staged, undefined)) {
        const data = withStaged(staged, column, undefined, true);
        if (data) columns.set(column, [...(columns.get(column) ?? []), { block: staged.block, data }]);
      }
    }
  }
  const answer = (what: Ask): Answers[Ask['kind']] => {
    if (what.kind === 'blocks') {
      return (columns.get(what.column) ?? []).filter(({ block }) => block >= what.from).slice(0, what.most);
    }
    if (what.kind === 'columns') return what.codes.map((code) => keys.get(code));
    if (what.kind === 'samples') return new Map(what.ids.map((id) => [id, facetsOf(id)]));
    return [];
  };
  const count = (names: string[]) =>
    readNow(
      countFacets(
        {
          query: { terms: [], now: 1, size: 1, facets: { of: names, values: 3 } },
          accounts: undefined,
          visible: 'open',
        },
        new Map(),
        0,
        undefined,
      ),
      answer,
    );
  const shown = Array.from({ length: SAMPLES }, (_, id) => id).filter((id) => id % 10 !== 0);

  it('is counted, and its ranges are, though its values are not listed', () => {
    const { samples, list } = count(['depth', 'note', 'sex']);
    expect(samples).toBe(shown.length);
    const [depth, note, sex] = list;
    expect(depth).toMatchObject({ name: 'depth', samples: shown.length, values: [] });
    expect(note).toEqual({ name: 'note', samples: shown.length, values: [] });
    expect(sex).toMatchObject({ samples: shown.filter((id) => id % 2).length, others: 0 });
    const ranges = depth?.ranges?.list ?? [];
    expect(ranges.length).toBeGreaterThan(4);
    for (const { from = -Infinity, below = Infinity, samples: within } of ranges) {
      expect(within).toBe(shown.filter((id) => id + 0.5 >= from && id + 0.5 < below).length);
    }
    // Ends are drawn from everywhere, not from the values that came first.
    expect(Math.max(...ranges.map(({ samples: within }) => within))).toBeLessThan(shown.length / 3);
  });
});

describe('texts that are no choice', () => {
  it('are counted and not listed, and of many samples none is held', { tags: 'bounds' }, async () => {
    const SAMPLES = 60;
    const store = await openStore(`sqlite:${join(folder, 'texts.sqlite')}`, {
      prefix: 'SAMR',
      now: () => 1_700_000_000_000,
    });
    const text = (at: number): string => `${at} ${'lorem ipsum '.repeat(2_000)}`;
    const create = async (at: number): Promise<void> => {
      const said = at === 0 ? 'x'.repeat(LISTED_LETTERS) : at === 1 ? 'x'.repeat(LISTED_LETTERS + 1) : text(at);
      const notes = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`note ${name}`, [{ text: said }]]));
      const content = { ...emptyContent(), characteristics: { ...notes, sex: [{ text: at % 2 ? 'f' : 'm' }] } };
      const draft = { name: `s${at}`, release: 0, content };
      await store.createSample({ draft, account: 'ada', author: 'ada', via: 'JSON_API', placeholder: false });
    };
    const ask = async () => {
      const query = { terms: [], now: 1_700_000_000_000, size: 1, facets: { of: 5, values: 100 } };
      const { facets } = await store.findSamples(query, { page: 0 });
      return facets?.list ?? [];
    };
    for (let at = 0; at < SAMPLES; at++) await create(at);
    while ((await store.indexNext(100)).more);
    const before = usedHeap();
    const list = await ask();
    expect(usedHeap() - before).toBeLessThan(2.5e6);
    // Behind the index, too.
    await create(SAMPLES);
    for (const [found, samples] of [
      [list, SAMPLES],
      [await ask(), SAMPLES + 1],
    ] as const) {
      expect(found).toHaveLength(5);
      const [note, sex] = [found.find(({ name }) => name === 'note c'), found.find(({ name }) => name === 'sex')];
      expect(note?.samples).toBe(samples);
      expect(note?.values.map(({ value }) => value.length).filter((letters) => letters > LISTED_LETTERS)).toEqual([]);
      expect((note?.others ?? 0) + (note?.values.length ?? 0)).toBe(samples);
      expect(sex?.values.map(({ value }) => value).sort()).toEqual(['f', 'm']);
    }
    const all = await store.findSamples(
      { terms: [], now: 1_700_000_000_000, size: 1, facets: { of: ['note a'], values: 100 } },
      { page: 0 },
    );
    expect(all.facets?.list[0]?.values.every(({ value }) => value.length === LISTED_LETTERS)).toBe(true);
    await store.close();
  });
});

describe.skipIf(without('postgres'))('an index of before the columns on postgres', () => {
  afterAll(() => dropSchemas());
  it('is filled step by step: lists are complete meanwhile, facets say what they lack', async () => {
    const url = freshSchemaUrl();
    const before = async (): Promise<void> => {
      const database = new PostgresDatabase(url);
      // As a process of an earlier version leaves it.
      await database.run('delete from facet_block');
      await database.run('update search_progress set moved = moved + 1');
      await database.close();
    };
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
    // A step ends when its time is over, too: on a busy machine with fewer than ten.
    const done = part.facets?.samples ?? 0;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThanOrEqual(10);
    expect(part).toMatchObject({ ids: whole.ids, missing: 0, facets: { samples: done, missing: 30 - done } });
    while ((await store.indexNext(7)).more);
    expect(await ask()).toEqual(whole);
    await store.close();
  });
});

it('samples that have nothing in common take no more room than what they say', () => {
  const before = usedHeap();
  let code = 0;
  const samples = Array.from({ length: 200 }, (_, at) => ({
    id: 1_000_000 + at * 5,
    account: 1,
    release: 0,
    updated: 0,
    hidden: false,
    counted: Array.from({ length: 250 }, () => [++code, { name: 'n', values: [] }] satisfies CountedCharacteristic),
    more: false,
  }));
  const staged = stage(samples, (code) => FIRST_KEY + code);
  expect(staged.reduce((sum, { columns }) => sum + columns.size, 0)).toBeGreaterThan(50_000);
  // Of these 50 000 columns, each of one value.
  expect(usedHeap() - before).toBeLessThan(60e6);
  expect(samples).toHaveLength(200);
});

it('samples in a row have what each of them says, though it says it in another place or there is more than is counted', () => {
  const value = (name: string, code: number): CountedCharacteristic => [
    code,
    { name, values: [{ code, text: name, said: true }], shared: true },
  ];
  const [a, b] = [value('a', 1), value('b', 2)];
  const rows: [counted: (CountedCharacteristic | undefined)[], more: boolean][] = [
    [[a, b], false],
    [[a, b], true],
    [[b, a], true],
    [[undefined, a], false],
    [[a], false],
    [[b], false],
  ];
  const samples = rows.map(([counted, more], at) => ({
    ...{ id: SLOTS + at, account: 1, release: 0, updated: 0, hidden: false },
    ...{ counted, more },
  }));
  const columnOf = (staged: StagedBlock | undefined, column: number) =>
    staged && entriesOf(withStaged(staged, column, undefined, true) ?? undefined).slice(0, rows.length);
  const together = stage(samples, (code) => FIRST_KEY + code)[0];
  const alone = samples.map((sample) => stage([sample], (code) => FIRST_KEY + code)[0]);
  for (const column of [KEYS, FIRST_KEY + 1, FIRST_KEY + 2, OWNER]) {
    const each = alone.map((staged, at) => columnOf(staged, column)?.[at] ?? '');
    expect(columnOf(together, column), `column ${column}`).toEqual(each);
  }
});
