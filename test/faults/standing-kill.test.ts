/**
 * Nights of a standing sheet while every worker is killed at its work: after each commit the registry is what the export says.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { Random } from '../support/random.js';
import { newSeed } from '../support/seeds.js';
import { startServer, type TestServer } from '../support/server.js';
import { PROOF } from '../support/services.js';
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

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { WORKERS: '2', LEASE_SECONDS: '3', ...(PROOF ? {} : SMALL_BATCHES) } });
});
afterAll(() => server.stop());

it(`${NIGHTS} nights whose workers are killed leave what the last export says (seed ${SEED})`, async () => {
  const random = new Random(SEED);
  const token = await server.token('lims');
  const options = { key: 'Barcode', standing: 'lims', missing: 'withdraw', commit: 'auto', maxMissing: '20%' };
  const lims = new Map(Array.from({ length: KEYS }, (_, key) => [key, 0]));
  const stored = new Map<number, { night: number; missing: boolean }>();
  let next = KEYS;
  let interrupted = 0;
  let met = 0;
  const settled = async (id: string): Promise<Status> => {
    if (await killAtWork(server, [id])) met++;
    await settledDespiteKills(server, id);
    const status = (await server.get(`/submissions/${id}`, { token })).json<Status>();
    interrupted += status.attempts - 1;
    return status;
  };
  let night = 0;
  for (; night < NIGHTS || met < NIGHTS; night++) {
    const broken = night > 0 && random.chance(0.15);
    const keys = [...lims.keys()].filter(() => !broken || random.chance(0.5));
    const rows = keys.map((key) => `tube ${key}\tB-${key}\t2020-01-01\t${lims.get(key)}`);
    const sheet = ['Sample Name\tBarcode\tRelease Date\tCharacteristics[night]', ...rows, ''].join('\n');
    const answer = await server.upload(sheet, { token, options });
    expect(answer.status, answer.text).toBe(202);
    const plan = await settled(submissionIdOf(answer));
    const sent = new Set(keys);
    const missing = [...stored].filter(([key, kept]) => !kept.missing && !sent.has(key)).length;
    expect(plan.standing, `night ${night}`).toMatchObject({ decision: broken ? 'STOPPED' : 'COMMITTED', missing });
    if (!broken) {
      const done = await settled(plan.standing.commit as string);
      expect(done.counts, `night ${night}`).toEqual(plan.counts);
      expect(done.standing, `night ${night}`).toEqual({ withdrawn: missing, left: 0 });
      for (const key of keys) stored.set(key, { night: lims.get(key) as number, missing: false });
      for (const [key, kept] of stored) if (!sent.has(key)) stored.set(key, { ...kept, missing: true });
    }
    for (const key of [...lims.keys()]) {
      if (random.chance(0.01)) lims.delete(key);
      else if (random.chance(0.05)) lims.set(key, night + 1);
    }
    for (let n = 0; n < 20; n++) lims.set(next++, night + 1);
  }
  for (const at of Array.from({ length: 60 }, () => random.below(next))) {
    const kept = stored.get(at);
    const answer = await server.get(`/samples/by-key/lims/B-${at}`, { token });
    expect(answer.status, `key ${at}`).toBe(kept === undefined ? 404 : 200);
    if (kept === undefined) continue;
    const sample = answer.json<{ status: string; characteristics: { night: { text: string }[] } }>();
    expect([sample.status, sample.characteristics.night], `key ${at}`).toEqual([
      kept.missing ? 'WITHDRAWN' : 'PUBLIC',
      [{ text: String(kept.night) }],
    ]);
  }
  expect(interrupted, 'kills that met work').toBeGreaterThanOrEqual(met);
  console.log(`${interrupted} kills met work in ${night} nights, seed ${SEED}`);
});
