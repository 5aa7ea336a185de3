/**
 * One account's thousand submissions do not make another wait, and small uploads do not starve a large one.
 *
 * @module-tag slow
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBlobs } from '../../src/blobs/open.js';
import { openStore } from '../../src/store/open.js';
import { submissionIdOf } from '../support/api-caller.js';
import { plainSheet } from '../support/plain-sheet.js';
import { PROOF } from '../support/proof.js';
import { lacks, until } from './local-process.js';
import { lacksPostgres } from './postgres-server.js';
import { Site } from './site.js';
import { draft } from './store-samples.js';

const MANY = PROOF ? 1000 : 250;

describe.skipIf(lacks('redis-server') || lacksPostgres())('fairness', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.open(1, 0);
  });
  afterAll(() => site.close());

  it(`serves another account at once though ${MANY} submissions of one are queued`, async () => {
    const api = site.apis[0]!;
    const token = await api.token('modest');
    const store = await openStore(site.postgres.url(), { prefix: 'SAMR' });
    const blobs = await openBlobs(site.storage.url());
    const sheet = Buffer.from(plainSheet({ tag: 'many', rows: 20 }));
    const blobKey = randomUUID();
    await blobs.put(blobKey, Readable.from([sheet]), { maxBytes: sheet.length });
    for (let n = 0; n < MANY; n++) {
      await store.accept(draft('greedy', { lane: 'small', blobKey, fileSize: sheet.length }), { sameBytes: true });
    }
    const begun = async (account: string): Promise<number> => {
      const [row] = await site.postgres.ask<{ n: number }>(
        'select count(*)::int as n from submission s join account a on a.id = s.account where a.name = $1 and attempts > 0',
        [account],
      );
      return row?.n ?? 0;
    };
    site.addWorker();
    await until(async () => expect(await begun('greedy')).toBeGreaterThan(3));
    const before = await begun('greedy');
    const sent = Date.now();
    const answer = await api.upload(plainSheet({ tag: 'one', rows: 20 }), { token });
    console.log(
      `${MANY} wait; the other account has its result after ${Date.now() - sent} ms (wanted: begun within 2000)`,
    );
    const after = await begun('greedy');
    expect(answer.status).toBe(201);
    // The whole upload, from its first byte to its result, went through while this many others did.
    expect(after - before).toBeLessThan(100);
    expect(after).toBeLessThan(MANY);
    await blobs.close();
    await store.close();
  });

  it('ends a large upload under a stream of small ones', async () => {
    const api = site.apis[0]!;
    const [large, small] = [await api.token('large'), await api.token('small')];
    const sent = Date.now();
    const id = submissionIdOf(await api.upload(plainSheet({ tag: 'large', rows: 30_000 }), { token: large }));
    let ended = false;
    let streamed = 0;
    const stream = Array.from({ length: 4 }, async (_, lane) => {
      for (let n = 0; !ended; n++) {
        const answer = await api.upload(plainSheet({ tag: `s${lane}-${n}`, rows: 10 }), { token: small });
        expect(answer.status).toBe(201);
        streamed++;
      }
    });
    const status = await api.settled(id, large).finally(() => {
      ended = true;
    });
    console.log(`30 000 rows ended after ${Date.now() - sent} ms, under a stream of ${streamed} small uploads`);
    await Promise.all(stream);
    expect(status.counts.created).toBe(30_000);
    expect(streamed).toBeGreaterThan(3);
  });
});
