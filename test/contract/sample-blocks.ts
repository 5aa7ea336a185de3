/** That nobody can tell how samples stand (docs/decisions/0150): in blocks, in rows, or first in one and then in the other. Over 300 lines: one list of promises, read from top to bottom. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredSample } from '../../src/registry/samples/sample.js';
import { BLOCK_BYTES } from '../../src/registry/samples/whole-result.js';
import type { Store } from '../../src/store/store.js';
import type { Claim } from '../../src/submissions/submission-store.js';
import { batchOf, claimNext, draft, named, type Row } from '../many-machines/store-samples.js';
import { PROOF } from '../support/proof.js';
import { idsOf } from './apply-batch.js';
import type { OpenStore } from './submission-store.js';
import '../support/seeds.js';

const RUNS = PROOF ? 150 : 3;
const NOW = 1_900_000_000_000;
const PAST = NOW - 1_000_000;
const FUTURE = NOW + 1_000_000;

interface Version {
  name: string;
  /** Undefined: nothing is left of it. */
  tissue: string | undefined;
  release: number;
  updated: number;
  line?: number;
}

/** A share of the samples there are, of which each `every`th is meant. */
const someArb = fc.record({
  from: fc.nat(200),
  count: fc.integer({ min: 1, max: 90 }),
  every: fc.constantFrom(1, 1, 3),
});
const stepArb = fc.oneof(
  fc.record({
    kind: fc.constant('new' as const),
    count: fc.integer({ min: 1, max: 150 }),
    odd: fc.nat(3),
    gap: fc.nat(40),
  }),
  fc.record({ kind: fc.constant('rows' as const), some: someArb, odd: fc.nat(3), twice: fc.boolean() }),
  fc.record({ kind: fc.constant('json' as const), some: someArb }),
  fc.record({ kind: fc.constant('erase' as const), some: someArb }),
);

type Some = typeof someArb extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof stepArb extends fc.Arbitrary<infer T> ? T : never;

