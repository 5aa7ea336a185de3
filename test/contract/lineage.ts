/** What src/registry/lineage/lineage.ts and lineage-filter.ts promise, on any adapter, against a model that knows all samples. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Lineage } from '../../src/registry/lineage/lineage.js';
import { DIRECTIONS, type Direction } from '../../src/registry/lineage/lineage-walk.js';
import type { Caller } from '../../src/registry/permissions.js';
import { DESCENT_TYPES } from '../../src/registry/samples/relationship-types.js';
import { emptyContent, type Relationship } from '../../src/registry/samples/sample.js';
import { searchQuery } from '../../src/registry/search/sample-search.js';
import type { Store } from '../../src/store/store.js';
import { curationLink } from '../many-machines/store-samples.js';
import { PROOF } from '../support/proof.js';
import { type Family, type Kind, ModelLineage } from './lineage-model.js';
import type { OpenStore } from './submission-store.js';
import '../support/seeds.js';

const RUNS = PROOF ? 200 : 2;
const NOW = 1_700_000_000_000;
const MOST = 12;
const TYPES = [...DESCENT_TYPES, 'DERIVED_FROM', 'has member', 'kept beside'];
const CALLERS: (Caller | undefined)[] = [
  undefined,
  { account: 'ada', admin: false, scopes: ['read'] },
  { account: 'root', admin: true, scopes: ['read'] },
];

/** A relationship that sample `of` states: with `other`, a sample by place; absent: one of another registry. */
const statementArb = fc.record({
  of: fc.nat(MOST - 1),
  other: fc.oneof({ weight: 8, arbitrary: fc.nat(MOST - 1) }, { weight: 1, arbitrary: fc.constant(undefined) }),
  type: fc.constantFrom(...TYPES),
  asSource: fc.boolean(),
  /** Says it of two other samples: no link of its own. */
  third: fc.option(fc.nat(MOST - 1), { freq: 8, nil: undefined }),
});
const familyArb = fc.record({
  kinds: fc.array(fc.constantFrom<Kind>('public', 'public', 'public', 'private', 'withdrawn'), {
    minLength: MOST,
    maxLength: MOST,
  }),
  accounts: fc.array(fc.constantFrom('ada', 'bo'), { minLength: MOST, maxLength: MOST }),
  statements: fc.array(statementArb, { minLength: 4, maxLength: 24 }),
  /** Each of the samples comes from the one before, or the other way round: a walk asks for some of them ahead. */
  line: fc.constantFrom(undefined, 1, -1),
  curated: fc.array(statementArb, { maxLength: 3 }),
  indexed: fc.nat(2 * MOST),
});
type Plan = typeof familyArb extends fc.Arbitrary<infer T> ? T : never;
type PlannedStatement = typeof statementArb extends fc.Arbitrary<infer T> ? T : never;
const askedArb = fc.record({
  caller: fc.constantFrom(...CALLERS),
  depth: fc.constantFrom(1, 2, 100),
  directions: fc.constantFrom<readonly Direction[]>(DIRECTIONS, ['ancestors'], ['descendants']),
  types: fc.constantFrom<readonly string[]>(DESCENT_TYPES, ['has member', 'derived from'], ['Kept_Beside']),
});

const lineOf = (step: 1 | -1): PlannedStatement[] =>
  Array.from({ length: MOST - 1 }, (_, at) => {
    const [of, other] = step === 1 ? [at + 1, at] : [at, at + 1];
    return { of, other, type: 'derived from', asSource: true, third: undefined };
  });

