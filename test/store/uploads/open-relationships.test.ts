/** Relationships that wait for samples still to come, through whole uploads on both stores, with workers that die. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFilesystemBlobs } from '../../../src/blobs/filesystem.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import type { Blobs } from '../../../src/submissions/blobs.js';
import type { Submission, UploadOptions } from '../../../src/submissions/submission.js';
import { verifyStore } from '../../../src/upkeep/verify.js';
import { dropSchemas, freshSchemaUrl } from '../../many-machines/postgres-schema.js';
import { PROOF } from '../../support/proof.js';
import { Random } from '../../support/random.js';
import { without } from '../../support/services.js';
import { acceptSheet, commit, undo, type World, work } from './keyed-uploads.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-open-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = [
  'Sample Name',
  'Sample Identifier',
  'Release Date',
  'Comment[bsd_relationship:derived from]',
  'Comment[bsd_relationship:child of]',
];
type Row = { name: string; id?: number; parent?: string; other?: string };
const sheetOf = (rows: readonly Row[]): string =>
  [
    HEADER,
    ...rows.map(({ name, id, parent = '', other = '' }) => [name, id ? `SAMR${id}` : '', '2020-01-01', parent, other]),
  ]
    .map((cells) => `${cells.join('\t')}\n`)
    .join('');

/** The same rows as a JSON file, each on the line that it has in the sheet. */
const itemsOf = (rows: readonly Row[]): string =>
  rows
    .map(({ name, id, parent, other }) => {
      const relationships = [
        ...(parent === undefined ? [] : [{ type: 'derived from', target: parent }]),
        // What a read shows has the sample itself as the source.
        ...(other === undefined ? [] : [{ ...(id ? { source: `SAMR${id}` } : {}), type: 'child of', target: other }]),
      ];
      const accession = id ? { accession: `SAMR${id}` } : {};
      return `\n${JSON.stringify({ name, ...accession, release: '2020-01-01', relationships })}`;
    })
    .join('');

const FORMS = { sheet: sheetOf, 'JSON file': itemsOf };

