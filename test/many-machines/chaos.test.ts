/**
 * Two API processes and three workers on one PostgreSQL, one Redis and one S3, while workers are killed, Redis is
 * restarted empty, PostgreSQL is restarted and the network is cut: promises 1, 2, 3, 5 and 6 of docs/architecture.md hold.
 *
 * @module-tag slow
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settledDespiteKills } from '../faults/settle.js';
import { type Answer, NotAnswered, type StatusDocument, submissionIdOf } from '../support/api-caller.js';
import { checkSubmission } from '../support/invariants.js';
import { ROOT } from '../support/output.js';
import { plainSheet } from '../support/plain-sheet.js';
import { PROOF } from '../support/proof.js';
import { Random } from '../support/random.js';
import { newSeed } from '../support/seeds.js';
import type { TestServer } from '../support/server.js';
import { lacks } from './local-process.js';
import { lacksPostgres } from './postgres-server.js';
import { Site } from './site.js';

const SUBMISSIONS = PROOF ? 200 : 10;
const FAULTS_MS = PROOF ? 120_000 : 4_000;
/** Beyond the three seconds within which a connection must be there. */
const SILENCE_MS = PROOF ? 5_000 : 3_200;
const ACCOUNTS = 10;
/** Looks a quarter of a second apart, after which a site that does not answer is taken for dead. */
const MOST_TRIES = 1_200;

interface Sent {
  id: string;
  account: number;
  rows: number;
  bad: number;
  /** Rows that update samples of an earlier submission. */
  updates: number;
}

