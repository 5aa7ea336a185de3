/** Generated sequences of uploads with keys, on both stores: one sample for each key, and as it was last sent. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFilesystemBlobs } from '../../src/blobs/filesystem.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import type { Blobs } from '../../src/submissions/blobs.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { Random } from '../support/random.js';
import { newSeed } from '../support/seeds.js';
import { PROOF, without } from '../support/services.js';
import { accept, commit, Model, type Row, SPACE, type Upload, undo, type World, work } from './keyed-uploads.js';

const SEQUENCES = PROOF ? 250 : 6;
const FIRST_SEED = PROOF ? newSeed() : 4711;
/** A worker died behind a row that onlyCreate refused, and the next one registered rows that refer to it. */
const FOUND = [415691192];
const folder = mkdtempSync(join(tmpdir(), 'registry-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEYS = Array.from({ length: 14 }, (_, at) => `B-${at}`);

function generate({ random }: World, model: Model): Upload {
  const keys = KEYS.filter(() => random.chance(0.5)).sort(() => random.next() - 0.5);
  const related = random.chance(0.3);
  const repeated = random.chance(0.25) && keys.length > 0 ? [random.pick(keys)] : [];
  const rows = [...keys, ...repeated].map((key, at): Row => {
    const known = model.samples.get(key);
    const changes = !known || random.chance(0.4);
    const free = model.unkeyed.find(({ id }) => ![...model.samples.values()].some((kept) => kept.id === id));
    const id = random.chance(0.2)
      ? (known ?? free)?.id
      : random.chance(0.05)
        ? random.pick([...model.samples.values(), { id: undefined }]).id
        : undefined;
    return {
      key,
      name: changes ? `${key} ${at} ${random.below(1000)}` : known.name,
      value: changes ? String(random.below(5)) : known.value,
      ...(id === undefined ? {} : { id }),
    };
  });
  const named = new Set<string>();
  const ids = new Set<number>();
  for (const row of rows) {
    // Names and accessions that a file has twice are another rule's.
    if (named.has(row.name)) row.name = `${row.name} again`;
    named.add(row.name);
    if (row.id !== undefined && ids.has(row.id)) delete row.id;
    if (row.id !== undefined) ids.add(row.id);
  }
  const single = rows.filter(({ key }) => !repeated.includes(key));
  if (related) {
    for (const row of single) if (random.chance(0.4)) row.parent = random.pick(single).key;
  }
  for (const row of rows) if (row.parent === row.key) delete row.parent;
  if (rows.length === 0) rows.push({ key: 'B-0', name: 'B-0', value: '1' });
  const only = random.chance(0.2) ? random.pick([{ onlyUpdate: true }, { onlyCreate: true }]) : {};
  return { rows, related, options: { ...only, ...(random.chance(0.2) ? { mode: 'atomic' as const } : {}) } };
}

async function expectStored({ store, account }: World, model: Model): Promise<void> {
  for (const [key, kept] of model.samples) {
    expect(await store.findKey({ account, space: SPACE, key }), key).toBe(kept.id);
    const sample = (await store.readSample(kept.id))?.sample;
    expect(sample?.name).toBe(kept.name);
    expect(sample?.content.characteristics.value).toEqual([{ text: kept.value }]);
    const parent = kept.parent === undefined ? [] : [`SAMR${model.samples.get(kept.parent)?.id}`];
    expect(sample?.content.relationships.map(({ target }) => target)).toEqual(parent);
    expect(sample?.adminStatus).toBeUndefined();
  }
  for (const key of KEYS) {
    if (!model.samples.has(key)) expect(await store.findKey({ account, space: SPACE, key }), key).toBeUndefined();
  }
}

async function samplesOf({ store, account }: World): Promise<number> {
  let count = 0;
  for (let after = 0; ; ) {
    const ids = await store.sampleIds(after, 1_000);
    if (ids.length === 0) return count;
    after = ids.at(-1) as number;
    count += [...(await store.findOwners(ids)).values()].filter((owner) => owner === account).length;
  }
}

/** Some uploads, two of them at once at times, an undo and a dry run with its commit among them. */
async function sequence(world: World): Promise<void> {
  const { random, store, account } = world;
  const model = new Model();
  const learn = async (key: string) => (await store.findKey({ account, space: SPACE, key })) ?? -1;
  const plain: Upload = {
    rows: [1, 2].map((n) => ({ key: '', name: `plain ${n}`, value: '0' })),
    options: {},
    related: false,
  };
  await work(world, [await accept(world, plain, false)], 0);
  const ids = (await store.sampleIds(0, 1e6)).slice(-2);
  for (const [at, { name, value }] of plain.rows.entries()) model.unkeyed.push({ id: ids[at] as number, name, value });
  model.registered = 2;
  for (let step = 0; step < 4; step++) {
    const first = generate(world, model);
    if (random.chance(0.2)) {
      const dry = { ...first, options: { ...first.options, dryRun: true } };
      const [shown] = await work(world, [await accept(world, dry)], 0.1);
      const expected = await new Model().withSamples(model).apply(dry, learn);
      expect(shown?.counts).toEqual(expected);
      const [done] = await work(world, [await commit(world, shown?.id as string)], 0.1);
      expect(done?.counts).toEqual(await model.apply(first, learn));
    } else {
      const at = [await accept(world, first)];
      const second = random.chance(0.3) ? { ...generate(world, model), related: false } : undefined;
      if (second) for (const row of second.rows) delete row.id;
      if (second) at.push(await accept(world, second));
      const before = new Map(model.samples);
      const done = await work(world, at, 0.12);
      const counts = [await model.apply(first, async () => 0)];
      if (second) counts.push(await model.apply(second, async () => 0));
      for (const [key, kept] of model.samples) if (kept.id === 0) kept.id = await learn(key);
      expect(done.map((each) => each.counts)).toEqual(counts);
      if (!second && random.chance(0.25)) {
        await work(world, [await undo(world, at[0] as string)], 0.1);
        model.samples = before;
      }
    }
    await expectStored(world, model);
  }
  expect(await samplesOf(world)).toBe(model.registered);
}

function sequences(name: string, open: (now: () => number) => Promise<Store>): void {
  describe(`uploads with keys on ${name}`, () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    let store: Store;
    let blobs: Blobs;
    beforeAll(async () => {
      store = await open(() => clock.now);
      blobs = await openFilesystemBlobs(mkdtempSync(join(folder, 'blobs-')));
    });
    afterAll(() => store.close());

    it.each([...FOUND, ...Array.from({ length: SEQUENCES }, (_, at) => FIRST_SEED + at)])(
      'one sample for each key, as it was last sent (seed %i)',
      (seed) => sequence({ store, blobs, clock, random: new Random(seed), account: `lab-${seed}` }),
    );
  });
}

sequences('sqlite', (now) => openStore(`sqlite:${join(folder, 'store.db')}`, { prefix: 'SAMR', now }));
describe.skipIf(without('postgres'))('with PostgreSQL', { tags: 'slow' }, () => {
  afterAll(() => dropSchemas());
  sequences('postgres', (now) => openStore(freshSchemaUrl(), { prefix: 'SAMR', now }));
});
