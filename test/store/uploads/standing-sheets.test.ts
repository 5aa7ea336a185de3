/** Nights of a LIMS on both stores: after each commit the registry equals the export, and broken exports change nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFilesystemBlobs } from '../../../src/blobs/filesystem.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import type { Blobs } from '../../../src/submissions/blobs.js';
import { decideStanding } from '../../../src/submissions/standing/standing.js';
import type { Submission, UploadOptions } from '../../../src/submissions/submission.js';
import { dropSchemas, freshSchemaUrl } from '../../many-machines/postgres-schema.js';
import { PROOF } from '../../support/proof.js';
import { Random } from '../../support/random.js';
import { newSeed } from '../../support/seeds.js';
import { without } from '../../support/services.js';
import { accept, commit, type Row, SPACE, undo, type World, work } from './keyed-uploads.js';

const NIGHTS = PROOF ? 365 : 6;
const SEED = PROOF ? newSeed() : 4711;
const folder = mkdtempSync(join(tmpdir(), 'registry-standing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STANDING = {
  standing: SPACE,
  missing: 'withdraw',
  commit: 'auto',
  maxMissing: '20%',
  maxChanges: '60%',
} as const;

/** What the registry must have: by key, the row as it was last committed, and whether it is missing now. */
type Model = Map<string, { row: Row; missing: boolean }>;

const rowOf = (key: string, { random }: World): Row => ({
  key,
  name: `${key} ${random.below(1000)}`,
  value: String(random.below(9)),
});

/** The LIMS's own table on the next day. */
function nextDay(lims: Map<string, Row>, world: World, made: { keys: number }): void {
  const { random } = world;
  for (const key of [...lims.keys()]) {
    if (random.chance(0.03)) lims.delete(key);
    else if (random.chance(0.2)) {
      const renamed = { ...rowOf(key, world), value: lims.get(key)?.value as string };
      lims.set(key, random.pick([renamed, rowOf(key, world)]));
    }
  }
  for (let n = random.below(4); n > 0; n--) {
    const again = random.chance(0.4) && made.keys > 0 ? `B-${random.below(made.keys)}` : `B-${made.keys++}`;
    if (!lims.has(again)) lims.set(again, rowOf(again, world));
  }
}

async function expectStored({ store, account }: World, model: Model): Promise<void> {
  for (const [key, { row, missing }] of model) {
    const id = (await store.findKey({ account, space: SPACE, key })) as number;
    const sample = (await store.readSample(id))?.sample;
    expect([key, sample?.name, sample?.adminStatus]).toEqual([key, row.name, missing ? 'MISSING' : undefined]);
    expect(sample?.content.characteristics.value, key).toEqual([{ text: row.value }]);
  }
}

/** Sends an export; answers the plan and its commit, where it carried itself out. */
async function night(
  world: World,
  rows: Row[],
  deadliness: number,
  more: { bad?: ReadonlySet<string>; options?: Partial<UploadOptions> } = {},
): Promise<{ plan: Submission; done?: Submission | undefined }> {
  const { bad, options } = more;
  const upload = { rows, related: false, options: { ...STANDING, ...options }, ...(bad ? { bad } : {}) };
  const [plan] = (await work(world, [await accept(world, upload)], deadliness)) as [Submission];
  const id = plan.standing?.commit;
  return { plan, done: id === undefined ? undefined : (await work(world, [id], deadliness))[0] };
}

function learn(model: Model, rows: readonly Row[], bad: ReadonlySet<string>): void {
  const sent = new Set(rows.map(({ key }) => key));
  for (const row of rows) if (!bad.has(row.key)) model.set(row.key, { row, missing: false });
  for (const [key, kept] of model) if (!sent.has(key)) model.set(key, { ...kept, missing: true });
}