describe.skipIf(lacks('redis-server') || lacksPostgres())('a site under attack', () => {
  let site: Site;
  const tokens: string[] = [];
  const seed = newSeed();
  const random = new Random(seed);

  beforeAll(async () => {
    if (!existsSync(join(ROOT, 'dist', 'workers', 'ingest.js')))
      throw new Error('run `npm run build` first (npm test does)');
    site = await Site.open(2, 3);
    for (let n = 0; n < ACCOUNTS; n++) tokens.push(await api().token(`lab-${n}`));
  });
  afterAll(() => site.close());

  const api = (): TestServer => random.pick(site.apis);

  /** Uploads as a good client does: the same key again until there is an answer. */
  async function upload(sheet: string, account: number): Promise<Answer> {
    const key = randomUUID();
    for (let tries = 0; ; tries++) {
      const answer = await api()
        .upload(sheet, { token: tokens[account] as string, headers: { 'idempotency-key': key } })
        .catch((error: unknown) => String(error));
      if (typeof answer !== 'string' && answer.status < 500) {
        expect([200, 201, 202], answer.text).toContain(answer.status);
        return answer;
      }
      if (tries > MOST_TRIES)
        throw new Error(`the upload finds no server: ${typeof answer === 'string' ? answer : answer.text}`);
      await pause(250);
    }
  }

  /** Small and large, with and without bad rows, with relationships; every fifth updates what an earlier one registered. */
  async function submit(n: number, sent: Sent[]): Promise<void> {
    const account = n % ACCOUNTS;
    const rows = random.chance(0.5) ? 20 + random.below(150) : 300 + random.below(4000);
    const badEvery = random.pick([0, 0, 7]);
    const sheet = { tag: `c${n}`, rows, badEvery, related: random.chance(0.3) };
    const bad = badEvery ? Math.floor(rows / badEvery) : 0;
    const id = submissionIdOf(await upload(plainSheet(sheet), account));
    sent.push({ id, account, rows, bad, updates: 0 });
    if (n % 5 === 0 && !badEvery) {
      await calmly(() => settledDespiteKills(api(), id));
      const { accessions } = await calmly(() => checkSubmission(api(), id, 0));
      const again = submissionIdOf(await upload(plainSheet({ ...sheet, accessions, note: 'second' }), account));
      sent.push({ id: again, account, rows, bad: 0, updates: rows });
    }
  }

  async function attack(): Promise<void> {
    const start = Date.now();
    const at = (share: number): Promise<void> => pause(Math.max(0, start + share * FAULTS_MS - Date.now()));
    const killer = (async () => {
      for (let n = 0; Date.now() - start < FAULTS_MS; n++) {
        await pause(2000);
        await site.killWorker(n % site.workerCount);
      }
    })();
    await at(0.2);
    await site.restartRedisEmpty();
    await at(0.35);
    site.wire.silence();
    await pause(SILENCE_MS);
    site.wire.fix();
    await at(0.65);
    await site.restartPostgres();
    await at(0.85);
    await site.restartRedisEmpty();
    await killer;
  }

  it(`ends every submission and loses, doubles and tells nothing`, async () => {
    const sent: Sent[] = [];
    const done = { yet: false };
    const work = async (): Promise<void> => {
      const attacking = attack();
      await inParallel(8, SUBMISSIONS, (n) => submit(n, sent));
      await attacking;
      for (const { id } of sent) await settledDespiteKills(api(), id);
    };
    await Promise.all([
      work().finally(() => {
        done.yet = true;
      }),
      watch(sent, done),
    ]);

    const accessions = new Set<string>();
    let created = 0;
    for (const { id, rows, bad, updates } of sent) {
      const checked = await checkSubmission(api(), id, 2);
      expect(checked.status.counts, `seed ${seed}, ${id}`).toEqual({
        rows,
        created: rows - bad - updates,
        updated: updates,
        unchanged: 0,
        rejected: bad,
      });
      if (updates > 0) continue;
      created += rows - bad;
      for (const accession of checked.accessions) if (accession) accessions.add(accession);
    }
    expect(accessions.size, 'no accession in two submissions').toBe(created);
    const [stored] = await site.postgres.ask<{ n: number }>('select count(*)::int as n from current_sample');
    expect(stored?.n, 'samples in the store').toBe(created);
    await expectPrivate(sent);
    console.log(`${sent.length} submissions, ${created} samples, seed ${seed}`);
  });

  /** Progress never goes back, and what has ended stays as it ended. */
  async function watch(sent: readonly Sent[], done: { yet: boolean }): Promise<void> {
    const last = new Map<string, Omit<StatusDocument, '_links'>>();
    while (!done.yet) {
      for (const { id } of sent.slice(-30)) {
        const before = last.get(id);
        // The links name the process that answered.
        const { _links, ...now } = await calmly(() => api().status(id));
        if (before) expect(now.counts.rows, id).toBeGreaterThanOrEqual(before.counts.rows);
        if (before?.submissionStatus.startsWith('COMPLETED')) expect(now).toEqual(before);
        last.set(id, now);
      }
      await pause(500);
    }
  }

  async function expectPrivate(sent: readonly Sent[]): Promise<void> {
    for (const { id, account } of sent.slice(0, 20)) {
      const stranger = tokens[(account + 1) % ACCOUNTS] as string;
      for (const part of ['', '/mapping', '/result', '/errors', '/original']) {
        expect((await api().get(`/submissions/${id}${part}`, { token: stranger })).status).toBe(404);
      }
    }
    const own = await api().get('/submissions?size=200', { token: tokens[3] as string });
    const mine = new Set(sent.filter(({ account }) => account === 3).map(({ id }) => id));
    const listed = [...own.text.matchAll(/"submissionId":"([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(listed)).toEqual(mine);
  }
});

/** Asks again while the site is hurt and does not answer. What an answer says is believed at once. */
async function calmly<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (!isAway(error) || tries > MOST_TRIES) throw error;
      await pause(250);
    }
  }
}

/** No connection, or a service that says itself that it cannot answer now. */
const isAway = (error: unknown): boolean =>
  (error instanceof TypeError && error.message === 'fetch failed') ||
  (error instanceof NotAnswered && error.status >= 500);

async function inParallel(width: number, count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, lane));
}
