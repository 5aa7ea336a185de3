/**
 * Nightly exports with keys while every worker is killed at its work: one sample for each key, as it was last sent.
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
const NIGHTS = PROOF ? 40 : 2;
const KEYS = PROOF ? 3_000 : 600;
/** Keys that each night has more than the one before. */
const NEW = PROOF ? 200 : 100;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { WORKERS: '2', LEASE_SECONDS: '3', ...(PROOF ? {} : SMALL_BATCHES) } });
});
afterAll(() => server.stop());

it(`${NIGHTS} nights, two exports at once in each, leave one sample for each key`, async () => {
  const seed = newSeed();
  const random = new Random(seed);
  const token = await server.token('lims');
  const sheet = (night: number, keys: number, half: string): string => {
    const rows = Array.from({ length: keys }, (_, key) => `tube ${key}\tB-${key}\t2020-01-01\t${night}${half}`);
    for (let at = rows.length - 1; at > 0; at--) {
      const other = random.below(at + 1);
      [rows[at], rows[other]] = [rows[other] as string, rows[at] as string];
    }
    return ['Sample Name\tBarcode\tRelease Date\tCharacteristics[night]', ...rows, ''].join('\n');
  };
  let interrupted = 0;
  let met = 0;
  let created = 0;
  let keys = KEYS;
  let nights = 0;
  for (; nights < NIGHTS || met < NIGHTS; keys += NEW) {
    const night = ++nights;
    const ids: string[] = [];
    for (const half of ['a', 'b']) {
      const answer = await server.upload(sheet(night, keys, half), {
        token,
        options: { key: 'Barcode', keySpace: 'lims' },
      });
      expect(answer.status, answer.text).toBe(202);
      ids.push(submissionIdOf(answer));
    }
    for (const id of ids) {
      if (await killAtWork(server, ids)) met++;
      await settledDespiteKills(server, id);
      const { counts, attempts } = (await server.get(`/submissions/${id}`, { token })).json<{
        counts: { rows: number; created: number; rejected: number };
        attempts: number;
      }>();
      expect(counts, `seed ${seed}, night ${night}`).toMatchObject({ rows: keys, rejected: 0 });
      created += counts.created;
      interrupted += attempts - 1;
    }
  }
  const last = keys - NEW;
  expect(created, `seed ${seed}`).toBe(last);
  const all = await server.call('/samples/export?filter=account:lims', { method: 'HEAD', token });
  expect(Number(all.headers.get('samples-count'))).toBe(last);
  for (const key of [0, 1, KEYS - 1, KEYS, last - 1, random.below(last)]) {
    const { status, text } = await server.get(`/samples/by-key/lims/B-${key}`, { token });
    expect(status, text).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      name: `tube ${key}`,
      characteristics: { night: [{ text: `${nights}b` }] },
    });
  }
  expect(interrupted, `kills that met work, seed ${seed}`).toBeGreaterThanOrEqual(met);
  console.log(`${interrupted} kills met work in ${nights} nights, seed ${seed}`);
});
