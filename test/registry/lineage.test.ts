/** Where samples come from and what came of them, on a small family in a real store; the whole graph is tested against a model by the contract. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Lineage, type LineageRequest } from '../../src/registry/lineage/lineage.js';
import { LineageSamples, type LineageStore } from '../../src/registry/lineage/lineage-samples.js';
import { DIRECTIONS, LineageWalk } from '../../src/registry/lineage/lineage-walk.js';
import { type Caller, Registry } from '../../src/registry/registry.js';
import { DESCENT_TYPES, followedTypes } from '../../src/registry/samples/relationship-types.js';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { searchQuery } from '../../src/registry/search/sample-search.js';
import type { SearchStore } from '../../src/registry/search/search-store.js';
import type { Store } from '../../src/store/store.js';
import { sqliteStores } from '../contract/empty-stores.js';
import { ADA, BO, refused } from './open-registry.js';

const stores = sqliteStores();
const NOW = Date.UTC(2030, 0, 1);
const options = { prefix: 'SAMR', now: () => NOW };
let store: Store;
let registry: Registry;
beforeAll(async () => {
  store = await stores.open(options);
  registry = new Registry(store, options);
});
afterAll(async () => {
  await store.close();
  await stores.remove();
});

type Said = readonly (readonly [type: string, target: string])[];
const register = async (name: string, said: Said = [], changes: object = {}, caller = ADA) => {
  const relationships = said.map(([type, target]) => ({ type, target }));
  const body = { name, release: '2021-01-01', characteristics: {}, relationships, ...changes };
  return (await registry.register(body, caller)).accession;
};
const graph = (accession: string, asked: Partial<LineageRequest> = {}, caller?: Caller, of = store) =>
  new Lineage(of, options).graph(
    { accession, types: DESCENT_TYPES, directions: DIRECTIONS, depth: 10, nodes: 100, ...asked },
    caller,
  );
const idsOf = async (filter: string, of: LineageStore = store, caller: Caller | undefined = ADA) =>
  (await searchQuery(of, { prefix: 'SAMR', now: NOW }, { filters: [filter] }, caller)).query.ids;
/** With a clock that the work sets, whatever the machine is doing: it begins at 0. */
async function timed<T>(work: (setClock: (ms: number) => void) => Promise<T>): Promise<T> {
  const { now } = performance;
  let clock = 0;
  performance.now = () => clock;
  try {
    return await work((ms) => {
      clock = ms;
    });
  } finally {
    performance.now = now;
  }
}
/** As it is once an answer of the index has taken longer than anybody waits. */
const late = <T>(work: (slow: Store) => Promise<T>): Promise<T> =>
  timed((setClock) => {
    const findSamples: SearchStore['findSamples'] = async (...asked) => {
      setClock(60_000);
      return store.findSamples(...asked);
    };
    return work({ ...store, findSamples });
  });

