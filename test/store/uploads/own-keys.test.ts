/** Generated sequences of uploads with keys, on both stores: one sample for each key, and as it was last sent. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFilesystemBlobs } from '../../../src/blobs/filesystem.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import type { Blobs } from '../../../src/submissions/blobs.js';
import { dropSchemas, freshSchemaUrl } from '../../many-machines/postgres-schema.js';
import { PROOF } from '../../support/proof.js';
import { Random } from '../../support/random.js';
import { newSeed } from '../../support/seeds.js';
import { without } from '../../support/services.js';
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
    const id = drawId(random, model, key);
    return {
      key,
      name: changes ? `${key} ${at} ${random.below(1000)}` : known.name,
      value: changes ? String(random.below(5)) : known.value,
      ...(id === undefined ? {} : { id }),
    };
  });
  keepApart(rows);
  const single = rows.filter(({ key }) => !repeated.includes(key));
  if (related) {
    for (const row of single) if (random.chance(0.4)) row.parent = random.pick(single).key;
  }
  for (const row of rows) if (row.parent === row.key) delete row.parent;
  if (rows.length === 0) rows.push({ key: 'B-0', name: 'B-0', value: '1' });
  const only = random.chance(0.2) ? random.pick([{ onlyUpdate: true }, { onlyCreate: true }]) : {};
  return { rows, related, options: { ...only, ...(random.chance(0.2) ? { mode: 'atomic' as const } : {}) } };
}

/** Number of the sample that a row names: mostly of none, at times of its key's or of one without a key, seldom of any. */
function drawId(random: Random, { samples, unkeyed }: Model, key: string): number | undefined {
  const keyed = [...samples.values()];
  if (random.chance(0.2))
    return (samples.get(key) ?? unkeyed.find(({ id }) => !keyed.some((kept) => kept.id === id)))?.id;
  return random.chance(0.05) ? random.pick([...keyed, { id: undefined }]).id : undefined;
}

/** Names and accessions that a file has twice are another rule's. */
function keepApart(rows: readonly Row[]): void {
  const named = new Set<string>();
  const ids = new Set<number>();
  for (const row of rows) {
    if (named.has(row.name)) row.name = `${row.name} again`;
    named.add(row.name);
    if (row.id !== undefined && ids.has(row.id)) delete row.id;
    if (row.id !== undefined) ids.add(row.id);
  }
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
  const model = new Model();
  await registerUnkeyed(world, model);
  for (let step = 0; step < 4; step++) {
    const upload = generate(world, model);
    if (world.random.chance(0.2)) await commitAsShown(world, model, upload);
    else await uploadBesideOthers(world, model, upload);
    await expectStored(world, model);
  }
  expect(await samplesOf(world)).toBe(model.registered);
}

const learned =
  ({ store, account }: World) =>
  async (key: string): Promise<number> =>
    (await store.findKey({ account, space: SPACE, key })) ?? -1;

async function registerUnkeyed(world: World, model: Model): Promise<void> {
  const rows = [1, 2].map((n) => ({ key: '', name: `plain ${n}`, value: '0' }));
  await work(world, [await accept(world, { rows, options: {}, related: false }, false)], 0);
  const ids = (await world.store.sampleIds(0, 1e6)).slice(-2);
  for (const [at, { name, value }] of rows.entries()) model.unkeyed.push({ id: ids[at] as number, name, value });
  model.registered = 2;
}

async function commitAsShown(world: World, model: Model, upload: Upload): Promise<void> {
  const dry = { ...upload, options: { ...upload.options, dryRun: true } };
  const [shown] = await work(world, [await accept(world, dry)], 0.1);
  const expected = await new Model().withSamples(model).apply(dry, learned(world));
  expect(shown?.counts).toEqual(expected);
  const [done] = await work(world, [await commit(world, shown?.id as string)], 0.1);
  expect(done?.counts).toEqual(await model.apply(upload, learned(world)));
}

/** At times with another one at once, at others undone afterwards. */
async function uploadBesideOthers(world: World, model: Model, first: Upload): Promise<void> {
  const { random } = world;
  const at = [await accept(world, first)];
  const second = random.chance(0.3) ? { ...generate(world, model), related: false } : undefined;
  if (second) {
    for (const row of second.rows) delete row.id;
    at.push(await accept(world, second));
  }
  const before = new Map(model.samples);
  const done = await work(world, at, 0.12);
  const counts = [await model.apply(first, async () => 0)];
  if (second) counts.push(await model.apply(second, async () => 0));
  for (const [key, kept] of model.samples) if (kept.id === 0) kept.id = await learned(world)(key);
  expect(done.map((each) => each.counts)).toEqual(counts);
  if (!second && random.chance(0.25)) {
    await work(world, [await undo(world, at[0] as string)], 0.1);
    model.samples = before;
  }
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