function suite(name: string, form: keyof typeof FORMS, open: (now: () => number) => Promise<Store>): void {
  const fileOf = FORMS[form];
  describe(`open relationships of a ${form} on ${name}`, () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    let store: Store;
    let blobs: Blobs;
    let number = 0;
    beforeAll(async () => {
      store = await open(() => clock.now);
      blobs = await openFilesystemBlobs(mkdtempSync(join(folder, 'blobs-')));
    });
    afterAll(() => store.close());

    const lab = (seed = 1): World => ({ store, blobs, clock, random: new Random(seed), account: `lab-${number++}` });
    const send = async (
      world: World,
      rows: readonly Row[],
      options: Partial<UploadOptions> = { relationships: 'later' },
      deadliness = 0,
    ): Promise<Submission> =>
      (await work(world, [await acceptSheet(world, fileOf(rows), options)], deadliness))[0] as Submission;
    const idsOf = async ({ id }: Submission): Promise<number[]> => {
      const ids: number[] = [];
      for await (const { created, updated, unchanged } of store.ledger(id))
        for (const [, first, count] of [...created, ...updated, ...unchanged].sort((a, b) => a[0] - b[0]))
          for (let at = 0; at < count; at++) ids.push(first + at);
      return ids;
    };
    const sampleOf = async (id: number) => (await store.readSample(id))?.sample;
    const targets = async (id: number) =>
      (await sampleOf(id))?.content.relationships.map(({ type, target }) => `${type} ${target}`);
    const waiting = async ({ account }: World) =>
      (await store.openRelationships({ account }, undefined, 100)).map(({ sample, name }) => [sample, name]);
    const warned = (submission: Submission) =>
      submission.issues.filter(({ code }) => code === 'relationship.open').map(({ lines }) => lines);

    it('keeps a relationship open until an upload brings the name, and then changes nothing more', async () => {
      const world = lab();
      const children = await send(world, [
        { name: 'child 1', parent: 'mother' },
        { name: 'child 2', parent: 'child 1', other: 'father' },
      ]);
      expect(children.counts).toMatchObject({ created: 2, rejected: 0 });
      expect(warned(children)).toEqual([[2], [3]]);
      const [one, two] = (await idsOf(children)) as [number, number];
      expect(await waiting(world)).toEqual([
        [two, 'father'],
        [one, 'mother'],
      ]);
      expect(await targets(two)).toEqual([`derived from SAMR${one}`]);
      const parents = await send(world, [{ name: 'father' }, { name: 'mother' }], {});
      expect(parents).toMatchObject({ state: 'COMPLETED', counts: { rows: 2, created: 2, updated: 0 } });
      const [father, mother] = (await idsOf(parents)) as [number, number];
      expect(await waiting(world)).toEqual([]);
      expect(await targets(one)).toEqual([`derived from SAMR${mother}`]);
      expect(await targets(two)).toEqual([`derived from SAMR${one}`, `child of SAMR${father}`]);
      expect(await sampleOf(one)).toMatchObject({ version: 2, submissionId: parents.id, account: world.account });
      const again = await send(world, [
        { name: 'child 1', id: one, parent: 'mother' },
        { name: 'child 2', id: two, parent: 'child 1', other: 'father' },
      ]);
      expect(again).toMatchObject({ counts: { unchanged: 2 }, issues: [] });
      expect((await send(world, [{ name: 'father', id: father }], {})).counts.unchanged).toBe(1);
      expect((await sampleOf(one))?.version).toBe(2);
    });

    it('completes at once what an earlier upload brought, in the order of the row', async () => {
      const world = lab();
      await send(world, [{ name: 'late' }], {});
      const [late] = await idsOf(await send(world, [{ name: 'late 2' }], {}));
      const [id] = (await idsOf(await send(world, [{ name: 'x', parent: 'to come', other: 'late 2' }]))) as [number];
      expect(await targets(id)).toEqual([`child of SAMR${late}`]);
      const [come] = await idsOf(await send(world, [{ name: 'to come' }], {}));
      expect(await targets(id)).toEqual([`derived from SAMR${come}`, `child of SAMR${late}`]);
      const again = await send(world, [{ name: 'x', id, parent: 'to come', other: 'late 2' }]);
      expect(again.counts.unchanged).toBe(1);
    });

    it('leaves a name open that two samples have, and never one of another account', async () => {
      const world = lab();
      await send(lab(), [{ name: 'shared' }], {});
      const [id] = (await idsOf(await send(world, [{ name: 'x', parent: 'shared' }]))) as [number];
      await send(world, [{ name: 'other' }], {});
      expect(await waiting(world)).toEqual([[id, 'shared']]);
      await send(world, [{ name: 'shared' }], {});
      expect(await waiting(world)).toEqual([]);
      await send(world, [{ name: 'shared' }], { duplicate: 'allow' });
      const other = await send(world, [{ name: 'y', parent: 'shared' }]);
      expect(warned(other)).toEqual([]);
      const fresh = lab();
      await send(fresh, [{ name: 'shared' }], {});
      await send(fresh, [{ name: 'shared' }], { duplicate: 'allow' });
      const doubtful = await send(fresh, [{ name: 'y', parent: 'shared' }]);
      expect(doubtful.issues[0]?.message).toContain('Several samples of yours');
      await send(fresh, [{ name: 'more' }], {});
      expect(await waiting(fresh)).toEqual([[(await idsOf(doubtful))[0], 'shared']]);
    });

    it('is refused without the option, and whole files where too much is open', async () => {
      const world = lab();
      const refused = await send(world, [{ name: 'x', parent: 'nobody' }], {});
      expect(refused.issues[0]).toMatchObject({ code: 'relationship.unknown' });
      expect(refused.issues[0]?.message).toContain('relationships=later');
      const rows = Array.from({ length: 5_001 }, (_, n) => ({ name: `s${n}`, parent: `p${n}`, other: `q${n}` }));
      const full = await send(world, rows);
      expect(full).toMatchObject({ state: 'FAILED', problem: { code: 'file.too-many-open' }, counts: { rows: 0 } });
      expect(await waiting(world)).toEqual([]);
    });

    it('a dry run writes nothing, its commit opens', async () => {
      const world = lab();
      const dry = await send(world, [{ name: 'x', parent: 'to come' }], { relationships: 'later', dryRun: true });
      expect(warned(dry)).toEqual([[2]]);
      expect(await waiting(world)).toEqual([]);
      const [done] = await work(world, [await commit(world, dry.id)], 0);
      const [id] = (await idsOf(done as Submission)) as [number];
      expect(await waiting(world)).toEqual([[id, 'to come']]);
      const again = await send(world, [{ name: 'to come' }], { dryRun: true });
      expect(again.counts.created).toBe(1);
      expect(await waiting(world)).toEqual([[id, 'to come']]);
    });

    it('is open again when the upload that completed it is undone, and gone with the one that opened it', async () => {
      const world = lab();
      const children = await send(world, [{ name: 'x', parent: 'to come' }]);
      const [id] = (await idsOf(children)) as [number];
      const first = await send(world, [{ name: 'to come' }], {});
      const [undone] = await work(world, [await undo(world, first.id)], 0);
      expect(undone).toMatchObject({ state: 'COMPLETED', counts: { rejected: 0 } });
      expect(await targets(id)).toEqual([]);
      expect(await waiting(world)).toEqual([[id, 'to come']]);
      const [come] = await idsOf(await send(world, [{ name: 'to come' }, { name: 'more' }], {}));
      expect(await targets(id)).toEqual([`derived from SAMR${come}`]);
      const fresh = lab();
      const opened = await send(fresh, [{ name: 'x', parent: 'nobody' }]);
      const [taken] = await work(fresh, [await undo(fresh, opened.id)], 0);
      expect(taken).toMatchObject({ state: 'COMPLETED', counts: { updated: 1, rejected: 0 } });
      expect(await waiting(fresh)).toEqual([]);
    });

    it('a row that says its sample anew gives up what waited; a merge keeps it', async () => {
      const world = lab();
      const [id] = (await idsOf(await send(world, [{ name: 'x', parent: 'to come' }]))) as [number];
      await send(world, [{ name: 'renamed', id }], { update: 'merge' });
      expect(await waiting(world)).toEqual([[id, 'to come']]);
      await send(world, [{ name: 'again', id }], {});
      expect(await waiting(world)).toEqual([]);
    });

    it.each(Array.from({ length: PROOF ? 12 : 2 }, (_, n) => n + 1))(
      'both at once with workers that die: each relationship is completed once (seed %i)',
      async (seed) => {
        const world = lab(seed);
        const names = Array.from({ length: 8 }, (_, n) => `p${n}`);
        const children = names.map((parent, n) => ({ name: `c${n}`, parent }));
        const both = [
          await acceptSheet(world, fileOf(children), { relationships: 'later' }),
          await acceptSheet(world, fileOf(names.map((each) => ({ name: each }))), {}),
        ];
        const [opened, brought] = (await work(world, both, 0.15)) as [Submission, Submission];
        expect([opened.counts.created, brought.counts.created]).toEqual([8, 8]);
        const [ids, parents] = [await idsOf(opened), await idsOf(brought)];
        expect(await waiting(world)).toEqual([]);
        for (const [n, id] of ids.entries()) {
          expect(await targets(id)).toEqual([`derived from SAMR${parents[n]}`]);
          expect((await sampleOf(id))?.version).toBeLessThan(3);
        }
        const [back] = await work(world, [await undo(world, both[0] as string)], 0.1);
        const others = ids.length - (back?.counts.updated ?? 0);
        expect(back?.counts.rejected).toBe(others);
      },
    );

    it('leaves a store without a fault', async () => {
      expect((await verifyStore(store, { blobs })).faults).toEqual([]);
    });
  });
}

const FILES = Object.keys(FORMS) as (keyof typeof FORMS)[];
for (const form of FILES) {
  const path = join(folder, `${form}.db`);
  suite('sqlite', form, (now) => openStore(`sqlite:${path}`, { prefix: 'SAMR', now }));
}
describe.skipIf(without('postgres'))('with PostgreSQL', { tags: 'slow' }, () => {
  afterAll(() => dropSchemas());
  for (const form of FILES) suite('postgres', form, (now) => openStore(freshSchemaUrl(), { prefix: 'SAMR', now }));
});