describe('a lineage', () => {
  it('has each sample once with its steps, what is said of them, and what is not to be seen', async () => {
    const human = { organism: [{ ontologyTerms: ['NCBITaxon:9606'] }, { text: 'human' }] };
    const donor = await register('donor', [], { characteristics: human });
    const blood = await register('blood', [
      ['derived from', donor],
      ['Derived_From', donor],
      ['child of', 'OTHER1'],
      ['kept beside', donor],
    ]);
    const cells = await register('cells', [['CHILD OF', blood]]);
    const again = await register('again', [['same as', cells]]);
    const hidden = await register('hidden', [['derived from', blood]], { release: '2040-01-01' }, BO);
    const seen = await graph(blood);
    expect(seen).toEqual({
      accession: blood,
      types: ['derived from', 'child of', 'same as'],
      nodes: expect.any(Array),
      edges: expect.any(Array),
      outside: [{ source: blood, type: 'child of', target: 'OTHER1' }],
    });
    expect([...seen.nodes].sort((a, b) => a.accession.localeCompare(b.accession))).toEqual([
      { accession: donor, name: 'donor', organism: 'human', taxId: 9606, status: 'PUBLIC', ancestor: 1 },
      { accession: blood, name: 'blood', status: 'PUBLIC', ancestor: 0, descendant: 0 },
      { accession: cells, name: 'cells', status: 'PUBLIC', descendant: 1 },
      { accession: again, name: 'again', status: 'PUBLIC', descendant: 1 },
    ]);
    expect(seen.edges.map(({ source, target }) => `${source} ${target}`).sort()).toEqual(
      [`${blood} ${donor}`, `${cells} ${blood}`, `${again} ${cells}`].sort(),
    );
    expect((await graph(blood, {}, BO)).nodes.find(({ accession }) => accession === hidden)).toMatchObject({
      status: 'PRIVATE',
      descendant: 1,
    });
    const beside = await graph(donor, { types: ['Kept_Beside'], directions: ['descendants'] });
    expect(beside.nodes.map(({ accession, ...steps }) => [accession, steps.descendant])).toEqual([
      [donor, 0],
      [blood, 1],
    ]);
    expect(await idsOf(`descendantOf:${donor}:kept beside`)).toEqual([Number(blood.slice(4))]);
    expect(await idsOf(`ancestorOf:${blood}`)).toEqual([Number(donor.slice(4))]);
    expect(await idsOf('descendantOf:OTHER1')).toContain(Number(blood.slice(4)));
    expect(await idsOf(`descendantOf:${hidden}`)).toEqual([]);
  });

  it('follows what a sample says of its own descendants', async () => {
    const child = await register('child');
    const parent = await register('parent');
    const { document } = await registry.read(parent, ADA);
    const relationships = [{ source: child, type: 'derived from', target: parent }];
    await registry.update(parent, { ...document, relationships }, ADA);
    expect(await idsOf(`ancestorOf:${child}`)).toEqual([Number(parent.slice(4))]);
    expect(await idsOf(`descendantOf:${parent}`)).toEqual([Number(child.slice(4))]);
  });

  it('says where it ends, why, and how to go on', async () => {
    const chain = [await register('first')];
    for (let at = 1; at < 5; at++) chain.push(await register(`${at}`, [['derived from', chain.at(-1) as string]]));
    const middle = chain[2] as string;
    const goOn = (filter: string) =>
      `ask for the lineage of a sample that says "more", or list them with filter=${filter}:${middle}.`;
    const near = await graph(middle, { depth: 1 });
    expect(near.nodes.flatMap(({ name, more }) => (more ? [[name, more]] : []))).toEqual(
      expect.arrayContaining([
        ['1', ['ancestors']],
        ['3', ['descendants']],
      ]),
    );
    expect(near.cut).toEqual(
      (['ancestors', 'descendants'] as const).map((direction) => ({
        direction,
        reason: 'depth',
        nodes: 1,
        message: `There are ${direction} more than 1 steps away: ask with a larger depth, or ${goOn(direction === 'ancestors' ? 'ancestorOf' : 'descendantOf')}`,
      })),
    );
    const few = await graph(middle, { nodes: 2, directions: ['ancestors'] });
    expect(few.cut).toEqual([
      {
        direction: 'ancestors',
        reason: 'nodes',
        nodes: 1,
        message: `There are more ancestors than fit into 2 nodes: ask with a larger number, or ${goOn('ancestorOf')}`,
      },
    ]);
    expect(await graph(middle, { depth: 2 })).not.toHaveProperty('cut');
  });

  it('is stopped after some time, a filter of it too', async () => {
    const root = await register('root');
    await register('leaf', [['derived from', root]]);
    const stopped = await late((slow) => graph(root, {}, undefined, slow));
    expect(stopped.cut).toEqual([
      {
        direction: 'ancestors',
        reason: 'time',
        nodes: 1,
        message: `Looking for ancestors was stopped after 3 s: ask for the lineage of a sample that says "more", or list them with filter=ancestorOf:${root}.`,
      },
      expect.objectContaining({ direction: 'descendants', reason: 'time' }),
    ]);
    await expect(late((slow) => idsOf(`descendantOf:${root}`, slow))).rejects.toEqual(
      refused(
        'service.unavailable',
        `The filter "descendantOf:${root}" was stopped after 10 s. Begin at a sample with fewer descendants.`,
      ),
    );
  });

  it('follows no more relationships than one graph takes', async () => {
    const root = await register('root');
    const [one, other] = [await register('one'), await register('other')];
    const said: Said = [
      ['derived from', one],
      ['derived from', other],
      ['child of', one],
    ];
    const leaf = await register('leaf', [...said, ['derived from', root]]);
    const types = followedTypes(DESCENT_TYPES);
    const walk = async (statements: number) => {
      const samples = new LineageSamples(store, { prefix: 'SAMR', caller: ADA, now: NOW, types, statements });
      const first = samples.take((await store.readSample(Number(leaf.slice(4)))) as never);
      const limits = { depth: 5, nodes: 10, until: Number.POSITIVE_INFINITY };
      const { depths, more } = await new LineageWalk(samples, types, 'ancestors', limits).from(first);
      return [[...depths.keys()].sort(), [...more]];
    };
    expect(await walk(4)).toEqual([[root, one, other, leaf].sort(), []]);
    expect(await walk(1)).toEqual([[one, leaf].sort(), [[leaf, 'relationships']]]);
    const many = Array.from({ length: 10_001 }, (_, at): [string, string] => ['derived from', `OTHER${at}`]);
    const mother = await register('mother', many);
    const cut = await timed(async () => (await graph(mother, { directions: ['ancestors'] })).cut);
    expect(cut).toMatchObject([
      {
        reason: 'relationships',
        message: expect.stringMatching(
          /^The samples name more ancestors than the 10000 relationships that one graph takes: ask for/,
        ),
      },
    ]);
  });

  it('has as many children as name one sample, or says that there may be more where it looks no further', async () => {
    const root = await register('root');
    const mother = await register('mother', [['derived from', root]]);
    const children: number[] = [];
    const relationships = [root, mother].map((target) => ({ type: 'derived from', target }));
    for (let at = 0; at < 205; at++) {
      const draft = { name: 'child', release: 0, content: { ...emptyContent(), relationships } };
      children.push(
        (await store.createSample({ draft, account: 'ada', author: 'ada', via: 'JSON_API', placeholder: false })).id,
      );
    }
    expect((await idsOf(`descendantOf:${mother}`))?.toSorted((a, b) => a - b)).toEqual(children);
    const asked = { directions: ['descendants'] as const, nodes: 1_000 };
    expect((await timed(() => graph(mother, asked))).nodes).toHaveLength(206);
    const near = await timed(() => graph(root, { ...asked, depth: 1 }));
    expect(near.nodes.find(({ accession }) => accession === mother)?.more).toEqual(['descendants']);
    expect(near.cut?.map(({ reason }) => reason)).toEqual(['depth']);
    expect(await timed(() => graph(root, asked))).not.toHaveProperty('cut');
  });

  it('says how many changes it may lack while the index is behind', async () => {
    const root = await register('root');
    while ((await store.indexNext(1_000)).more);
    await store.rebuildIndex();
    const { lag } = await store.indexState();
    expect((await graph(root)).notIndexed).toBe(lag);
    while ((await store.indexNext(1_000)).more);
    expect(await graph(root)).not.toHaveProperty('notIndexed');
  });
});