async function nights(world: World): Promise<void> {
  const { random } = world;
  const made = { keys: 0 };
  const lims = new Map<string, Row>();
  for (let n = 0; n < 20; n++) lims.set(`B-${made.keys}`, rowOf(`B-${made.keys++}`, world));
  const model: Model = new Map();
  for (let n = 0; n < NIGHTS; n++) {
    const whole = [...lims.values()].sort(() => random.next() - 0.5);
    const broken = n > 0 && random.chance(0.2);
    const rows = broken ? whole.slice(0, Math.floor(whole.length * random.pick([0, 0.3, 0.5]))) : whole;
    // Keys that the registry does not have yet are not missing when their row is refused.
    const bad = new Set(rows.flatMap(({ key }) => (random.chance(0.03) ? [key] : [])));
    const sent = new Set(rows.map(({ key }) => key));
    const before = [...model].filter(([key, { missing }]) => !missing || sent.has(key)).length;
    const missing = [...model].filter(([key, kept]) => !kept.missing && !sent.has(key)).length;
    if (rows.length === 0) {
      await expect(night(world, rows, 0)).rejects.toThrow(/no sample rows/);
      await expectStored(world, model);
      continue;
    }
    const { plan, done } = await night(world, rows, 0.05, { bad });
    expect(plan.standing).toMatchObject({ samples: before, missing });
    // A line for the header, each row, each missing sample and the end: none for what earlier nights withdrew.
    expect(plan.cursor).toBe(1 + rows.length + missing + 1);
    const { created, updated } = plan.counts;
    const stops =
      missing > Math.floor(before * 0.2) ||
      (before > 0 && created + updated > Math.floor(before * 0.6)) ||
      plan.counts.rejected === rows.length;
    expect(done === undefined, plan.standing?.message).toBe(stops);
    if (broken) expect(stops).toBe(true);
    if (done) {
      expect(done.counts).toEqual(plan.counts);
      expect(done.standing).toEqual({ withdrawn: missing, left: 0 });
      learn(model, rows, bad);
    } else expect(plan.standing).toMatchObject({ decision: 'STOPPED' });
    await expectStored(world, model);
    nextDay(lims, world, made);
  }
}

function suite(name: string, open: (now: () => number) => Promise<Store>): void {
  describe(`standing sheets on ${name}`, () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    let store: Store;
    let blobs: Blobs;
    beforeAll(async () => {
      store = await open(() => clock.now);
      blobs = await openFilesystemBlobs(mkdtempSync(join(folder, 'blobs-')));
    });
    afterAll(() => store.close());
    let labs = 0;
    const world = (): World => ({ store, blobs, clock, random: new Random(SEED), account: `lab-${++labs}` });
    const rows = (of: World, count: number) => Array.from({ length: count }, (_, at) => rowOf(`B-${at}`, of));

    it(
      `equal their export after each of ${NIGHTS} nights, whoever is killed, and broken ones change nothing (seed ${SEED})`,
      () => nights(world()),
      PROOF ? 3_600_000 : undefined,
    );

    it('wait for a commit by hand, which may override a ceiling and can be undone', async () => {
      const lab = world();
      const all = rows(lab, 8);
      const first = await night(lab, all, 0, { options: { commit: 'hand' } });
      expect([first.plan.standing?.decision, first.done]).toEqual(['WAITING', undefined]);
      await work(lab, [await commit(lab, first.plan.id)], 0);
      const half = await night(lab, all.slice(0, 4), 0);
      expect(half.plan.standing).toMatchObject({ decision: 'STOPPED', samples: 8, missing: 4 });
      expect(half.plan.standing?.message).toMatch(/4 samples are missing .* maxMissing=20% allows 1 of 8/);
      const [done] = await work(lab, [await commit(lab, half.plan.id)], 0);
      expect([done?.standing, done?.counts]).toMatchObject([
        { withdrawn: 4, left: 0 },
        { rows: 4, unchanged: 4 },
      ]);
      const missing = new Map(all.map((row, at) => [row.key, { row, missing: at >= 4 }]));
      await expectStored(lab, missing);
      const back = await undo(lab, done?.id as string);
      await work(lab, [back], 0);
      await expectStored(lab, new Map(all.map((row) => [row.key, { row, missing: false }])));
      const both = [half.plan, done as Submission];
      expect(await store.findFollowUps(both, 'commit')).toEqual(new Map([[half.plan.id, done?.id]]));
      expect(await store.findFollowUps(both, 'undo')).toEqual(new Map([[done?.id, back]]));
      expect(await store.findFollowUps([], 'undo')).toEqual(new Map());
    });

    it('report what is missing and withdraw nothing where that was not asked for', async () => {
      const lab = world();
      const all = rows(lab, 20);
      await night(lab, all, 0);
      const { plan, done } = await night(lab, all.slice(1), 0, { options: { missing: 'report' } });
      expect([plan.standing?.missing, done?.standing]).toEqual([1, undefined]);
      expect(done?.state).toBe('COMPLETED');
      await expectStored(lab, new Map(all.map((row) => [row.key, { row, missing: false }])));
    });

    it('leave a missing sample that was changed after the plan, and a withdrawal that was made by hand', async () => {
      const lab = world();
      const all = rows(lab, 20);
      await night(lab, all, 0);
      const idOf = async (key: string) => (await store.findKey({ account: lab.account, space: SPACE, key })) as number;
      const change = async (key: string, adminStatus: 'WITHDRAWN' | null) =>
        store.updateSample(await idOf(key), ({ sample: { content, release } }) => ({
          kind: 'update',
          draft: { name: 'by hand', release, content },
          provenance: { author: lab.account, via: 'JSON_API' },
          adminStatus,
        }));
      const { plan } = await night(lab, all.slice(2), 0, { options: { commit: 'hand' } });
      await change('B-0', null);
      const [done] = await work(lab, [await commit(lab, plan.id)], 0);
      expect(done?.standing).toEqual({ withdrawn: 1, left: 1 });
      await change('B-5', 'WITHDRAWN');
      const next = await night(lab, all, 0);
      expect(next.done?.counts).toMatchObject({ updated: 3 });
      const statuses = await Promise.all(
        ['B-0', 'B-1', 'B-5'].map(async (key) => (await store.readSample(await idOf(key)))?.sample.adminStatus),
      );
      expect(statuses).toEqual([undefined, undefined, 'WITHDRAWN']);
    });

    it('withdraw nothing by themselves while refused rows say no key', async () => {
      const lab = world();
      const all = rows(lab, 20);
      await night(lab, all, 0);
      const keyless = all.map((row, at) => (at === 0 ? { ...row, key: '' } : row));
      const { plan } = await night(lab, keyless, 0);
      expect(plan.standing).toMatchObject({ decision: 'STOPPED', missing: 1 });
      expect(plan.standing?.message).toContain('1 refused rows have no key');
    });
  });
}