export function lineageContract(name: string, open: OpenStore): void {
  describe(`lineage contract on ${name}`, () => {
    let store: Store;
    let lineage: Lineage;
    let families = 0;
    beforeEach(async () => {
      store = await open({ prefix: 'SAMR', now: () => NOW });
      lineage = new Lineage(store, { prefix: 'SAMR', now: () => NOW });
    });
    afterEach(() => store.close());

    const create = async (account = 'ada') => {
      const draft = { name: 's', release: NOW - 1000, content: emptyContent() };
      return (await store.createSample({ draft, account, author: account, via: 'JSON_API', placeholder: false })).id;
    };
    const state = (id: number, relationships: Relationship[], kind: Kind = 'public') =>
      store.updateSample(id, ({ sample }) => ({
        kind: 'update',
        draft: {
          ...sample,
          release: kind === 'private' ? NOW + 60_000 : sample.release,
          content: { ...sample.content, relationships },
        },
        provenance: { author: 'root', via: 'JSON_API' },
        ...(kind === 'withdrawn' ? { adminStatus: 'KILLED' as const } : {}),
      }));
    /** Writes a family; some of it is in the index afterwards, the rest waits. */
    const write = async ({ kinds, accounts, statements: drawn, line, curated, indexed }: Plan): Promise<Family> => {
      const statements = [...drawn, ...(line === undefined ? [] : lineOf(line))];
      const accessions: string[] = [];
      const elsewhere = `SAMEA${++families}`;
      for (const account of accounts) accessions.push(`SAMR${await create(account)}`);
      const relationshipOf = ({ of, other, type, asSource, third }: PlannedStatement): Relationship => {
        const own = accessions[third ?? of] as string;
        const there = other === undefined ? elsewhere : (accessions[other] as string);
        // A blank source is the sample itself.
        if (asSource) return third === undefined ? { type, target: there } : { source: own, type, target: there };
        return { source: there, type, target: own };
      };
      const family: Family = { samples: new Map(), elsewhere };
      for (const [at, accession] of accessions.entries()) {
        const own = statements.filter(({ of }) => of === at).map(relationshipOf);
        const added = curated.filter(({ of }) => of === at).map(relationshipOf);
        const kind = kinds[at] as Kind;
        await state(Number(accession.slice(4)), own, kind);
        for (const [nth, relationship] of added.entries()) {
          const link = curationLink(`l${accession}${nth}`, { relationshipsPost: [relationship] });
          await store.addCurationLink(Number(accession.slice(4)), { ...link, created: NOW + nth });
        }
        family.samples.set(accession, { account: accounts[at] as string, kind, relationships: [...own, ...added] });
      }
      await store.indexNext(indexed);
      return family;
    };

    it('shows what a model of all samples shows each caller, whatever circles there are', {
      tags: name === 'sqlite' ? [] : 'slow',
    }, async () => {
      await fc.assert(
        fc.asyncProperty(familyArb, fc.array(askedArb, { minLength: 4, maxLength: 6 }), async (plan, questions) => {
          const family = await write(plan);
          for (const { caller, depth, directions, types } of questions) {
            const model = new ModelLineage(family, caller, types);
            for (const accession of family.samples.keys()) {
              if (!model.mayRead(accession)) {
                await expect(
                  lineage.graph({ accession, types, directions, depth, nodes: 1000 }, caller),
                ).rejects.toMatchObject({ code: 'sample.private' });
                continue;
              }
              const graph = await lineage.graph({ accession, types, directions, depth, nodes: 1000 }, caller);
              expect(shown(graph)).toEqual(model.graph(accession, directions, depth));
            }
          }
        }),
        { numRuns: RUNS },
      );
    });

    it('finds by descendantOf and ancestorOf what the whole graph shows, and nothing behind what the caller may not read', {
      tags: 'slow',
    }, async () => {
      await fc.assert(
        fc.asyncProperty(familyArb, fc.constantFrom(...CALLERS), async (plan, caller) => {
          const family = await write(plan);
          const model = new ModelLineage(family, caller, DESCENT_TYPES);
          for (const accession of [...family.samples.keys(), family.elsewhere]) {
            for (const [filter, direction] of [
              ['descendantOf', 'descendants'],
              ['ancestorOf', 'ancestors'],
            ] as const) {
              const filters = [`${filter}:${accession}`, 'status:any'];
              const { query } = await searchQuery(store, { prefix: 'SAMR', now: NOW }, { filters }, caller);
              const { ids } = await store.findSamples({ ...query, size: 100 }, {});
              expect(ids.map((id) => `SAMR${id}`).sort(), `${filter} ${accession}`).toEqual(
                model.below(accession, direction),
              );
            }
          }
        }),
        { numRuns: RUNS },
      );
    });

    it('says nothing of more where what is a step further is a sample of the graph under another accession', async () => {
      const [start, parent, same] = [await create(), await create(), await create()];
      await state(start, [{ type: 'derived from', target: `SAMR${parent}` }]);
      await state(parent, [{ type: 'derived from', target: `SAMR${same}` }]);
      await state(same, [{ type: 'same as', target: `SAMR${parent}` }]);
      const asked = { accession: `SAMR${start}`, types: DESCENT_TYPES, directions: DIRECTIONS, depth: 1, nodes: 9 };
      const graph = await lineage.graph(asked, undefined);
      expect(shown(graph).nodes.map(({ ancestor, more }) => ({ ancestor, more }))).toEqual([
        { ancestor: 0, more: [] },
        { ancestor: 1, more: [] },
        { ancestor: 1, more: [] },
      ]);
      expect(graph.cut).toBeUndefined();
      await state(same, [
        { type: 'same as', target: `SAMR${parent}` },
        { type: 'derived from', target: `SAMR${await create()}` },
      ]);
      const further = shown(await lineage.graph(asked, undefined));
      expect(further.nodes.filter(({ more }) => more.length > 0).map((node) => node.accession)).toEqual([
        `SAMR${same}`,
      ]);
    });

    it('ends at a number of nodes, says where there are more, and keeps room for both directions', async () => {
      const root = await create();
      const children: number[] = [];
      for (let at = 0; at < 30; at++) {
        const child = await create();
        await state(child, [{ type: 'derived from', target: `SAMR${root}` }]);
        children.push(child);
      }
      const parents: string[] = [];
      for (let at = 0; at < 10; at++) parents.push(`SAMR${await create()}`);
      await state(
        root,
        parents.map((target) => ({ type: 'child of', target })),
      );
      const accession = `SAMR${root}`;
      const asked = { accession, types: DESCENT_TYPES, directions: DIRECTIONS, depth: 5 };
      const graph = await lineage.graph({ ...asked, nodes: 10 }, undefined);
      expect(graph.nodes).toHaveLength(10);
      expect(graph.nodes.filter(({ ancestor }) => ancestor === 1)).toHaveLength(4);
      expect(graph.nodes.filter(({ descendant }) => descendant === 1)).toHaveLength(5);
      expect(graph.nodes.find((node) => node.accession === accession)?.more).toEqual(['ancestors', 'descendants']);
      expect(graph.cut?.map(({ direction, reason }) => [direction, reason])).toEqual([
        ['ancestors', 'nodes'],
        ['descendants', 'nodes'],
      ]);
      expect(graph.cut?.[1]?.message).toContain(`filter=descendantOf:${accession}`);
      const whole = await lineage.graph({ ...asked, nodes: 1000 }, undefined);
      expect(whole.nodes).toHaveLength(41);
      expect(whole.cut).toBeUndefined();
    });

    it('reads contents up to a number of bytes, and one at least', async () => {
      const ids = [await create(), await create(), await create()];
      for (const id of ids) await state(id, [{ type: 'note', target: 'x'.repeat(1_000) }]);
      expect((await store.readContents(ids, 1)).read).toBe(1);
      const two = await store.readContents([ids[2] as number, 999_999, ids[0] as number, ids[1] as number], 2_500);
      expect(two.read).toBe(3);
      expect(two.records.map(({ sample }) => sample.id)).toEqual([ids[2], ids[0]]);
      expect((await store.readContents([], 1)).read).toBe(0);
    });

    it('reads samples up to a number of bytes, structured data among them, and one at least', async () => {
      const ids = [await create(), await create(), await create(), await create()] as [number, number, number, number];
      for (const id of ids.slice(0, 3)) await state(id, [{ type: 'note', target: 'x'.repeat(1_000) }]);
      const read = async (asked: readonly number[], bytes: number): Promise<number[]> => {
        const { records, read } = await store.readSamplesWithin(asked, bytes);
        return [read, ...records.map(({ sample }) => sample.id)];
      };
      expect(await read(ids, 1)).toEqual([1, ids[0]]);
      expect(await read([ids[2], 999_999, ids[0], ids[1]], 2_500)).toEqual([3, ids[2], ids[0]]);
      expect(await read([], 1)).toEqual([0]);
      const table = {
        domain: null,
        account: 'ada',
        type: 'AMR',
        schema: null,
        content: [{ a: { value: 'y'.repeat(2_000), iri: null } }],
      };
      await store.putStructuredData(ids[3], 'ada', [{ ...table, created: 1, updated: 1 }], 1);
      expect(await read([ids[0], ids[3], ids[1]], 2_500)).toEqual([1, ids[0]]);
      const { records } = await store.readSamplesWithin([ids[3], ids[0], ids[1]], 3_500);
      expect(records.map(({ structuredData }) => structuredData.length)).toEqual([1, 0]);
    });
  });
}

const shown = ({ nodes, edges, outside = [] }: Awaited<ReturnType<Lineage['graph']>>) => ({
  nodes: nodes
    .map(({ accession, ancestor, descendant, more = [] }) => ({ accession, ancestor, descendant, more }))
    .sort((a, b) => a.accession.localeCompare(b.accession)),
  edges: edges.map(({ source, type, target }) => `${source} ${plain(type)} ${target}`).sort(),
  outside: outside.map(({ source, type, target }) => `${source} ${plain(type)} ${target}`).sort(),
});

const plain = (type: string): string => type.toLowerCase().replace(/[ _]/g, '');