export function sampleBlocksContract(name: string, open: OpenStore): void {
  describe(`contract of blocks of samples on ${name}`, () => {
    let store: Store;
    let clock: number;
    const start = async () => {
      clock = NOW;
      store = await open({ prefix: 'SAMR', now: () => clock });
    };
    beforeEach(start);
    afterEach(() => store.close());

    const claim = async () => {
      await store.accept(draft('ada'), { sameBytes: true });
      return await claimNext(store);
    };
    const apply = async (rows: readonly Row[], reserved?: readonly number[]) => {
      const batch = { ...batchOf(2, rows), ...(reserved ? { reserved: Float64Array.from(reserved) } : {}) };
      return (await store.applyBatch(await claim(), batch, { leaseMs: 60_000, last: true })).chunk;
    };
    const register = async (count: number) => idsOf((await apply(named(2, count))).created);
    const edit = (id: number, name: string) =>
      store.updateSample(id, ({ sample }) => ({
        kind: 'update',
        draft: { ...sample, name },
        provenance: { author: 'ada', via: 'JSON_API' },
      }));
    const tissueOf = ({ content }: Pick<StoredSample, 'content'>) => content.characteristics.tissue?.[0]?.text;
    const resultOf = (ids?: number[]) =>
      store.wholeResult(
        {
          terms: [],
          now: clock,
          annotations: false,
          withdrawn: 'too',
          reader: { account: 'root', admin: true },
          ...(ids ? { ids } : {}),
        },
        async (result) => {
          const layouts: unknown[] = [];
          let documents = 0;
          for await (const shapes of result.shapes()) {
            layouts.push(...shapes.layouts);
            documents += shapes.documents.length;
          }
          const rows = [];
          for await (const some of result.rows()) rows.push(...some);
          return { rows, count: result.count, layouts: layouts.length, documents };
        },
      );

    /** Everything that a store tells of its samples is what the model says of them. */
    const expectAll = async (model: ReadonlyMap<number, readonly Version[]>) => {
      const ids = [...model.keys()].sort((a, b) => a - b);
      const present = (id: number) => model.get(id)?.at(-1) as Version;
      const paged: number[] = [];
      for (let page = [0]; page.length > 0; ) {
        page = await store.sampleIds(page.at(-1) as number, 37);
        paged.push(...page);
      }
      expect(paged).toEqual(ids);
      for (const { sample } of await store.sampleRecords(ids)) {
        const versions = model.get(sample.id) as Version[];
        const { name, tissue, release, updated, line } = present(sample.id);
        expect(sample).toMatchObject({ name, release, updated, version: versions.length, account: 'ada' });
        expect([tissueOf(sample), sample.line]).toEqual([tissue, line]);
      }
      const { rows, count, documents } = await resultOf();
      expect([rows.map(({ id, name, release }) => [id, name, release]), count]).toEqual([
        ids.map((id) => [id, present(id).name, present(id).release]),
        ids.length,
      ]);
      expect(documents).toBe(ids.filter((id) => present(id).line === undefined).length);
      const some = ids.filter((id) => id % 3 === 0);
      expect((await resultOf(some)).rows.map(({ id }) => id)).toEqual(some);
      const visible = await store.readVisibility(ids);
      expect(ids.map((id) => visible.get(id)?.release)).toEqual(ids.map((id) => present(id).release));
      expect([...(await store.findOwners(ids)).keys()].sort((a, b) => a - b)).toEqual(ids);
      const span = await store.idSpan();
      expect(span).toEqual({ after: (ids[0] as number) - 1, upTo: ids.at(-1) });
      const origins = await store.versionOrigins(ids[0] as number, (ids.at(-1) as number) - (ids[0] as number) + 1);
      expect(origins.map(({ id, version, line }) => [id, version, line])).toEqual(
        ids.flatMap((id) => (model.get(id) as Version[]).map(({ line }, at) => [id, at + 1, line])),
      );
      expect(await store.countSamplesFromFiles()).toBe(ids.length);
      expect([await store.integrityFaults(), await store.uncheckedVersions()]).toEqual([[], 0]);
      expect((await store.damagedVersions({ id: 0, version: 0 }, 1000)).damaged).toEqual([]);
      for (const id of ids.filter((_, at) => at % 7 === 0)) {
        const versions = model.get(id) as Version[];
        expect((await store.listVersions(id)).map(({ version }) => version)).toEqual(
          versions.map((_, at) => versions.length - at),
        );
        for (const [at, { name, tissue, release, updated }] of versions.entries()) {
          const read = await store.readVersion(id, at + 1);
          expect(read).toMatchObject({ name, release, updated });
          expect(read && tissueOf(read)).toBe(tissue);
        }
        expect(await store.readVersion(id, versions.length + 1)).toBeUndefined();
      }
    };

    /** A store whose every version is known. */
    class Known {
      readonly model = new Map<number, Version[]>();
      private readonly erased = new Set<number>();
      private nth = 0;

      async take(step: Step): Promise<void> {
        clock += 1000;
        this.nth++;
        if (step.kind === 'new') return this.create(step);
        const ids = this.chosen(step.some);
        if (step.kind === 'rows') return this.rewrite(ids, step);
        if (step.kind === 'erase') return this.erase(ids.slice(0, 3));
        for (const id of ids) if (!this.erased.has(id)) await this.alone(id);
      }

      private async erase(ids: readonly number[]): Promise<void> {
        await store.eraseSamples(ids, 'root');
        for (const id of ids) {
          const { line: _, ...last } = (this.model.get(id) as Version[]).at(-1) as Version;
          if (!this.erased.has(id)) this.add(id, { ...last, updated: clock });
          const blank = (this.model.get(id) as Version[]).map((version) => ({
            ...version,
            name: '',
            tissue: undefined,
          }));
          this.model.set(id, blank);
          this.erased.add(id);
        }
      }

      private async create({ count, odd, gap }: Extract<Step, { kind: 'new' }>): Promise<void> {
        const rows = Array.from({ length: count }, (_, at) => this.row(at, odd));
        const claimed = await claim();
        const first = gap > 0 ? await store.reserve(claimed, count + gap) : undefined;
        const numbers = rows.map((_, at) => (first ?? 0) + at + (at > count / 2 ? gap : 0));
        const given = first === undefined ? {} : { reserved: Float64Array.from(numbers) };
        const batch = { ...batchOf(2, rows), ...given };
        const { chunk } = await store.applyBatch(claimed, batch, { leaseMs: 60_000, last: true });
        this.wrote(rows, idsOf(chunk.created));
      }

      private async rewrite(ids: readonly number[], { odd, twice }: Extract<Step, { kind: 'rows' }>): Promise<void> {
        const rows = ids.map((id, at) => this.row(at, odd, id));
        const again = twice ? rows.slice(0, 20).map((row) => ({ ...row, name: `${row.name}, again` })) : [];
        const { rejected } = await apply([...rows, ...again]);
        const named = [...ids, ...ids.slice(0, again.length)];
        expect(rejected.map(({ line, issues: [issue] }) => [line, issue?.code])).toEqual(
          named.flatMap((id, at) => (this.erased.has(id) ? [[2 + at, 'sample.erased']] : [])),
        );
        this.wrote([...rows, ...again], named);
      }

      private async alone(id: number): Promise<void> {
        const name = `${this.nth} alone`;
        await edit(id, name);
        const { line: _, ...last } = (this.model.get(id) as Version[]).at(-1) as Version;
        this.add(id, { ...last, name, updated: clock });
      }

      private row = (at: number, odd: number, id?: number): Row => ({
        name: `${this.nth} of ${id ?? at}`,
        cells: `Homo sapiens\t${this.nth}`,
        release: odd > 0 && at % (odd * 20) === 5 ? FUTURE : PAST,
        ...(id === undefined ? {} : { id }),
      });

      private wrote(rows: readonly Row[], ids: readonly number[]): void {
        for (const [at, id] of ids.entries()) {
          if (this.erased.has(id)) continue;
          const { name, release = PAST } = rows[at] as Row;
          this.add(id, { name, tissue: `${this.nth}`, release, updated: clock, line: 2 + at });
        }
      }

      private add(id: number, version: Version): void {
        this.model.set(id, [...(this.model.get(id) ?? []), version]);
      }

      private chosen({ from, count, every }: Some): number[] {
        const ids = [...this.model.keys()].sort((a, b) => a - b);
        const start = from % ids.length;
        return ids.slice(start, start + count).filter((_, at) => at % every === 0);
      }
    }

    it('whatever is written in whatever order, each sample and each version of it is what was written', {
      tags: name === 'sqlite' ? [] : 'slow',
    }, async () => {
      let began = false;
      await fc.assert(
        fc.asyncProperty(fc.array(stepArb, { minLength: 2, maxLength: 7 }), async (steps) => {
          if (began) {
            await store.close();
            await start();
          }
          began = true;
          const known = new Known();
          await known.take({ kind: 'new', count: 100, odd: 1, gap: 0 });
          for (const step of steps) await known.take(step);
          await expectAll(known.model);
          while ((await store.indexNext(500)).more);
          expect((await store.indexState()).lag).toBe(0);
        }),
        { numRuns: RUNS },
      );
    });

    it('keeps two hundred versions of a sample, whether with its neighbours or alone', { tags: 'slow' }, async () => {
      const ids = await register(64);
      const [one, other] = ids as [number, number];
      for (let at = 2; at <= 200; at++) {
        const among = at % 2 === 0 ? ids : ids.slice(0, 1);
        await apply(among.map((id) => ({ id, name: `version ${at}` })));
      }
      expect((await store.readSample(one))?.sample).toMatchObject({ name: 'version 200', version: 200 });
      expect((await store.readSample(other))?.sample).toMatchObject({ name: 'version 200', version: 101 });
      expect((await store.listVersions(one)).map(({ version }) => version)).toEqual(
        Array.from({ length: 200 }, (_, at) => 200 - at),
      );
      for (const version of [1, 2, 3, 150, 199]) {
        const name = version === 1 ? 'sample 2' : `version ${version}`;
        expect(await store.readVersion(one, version)).toMatchObject({ name, version });
      }
      expect(await store.readVersion(other, 101)).toMatchObject({ name: 'version 200' });
      expect(await store.integrityFaults()).toEqual([]);
      const damaged = await store.damagedVersions({ id: 0, version: 0 }, 10_000);
      expect(damaged).toEqual({ damaged: [] });
      const origins = await store.versionOrigins(one, 64);
      expect(origins).toHaveLength(200 + 63 * 101);
    });

    it('pages through earlier versions, each once', async () => {
      const ids = await register(150);
      for (const name of ['second', 'third']) await apply(ids.map((id) => ({ id, name })));
      await edit(ids[10] as number, 'alone');
      let place: { id: number; version: number } | undefined = { id: 0, version: 0 };
      let last = place;
      for (let page = 0; place !== undefined; page++) {
        expect(page).toBeLessThanOrEqual(301 / 7);
        const { next }: Awaited<ReturnType<Store['damagedVersions']>> = await store.damagedVersions(place, 7);
        if (next) {
          expect(next.id > last.id || (next.id === last.id && next.version > last.version)).toBe(true);
          last = next;
        }
        place = next;
      }
      expect(last).toEqual({ id: ids[149], version: 2 });
    });

    it('gives rows of any width as they came, beside those of others', async () => {
      const wide = (at: number) => `${at}`.repeat(40_000 + at * 1000);
      const rows = named(2, 40).map(({ name }, at) => ({ name, cells: `${at % 3 === 0 ? wide(at) : 'x'}\t${at}` }));
      const ids = idsOf((await apply(rows)).created);
      for (const [at, { sample }] of (await store.sampleRecords(ids)).entries()) {
        expect(sample.name).toBe(`sample ${at + 2}`);
        expect(sample.content.characteristics.organism?.[0]?.text === (at % 3 === 0 ? wide(at) : 'x')).toBe(true);
      }
      expect((await resultOf()).rows.map(({ doc }) => doc.length)).toEqual(rows.map(({ cells }) => cells.length));
      await store.wholeResult({ terms: [], now: clock, annotations: false }, async (result) => {
        for await (const some of result.rows()) {
          const bytes = some.slice(1).reduce((sum, { doc }) => sum + doc.length, 0);
          expect(bytes).toBeLessThanOrEqual(BLOCK_BYTES);
        }
      });
    });

    it('keeps every character, also of names and cells that are empty', async () => {
      const odd = ['a\u0000b', '\u0001', '\u00010', 'x\u001fy', '\u001e', '{"a",b}', 'NULL', '\\', ' ', '😀', "'"];
      const rows = [...odd, ...odd].map((text) => ({ name: text, cells: `\t${text}` }));
      const ids = idsOf((await apply(rows)).created);
      const empty = idsOf((await apply(Array.from({ length: 10 }, () => ({ name: '', cells: '' })))).created);
      for (const [at, { sample }] of (await store.sampleRecords(ids)).entries()) {
        expect([sample.name, tissueOf(sample)]).toEqual([odd[at % odd.length], odd[at % odd.length]]);
      }
      for (const { sample } of await store.sampleRecords(empty))
        expect([sample.name, tissueOf(sample)]).toEqual(['', undefined]);
    });

    it('shares a cell between sheets of several accounts', async () => {
      const sheets = await Promise.all(
        ['ada', 'bo', 'cy', 'ada'].map(async (account, at) => {
          await store.accept(draft(account), { sameBytes: true });
          const claimed = await claimNext(store);
          const rows = named(2, 10 + at).map(({ name }) => ({ name: `${name} of ${account}` }));
          const { chunk } = await store.applyBatch(claimed, batchOf(2, rows), { leaseMs: 60_000, last: true });
          return { account: claimed.submission.account, ids: idsOf(chunk.created), id: claimed.submission.id };
        }),
      );
      for (const { account, ids, id } of sheets) {
        for (const { sample } of await store.sampleRecords(ids))
          expect(sample).toMatchObject({ account, submissionId: id });
        expect(await store.findRewritten(id, ids[0] as number, ids.length)).toEqual([]);
      }
      const [{ ids, id } = { ids: [], id: '' }] = sheets;
      await edit(ids[3] as number, 'alone');
      expect(await store.findRewritten(id, ids[0] as number, ids.length)).toEqual([ids[3]]);
    });

    it('releases and names those of a mixed batch whose day has come', async () => {
      const rows = named(2, 60).map((row, at) => ({ ...row, release: at >= 20 && at < 40 ? NOW + 1000 : PAST }));
      const ids = idsOf((await apply(rows)).created);
      await edit(ids[25] as number, 'alone');
      while (await store.advanceChanges());
      clock = NOW + 2000;
      const from = ((await store.lastChange())?.number ?? 0) + 1;
      while (await store.advanceChanges());
      const released = (await store.readChanges(from, 100)).filter(({ type }) => type === 'released');
      expect(released.flatMap(({ first, count }) => ids.filter((id) => id >= first && id < first + count))).toEqual(
        ids.slice(20, 40),
      );
    });

    it('shows in a whole result those samples of a block that the reader may read, and whose dates are asked for', async () => {
      // In turns: public, public later, private; blocks hold all three.
      const dates = [PAST, NOW - 10, FUTURE];
      const rows = named(2, 150).map((row, at) => ({ ...row, release: dates[at % 3] as number }));
      const ids = idsOf((await apply(rows)).created);
      await edit(ids[3] as number, 'alone');
      await store.ensureAccount('bo', 1);
      const those = (...of: number[]) => ids.filter((_, at) => of.includes(at % 3));
      const asked = async (query: object) =>
        store.wholeResult({ terms: [], now: NOW, annotations: false, ...query }, async (result) => {
          const found: number[] = [];
          for await (const some of result.rows()) found.push(...some.map(({ id }) => id));
          expect(result.count).toBe(found.length);
          return found;
        });
      expect(await asked({})).toEqual(those(0, 1));
      expect(await asked({ reader: { account: 'bo', admin: false } })).toEqual(those(0, 1));
      expect(await asked({ reader: { account: 'ada', admin: false } })).toEqual(ids);
      expect(await asked({ now: NOW - 20 })).toEqual(those(0));
      expect(await asked({ now: PAST - 1 })).toEqual([]);
      // Between the earliest and the latest of a block.
      expect(await asked({ release: { from: NOW - 20, until: NOW } })).toEqual(those(1));
      expect(await asked({ release: { from: NOW } })).toEqual([]);
      expect(await asked({ ids: ids.slice(0, 6) })).toEqual(those(0, 1).slice(0, 4));
    });

    it('lets those who change samples of one block change them one after the other', async () => {
      const ids = await register(64);
      const WRITERS = 4;
      const EACH = PROOF ? 25 : 4;
      const wrote = new Map(ids.map((id) => [id, 0]));
      const claims: Claim[] = [];
      for (let at = 0; at < WRITERS * EACH; at++) claims.push(await claim());
      const count = (some: readonly number[]) => {
        for (const id of some) wrote.set(id, (wrote.get(id) as number) + 1);
      };
      const bySheet = async (writer: number) => {
        for (let at = 0; at < EACH; at++) {
          const some = ids.slice(writer * 4, 40 + writer * 4);
          const rows = some.map((id) => ({ id, name: `${writer} ${at}` }));
          const claimed = claims.pop();
          if (claimed === undefined) throw new Error('there is a claim for each batch');
          const { chunk } = await store.applyBatch(claimed, batchOf(2, rows), { leaseMs: 60_000, last: true });
          expect(idsOf(chunk.updated)).toEqual(some);
          count(some);
        }
      };
      const alone = async (writer: number) => {
        for (let at = 0; at < EACH; at++) {
          const id = ids[(writer + at * 5) % 20] as number;
          await edit(id, `alone ${writer} ${at}`);
          count([id]);
        }
      };
      await Promise.all(Array.from({ length: WRITERS }, (_, at) => [bySheet(at), alone(at)]).flat());
      for (const { sample } of await store.sampleRecords(ids)) {
        expect(sample.version).toBe(1 + (wrote.get(sample.id) as number));
        const versions = await store.listVersions(sample.id);
        expect(versions.map(({ version }) => version)).toEqual(versions.map((_, at) => sample.version - at));
        expect(versions).toHaveLength(sample.version);
      }
      expect(await store.integrityFaults()).toEqual([]);
    });
  });
}