describe('ceilings', () => {
  const counts = { rows: 100, created: 0, updated: 10, unchanged: 90, rejected: 0 };
  const decided = (options: Partial<UploadOptions>, planned: object = {}) =>
    decideStanding(
      { id: 'x', options: { standing: 's', commit: 'auto', ...options } as UploadOptions },
      { counts, samples: 100, missing: 0, unkeyed: 0, ...planned },
    ).decision;

  it.each([
    [{}, { missing: 10 }, 'COMMITTED'],
    [{}, { missing: 11 }, 'STOPPED'],
    [{ maxMissing: '0' }, { missing: 1 }, 'STOPPED'],
    [{ maxMissing: '100%' }, { missing: 100 }, 'COMMITTED'],
    [{ maxMissing: '0.5%' }, { missing: 1 }, 'STOPPED'],
    [{ maxChanges: '10' }, {}, 'COMMITTED'],
    [{ maxChanges: '9' }, {}, 'STOPPED'],
    [{ maxChanges: '9%' }, {}, 'STOPPED'],
    [{ maxChanges: '9%' }, { samples: 0 }, 'COMMITTED'],
    [{ maxChanges: '9' }, { samples: 0 }, 'STOPPED'],
    [{ commit: 'hand' }, {}, 'WAITING'],
    [{ commit: 'hand' }, { missing: 50 }, 'STOPPED'],
    [{}, { counts: { rows: 2, created: 0, updated: 0, unchanged: 0, rejected: 2 } }, 'STOPPED'],
  ] as const)('%o with %o: %s', (options, planned, decision) => {
    expect(decided(options, planned)).toBe(decision);
  });
});

suite('sqlite', (now) => openStore(`sqlite:${join(folder, 'store.db')}`, { prefix: 'SAMR', now }));
describe.skipIf(without('postgres'))('with PostgreSQL', { tags: 'slow' }, () => {
  afterAll(() => dropSchemas());
  suite('postgres', (now) => openStore(freshSchemaUrl(), { prefix: 'SAMR', now }));
});
