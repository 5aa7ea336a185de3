/** What a lineage asks of the store and keeps in memory, however long its chains and however large its samples are. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Lineage } from '../../src/registry/lineage/lineage.js';
import { LineageSamples, type LineageStore } from '../../src/registry/lineage/lineage-samples.js';
import { DIRECTIONS, type Direction, LineageWalk } from '../../src/registry/lineage/lineage-walk.js';
import { DESCENT_TYPES, followedTypes } from '../../src/registry/samples/relationship-types.js';
import { emptyContent, type Relationship, type SampleContent } from '../../src/registry/samples/sample.js';
import { searchQuery } from '../../src/registry/search/sample-search.js';
import type { Store } from '../../src/store/store.js';
import { sqliteStores } from '../contract/empty-stores.js';

const stores = sqliteStores();
const NOW = Date.UTC(2030, 0, 1);
let store: Store;
beforeAll(async () => {
  store = await stores.open({ prefix: 'SAMR', now: () => NOW });
});
afterAll(async () => {
  await store.close();
  await stores.remove();
});

const create = async (
  said: readonly Relationship[],
  { release = 0, ...content }: Partial<SampleContent> & { release?: number; name?: string } = {},
): Promise<number> => {
  const { name = 's', ...members } = { name: 's', ...content };
  const draft = { name, release, content: { ...emptyContent(), ...members, relationships: [...said] } };
  return (await store.createSample({ draft, account: 'ada', author: 'ada', via: 'JSON_API', placeholder: false })).id;
};
const from = (id: number): Relationship => ({ type: 'derived from', target: `SAMR${id}` });

/** Counts what is asked of the store. */
function counting(): LineageStore & { asked: number } {
  const counted = {
    asked: 0,
    findSamples: (...asked: Parameters<LineageStore['findSamples']>) => {
      counted.asked++;
      return store.findSamples(...asked);
    },
    readContents: (...asked: Parameters<LineageStore['readContents']>) => {
      counted.asked++;
      return store.readContents(...asked);
    },
  };
  return counted;
}
const idsOf = async (filter: string, of: LineageStore = store) =>
  (await searchQuery(of, { prefix: 'SAMR', now: NOW }, { filters: [filter] }, undefined)).query.ids?.toSorted(
    (one, other) => one - other,
  );

const LENGTH = 300;
/** A sample and its line of descendants, each with what else names it. */
async function line(beside: (at: number, id: number) => Promise<unknown> = async () => undefined): Promise<number[]> {
  const ids = [await create([])];
  for (let at = 1; at < LENGTH; at++) {
    ids.push(await create([from(ids.at(-1) as number)]));
    await beside(at, ids.at(-1) as number);
  }
  return ids;
}

it('asks for the samples of a long line by the dozen, in both directions and from the last to the first', async () => {
  const ids = await line();
  const [first, last] = [ids[0], ids.at(-1)];
  for (const [filter, expected] of [
    [`descendantOf:SAMR${first}`, ids.slice(1)],
    [`ancestorOf:SAMR${last}`, ids.slice(0, -1)],
  ] as const) {
    const counted = counting();
    expect(await idsOf(filter, counted)).toEqual(expected);
    expect(counted.asked, filter).toBeLessThan(LENGTH / 4);
  }
  // The same line, as the older ones say it: its steps go to smaller numbers.
  const older: number[] = [await create([])];
  for (let at = 1; at < LENGTH; at++) older.push(await create([{ type: 'has child', target: `SAMR${older.at(-1)}` }]));
  const counted = counting();
  expect(await idsOf(`descendantOf:SAMR${older.at(-1)}:has child`, counted)).toEqual(older.slice(0, -1));
  expect(counted.asked).toBeLessThan(LENGTH / 4);
});

it('finds all beside such a line: branches, more than one answer holds, and nothing behind what may not be read', async () => {
  const branches: number[] = [];
  const ids = await line(async (at, id) => {
    if (at % 50 === 10) for (let nth = 0; nth < 2; nth++) branches.push(await create([from(id)]));
    // So many that an answer for it and those ahead of it has several pages.
    if (at === 120) for (let nth = 0; nth < 201; nth++) branches.push(await create([from(id)]));
  });
  const all = [...ids.slice(1), ...branches].sort((one, other) => one - other);
  expect(await idsOf(`descendantOf:SAMR${ids[0]}`)).toEqual(all);
  const hidden = await line(async (at, id) => {
    if (at !== 40) return;
    await store.updateSample(id, ({ sample }) => ({
      kind: 'update',
      draft: { ...sample, release: NOW + 60_000 },
      provenance: { author: 'ada', via: 'JSON_API' },
    }));
  });
  expect(await idsOf(`descendantOf:SAMR${hidden[0]}`)).toEqual(hidden.slice(1, 40));
  expect(await idsOf(`ancestorOf:SAMR${hidden.at(-1)}`)).toEqual(hidden.slice(41, -1));
});

it('keeps of each sample what a graph shows, however large the samples are and whatever they name', async () => {
  const long = 'x'.repeat(50_000);
  const large = { name: `name ${long}`, characteristics: { organism: [{ text: `organism ${long}` }] } };
  const root = await create([], large);
  const count = 30;
  for (let at = 0; at < count; at++) await create([from(root), { type: 'child of', target: `https://${long}` }], large);
  const types = followedTypes(DESCENT_TYPES);
  const kept = async (direction: Direction, statements: number) => {
    const samples = new LineageSamples(store, { prefix: 'SAMR', caller: undefined, now: NOW, types, statements });
    const first = samples.take((await store.readSample(root)) as never);
    const limits = { depth: 5, nodes: 1_000, until: Number.POSITIVE_INFINITY };
    const walked = await new LineageWalk(samples, types, direction, limits).from(first);
    return { length: JSON.stringify([...walked.samples.values()]).length, walked };
  };
  // With room for two of the addresses, each of which is as long as two hundred others.
  const { length, walked } = await kept('descendants', 500);
  expect(walked.samples.size).toBe(count + 1);
  expect(length).toBeLessThan(3 * long.length);
  const lineage = new Lineage(store, { prefix: 'SAMR', now: () => NOW });
  const asked = { accession: `SAMR${root}`, types: ['derived from'], directions: DIRECTIONS, depth: 5, nodes: 1_000 };
  const graph = await lineage.graph(asked, undefined);
  expect(graph.nodes).toHaveLength(count + 1);
  expect(graph.nodes[1]).toMatchObject({ name: `name ${'x'.repeat(245)}…`, organism: `organism ${'x'.repeat(241)}…` });
  expect(JSON.stringify(graph).length).toBeLessThan(long.length);
});

it('has the same seconds for all filters of a search together', async () => {
  const roots = [await create([]), await create([])];
  for (const root of roots) await create([from(root)]);
  const { now } = performance;
  let clock = 0;
  performance.now = () => clock;
  const slow: LineageStore = {
    ...store,
    findSamples: (...asked) => {
      clock += 3_000;
      return store.findSamples(...asked);
    },
  };
  const ask = (of: readonly number[]) => {
    const filters = of.map((root) => `descendantOf:SAMR${root}`);
    return searchQuery(slow, { prefix: 'SAMR', now: NOW }, { filters }, undefined);
  };
  try {
    expect((await ask(roots.slice(0, 1))).query.ids).toHaveLength(1);
    await expect(ask(roots)).rejects.toMatchObject({ code: 'service.unavailable' });
  } finally {
    performance.now = now;
  }
});