it('a filter stands for ten thousand samples at most', async () => {
  const mother = await register('mother');
  /** The index of a registry in which so many more samples are derived from this one. */
  const withChildren = (count: number): LineageStore => ({
    findSamples: async ({ size }, start) => {
      const before = ('before' in start ? start.before : undefined) ?? 1_000_001 + count;
      const ids = Array.from({ length: Math.min(size, before - 1_000_001) }, (_, at) => before - 1 - at);
      const last = ids.at(-1);
      return { ids, missing: 0, ...(last !== undefined && last > 1_000_001 ? { next: last } : {}) };
    },
    readContents: async (ids, bytes) => {
      if (ids[0] === Number(mother.slice(4))) return store.readContents(ids, bytes);
      const content = { ...emptyContent(), relationships: [{ type: 'derived from', target: mother }] };
      const { sample } = (await store.readSample(Number(mother.slice(4)))) as { sample: object };
      return {
        records: ids.map((id) => ({ sample: { ...sample, id, content }, curationLinks: [] }) as never),
        read: ids.length,
      };
    },
  });
  const types = 'derived from';
  expect(await idsOf(`descendantOf:${mother}:${types}`, withChildren(300))).toHaveLength(300);
  await expect(idsOf(`descendantOf:${mother}:${types}`, withChildren(10_001))).rejects.toEqual(
    refused(
      'request.invalid',
      `The filter "descendantOf:${mother}" stands for more than 10000 samples. Begin at one with fewer descendants, or find those that name it directly with "rel:TYPE:${mother}".`,
    ),
  );
});
