/**
 * Nights of a standing sheet while every worker is killed at its work: after each commit the registry is what the export says.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { PROOF } from '../support/proof.js';
import { Random } from '../support/random.js';
import { newSeed } from '../support/seeds.js';
import { startServer, type TestServer } from '../support/server.js';
import { killAtWork, SMALL_BATCHES } from './kill-at-work.js';
import { settledDespiteKills } from './settle.js';

/** More of them when too few kills met work. */
const NIGHTS = PROOF ? 365 : 2;
const KEYS = PROOF ? 2_000 : 600;
const SEED = newSeed();

type Status = {
  submissionStatus: string;
  counts: { rows: number; created: number; updated: number; unchanged: number; rejected: number };
  attempts: number;
  standing: { decision: string; samples: number; missing: number; commit?: string; withdrawn?: number; left?: number };
};

/** What is stored of a key: the night that changed it last, as the last export that had it says, and whether the last of all lacks it. */
interface Kept {
  night: number;
  missing: boolean;
}

/** The tubes of which an export comes each night: key → the night that changed it last. */
class Inventory {
  readonly tubes = new Map(Array.from({ length: KEYS }, (_, key) => [key, 0]));
  /** All keys that there ever were are below it. */
  next = KEYS;

  constructor(private readonly random: Random) {}

  /** Keys of an export; of one that broke off, about half of them. */
  exported(broken: boolean): number[] {
    return [...this.tubes.keys()].filter(() => !broken || this.random.chance(0.5));
  }

  sheetOf(keys: readonly number[]): string {
    const rows = keys.map((key) => `tube ${key}\tB-${key}\t2020-01-01\t${this.tubes.get(key)}`);
    return ['Sample Name\tBarcode\tRelease Date\tCharacteristics[night]', ...rows, ''].join('\n');
  }

  /** Some tubes go, some change, and twenty come. */
  passDayAfter(night: number): void {
    for (const key of [...this.tubes.keys()]) {
      if (this.random.chance(0.01)) this.tubes.delete(key);
      else if (this.random.chance(0.05)) this.tubes.set(key, night + 1);
    }
    for (let n = 0; n < 20; n++) this.tubes.set(this.next++, night + 1);
  }
}

const OPTIONS = { key: 'Barcode', standing: 'lims', missing: 'withdraw', commit: 'auto', maxMissing: '20%' };

let server: TestServer;
let token: string;
let interrupted = 0;
let met = 0;
beforeAll(async () => {
  server = await startServer({ env: { WORKERS: '2', LEASE_SECONDS: '3', ...(PROOF ? {} : SMALL_BATCHES) } });
  token = await server.token('lims');
});
afterAll(() => server.stop());

it(`${NIGHTS} nights whose workers are killed leave what the last export says (seed ${SEED})`, async () => {
  const random = new Random(SEED);
  const lims = new Inventory(random);
  const stored = new Map<number, Kept>();
  let night = 0;
  for (; night < NIGHTS || met < NIGHTS; night++) {
    const broken = night > 0 && random.chance(0.15);
    const keys = lims.exported(broken);
    const plan = await settledWithKill(await upload(lims.sheetOf(keys)));
    const sent = new Set(keys);
    const missing = [...stored].filter(([key, kept]) => !kept.missing && !sent.has(key)).length;
    expect(plan.standing, `night ${night}`).toMatchObject({ decision: broken ? 'STOPPED' : 'COMMITTED', missing });
    if (!broken) {
      const done = await settledWithKill(plan.standing.commit as string);
      expect(done.counts, `night ${night}`).toEqual(plan.counts);
      expect(done.standing, `night ${night}`).toEqual({ withdrawn: missing, left: 0 });
      for (const key of keys) stored.set(key, { night: lims.tubes.get(key) as number, missing: false });
      for (const [key, kept] of stored) if (!sent.has(key)) stored.set(key, { ...kept, missing: true });
    }
    lims.passDayAfter(night);
  }
  for (const key of Array.from({ length: 60 }, () => random.below(lims.next))) await expectStored(key, stored.get(key));
  expect(interrupted, 'kills that met work').toBeGreaterThanOrEqual(met);
  console.log(`${interrupted} kills met work in ${night} nights, seed ${SEED}`);
});

async function upload(sheet: string): Promise<string> {
  const answer = await server.upload(sheet, { token, options: OPTIONS });
  expect(answer.status, answer.text).toBe(202);
  return submissionIdOf(answer);
}

/** The worker that holds the submission is killed, unless it ends before. */
async function settledWithKill(id: string): Promise<Status> {
  if (await killAtWork(server, [id])) met++;
  await settledDespiteKills(server, id);
  const status = (await server.get(`/submissions/${id}`, { token })).json<Status>();
  interrupted += status.attempts - 1;
  return status;
}

async function expectStored(key: number, kept: Kept | undefined): Promise<void> {
  const answer = await server.get(`/samples/by-key/lims/B-${key}`, { token });
  expect(answer.status, `key ${key}`).toBe(kept === undefined ? 404 : 200);
  if (kept === undefined) return;
  const sample = answer.json<{ status: string; characteristics: { night: { text: string }[] } }>();
  expect([sample.status, sample.characteristics.night], `key ${key}`).toEqual([
    kept.missing ? 'WITHDRAWN' : 'PUBLIC',
    [{ text: String(kept.night) }],
  ]);
}
