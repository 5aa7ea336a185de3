/** Workers are killed at random instants of their work; nothing is lost and nothing is doubled (docs/architecture.md, what may never happen: 1, 2, 3, 5). */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { checkSubmission } from '../support/invariants.js';
import { plainSheet } from '../support/plain-sheet.js';
import { killNow } from '../support/processes.js';
import { Random } from '../support/random.js';
import { newSeed } from '../support/seeds.js';
import { startServer, type TestServer } from '../support/server.js';
import { killAtWork, SMALL_BATCHES } from './kill-at-work.js';
import { settledDespiteKills } from './settle.js';

const PROOF = process.env.PROOF === '1';
const KILLS = PROOF ? 500 : 5;
/** Rounds in which every worker is killed while one is known to work. */
const AT_WORK = PROOF ? 50 : 2;
/** Of submissions. */
const LEAST = PROOF ? 10 : 3;
const ROWS = PROOF ? 20_000 : 1_000;
const SETTINGS = PROOF ? {} : SMALL_BATCHES;

describe('workers killed at random instants', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ env: { WORKERS: '3', LEASE_SECONDS: '3', ...SETTINGS } });
  });
  afterAll(() => server.stop());

  it(`${KILLS} kills over many submissions lose nothing and double nothing`, async () => {
    const seed = newSeed();
    const random = new Random(seed);
    const { submitted, kills, met } = await submitAndKill(server, random);
    const accessions = new Set<string>();
    let created = 0;
    let interrupted = 0;
    for (const { id, rows, bad } of submitted) {
      await settledDespiteKills(server, id);
      const checked = await checkSubmission(server, id);
      expect(checked.status.counts, `seed ${seed}, ${id}`).toEqual({
        rows,
        created: rows - bad,
        updated: 0,
        unchanged: 0,
        rejected: bad,
      });
      created += checked.status.counts.created;
      interrupted += checked.status.attempts - 1;
      for (const accession of checked.accessions) if (accession) accessions.add(accession);
    }
    expect(accessions.size, 'no accession in two submissions').toBe(created);
    expect(interrupted, `kills that met work, seed ${seed}`).toBeGreaterThanOrEqual(met);
    console.log(
      `${kills} workers killed, ${interrupted} at work, over ${submitted.length} submissions of ${ROWS} rows, seed ${seed}`,
    );
  });

  it('updates in flight are applied once: every sample has exactly one new version', { tags: 'slow' }, async () => {
    const rows = PROOF ? 5_000 : 1_000;
    const first = await server.uploadAndSettle(plainSheet({ tag: 'up', rows }));
    const { accessions } = await checkSubmission(server, first.id);
    const answer = await server.upload(plainSheet({ tag: 'up', rows, accessions, note: 'second' }));
    const id = submissionIdOf(answer);
    // Before its first batch, and behind it.
    const met = [await killAtWork(server, [id]), await killAtWork(server, [id], ({ counts }) => counts.rows > 0)];
    await settledDespiteKills(server, id);
    const { status } = await checkSubmission(server, id);
    expect(status.attempts).toBe(1 + met.filter(Boolean).length);
    expect(status.counts).toMatchObject({ updated: rows, created: 0, rejected: 0 });
    for (const accession of [accessions[0], accessions[rows / 2], accessions[rows - 1]]) {
      const history = (await server.get(`/samples/${accession}/history`)).json<{ versions?: unknown[] }>();
      expect(JSON.stringify(history).match(/"version":/g)).toHaveLength(2);
    }
  });
});

interface Submitted {
  id: string;
  rows: number;
  bad: number;
}

/** Uploads new work whenever little is left, so that a kill meets workers that work. */
async function submitAndKill(
  server: TestServer,
  random: Random,
): Promise<{ submitted: Submitted[]; kills: number; met: number }> {
  const submitted: Submitted[] = [];
  let kills = 0;
  let met = 0;
  while (kills < KILLS || met < AT_WORK || submitted.length < LEAST) {
    const badEvery = random.pick([0, 97]);
    const sheet = plainSheet({ tag: `k${submitted.length}`, rows: ROWS, badEvery, related: random.chance(0.3) });
    const answer = await server.upload(sheet);
    expect(answer.status).toBe(202);
    submitted.push({ id: submissionIdOf(answer), rows: ROWS, bad: badEvery ? Math.floor(ROWS / badEvery) : 0 });
    for (let round = 0; round < 4 && (kills < KILLS || met < AT_WORK); round++) {
      await sleep(random.below(250));
      // One at any instant, then all of them while one is known to work: a worker that has just begun holds nothing yet.
      if (round % 2 === 0) kills += killNow([random.pick(server.ingestPids())]);
      else {
        const workers = server.ingestPids().length;
        if (!(await killAtWork(server, [submissionIdOf(answer)]))) break;
        met++;
        // Those that were just being started anew had not been counted; the one at work was there.
        kills += Math.max(workers, 1);
      }
    }
  }
  return { submitted, kills, met };
}
