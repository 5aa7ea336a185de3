/** A registry moves from SQLite to PostgreSQL: everything arrives as it was, and work goes on where it stood. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { migrateStore } from '../../src/store/migrate-store.js';
import { openStore } from '../../src/store/open.js';
import { PostgresDatabase } from '../../src/store/postgres/database.js';
import Database from '../../src/store/sqlite/driver.js';
import type { Store } from '../../src/store/store.js';
import type { Claim } from '../../src/submissions/submission-store.js';
import { PROOF } from '../support/proof.js';
import { without } from '../support/services.js';
import { dropSchemas, freshSchemaUrl } from './postgres-schema.js';
import { batchOf, claimNext, draft, named } from './store-samples.js';

const OPTIONS = { prefix: 'SAMR' };
const LEASE = { leaseMs: 60_000, last: false };
const SAMPLES = PROOF ? 1_000_000 : 2_000;
const LOT = PROOF ? 1_000 : 500;

describe.skipIf(without('postgres'))('moving a store', () => {
  let folder: string;
  let from: string;
  let to: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-move-'));
    from = `sqlite:${join(folder, 'registry.db')}`;
    to = freshSchemaUrl();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  afterAll(() => dropSchemas());

  it(`brings ${SAMPLES} samples with everything about them, and goes on`, async () => {
    const source = await openStore(from, OPTIONS);
    const { running, waiting } = await fill(source);
    const before = await everything(source);
    await source.close();

    const began = Date.now();
    const report = await migrateStore(from, to, OPTIONS);
    console.log(`${report.samples} samples moved and verified in ${Date.now() - began} ms`);
    expect(report.samples).toBe(SAMPLES + 1);

    const target = await openStore(to, OPTIONS);
    expect(await everything(target)).toEqual(before);

    // The running submission goes on at its cursor, the waiting one keeps its place, numbers go on.
    await target.releaseWorker('w', { maxAttempts: 3, outsideMs: 3_600_000 });
    const claim = (await target.claimNext({
      lane: 'large',
      worker: 'x',
      leaseMs: 60_000,
      maxAttempts: 3,
      outsideMs: 3_600_000,
    })) as Claim;
    expect([running, waiting]).toContain(claim.submission.id);
    const made = await target.createSample({
      draft: { name: 'new', release: 0, content: emptyContent() },
      account: 'ada',
      author: 'ada',
      via: 'JSON_API',
      placeholder: false,
    });
    expect(made.id).toBeGreaterThan(SAMPLES + 1);
    const again = await target.accept(draft('bo', { sha256: 'same' }), { sameBytes: true });
    expect(again.kind).toBe('replayed');
    const fresh = await target.accept(draft('bo'), { sameBytes: true });
    expect((await target.list({ size: 1 })).map(({ id }) => id)).toEqual([fresh.submission.id]);
    let left = Number.POSITIVE_INFINITY;
    while (left > 0) {
      await target.indexNext(10_000);
      left = (await target.indexState()).lag;
    }
    const { records } = await target.search({ terms: [['wodd']], now: Date.now(), size: 5 }, {});
    expect(records.map(({ sample }) => sample.name)).toEqual(['odd \u0000\u0001\u001f name']);
    await target.close();
  });

  it('refuses a target that holds something, and a source that is in use', { tags: 'slow' }, async () => {
    const source = await openStore(from, OPTIONS);
    await source.ensureAccount('ada', 1);
    await source.close();
    const target = await openStore(to, OPTIONS);
    await target.ensureAccount('bo', 1);
    await target.close();
    await expect(migrateStore(from, to, OPTIONS)).rejects.toMatchObject({ code: 'conflict' });
    // One that waits for its next write: it would acknowledge it to a store that is left behind.
    const service = await openStore(from, OPTIONS);
    await expect(migrateStore(from, freshSchemaUrl(), OPTIONS)).rejects.toThrow(/stop the service/);
    await service.close();
    await expect(migrateStore(to, from, OPTIONS)).rejects.toMatchObject({ code: 'request.invalid' });
  });

  it('refuses a block of samples that is damaged, by name', { tags: 'slow' }, async () => {
    const source = await openStore(from, OPTIONS);
    await source.accept(draft('ada'), { sameBytes: false });
    await source.applyBatch(await claimNext(source), batchOf(2, named(2, 20)), LEASE);
    await source.close();
    const file = new Database(from.slice('sqlite:'.length));
    file.exec("update sample_block set body = cast(x'ff' || substr(body, 2) as blob)");
    file.close();
    await expect(migrateStore(from, to, OPTIONS)).rejects.toMatchObject({
      code: 'storage.damaged',
      message: expect.stringContaining('The block of samples 1 to 20 '),
    });
    const target = await openStore(to, OPTIONS);
    expect(await target.sampleIds(0, 10)).toEqual([]);
    await target.close();
  });

  it('takes the time that the target takes for a table', { tags: 'slow' }, async () => {
    const source = await openStore(from, OPTIONS);
    await fill(source, LOT);
    await source.close();
    await (await openStore(to, OPTIONS)).close();
    const database = new PostgresDatabase(to);
    await database.run(
      `create function slowly() returns trigger language plpgsql as 'begin perform pg_sleep(1.5); return null; end'`,
    );
    await database.run('create trigger slowly before insert on account for each statement execute function slowly()');
    await database.close();
    // Longer than a connection of this address waits for an answer.
    expect((await migrateStore(from, `${to}&query_timeout=1000`, OPTIONS)).samples).toBeGreaterThan(0);
  });

  it('leaves nothing behind when it fails half-way', { tags: 'slow' }, async () => {
    const source = await openStore(from, OPTIONS);
    await fill(source, 1000);
    await source.close();
    // A row that the target cannot take, in one of the last tables.
    const file = new Database(join(folder, 'registry.db'));
    file.exec('alter table webhook add column strange text');
    file.close();
    await expect(migrateStore(from, to, OPTIONS)).rejects.toThrow(/webhook\.strange/);
    const target = await openStore(to, OPTIONS);
    expect(await target.countAccounts()).toBe(0);
    expect(await target.sampleIds(0, 10)).toEqual([]);
    await target.close();
  });

  async function fill(on: Store, samples = SAMPLES): Promise<{ running: string; waiting: string }> {
    const claim = async (): Promise<Claim> => await claimNext(on);
    await on.ensureAccount('ada', 1);
    await on.setPassword('ada', { hash: 'hash', until: 9 });
    await on.addToken({ id: 't1', account: 'ada', name: 'lims', scopes: ['read'], created: 5, expires: 9 }, 'h1');
    await on.addToken(
      { id: 't2', account: 'ada', name: 'old', scopes: ['admin'], created: 6, kind: 'password', parent: 't1' },
      'h2',
    );
    await on.revokeToken('t2');
    await on.addWebhook({
      id: 'w1',
      account: 'ada',
      url: 'https://x',
      events: ['submission.completed'],
      secret: 's',
      created: 1,
    });
    await on.accept(draft('ada', { id: '00000000-0000-4000-8000-000000000001' }), { key: 'k1', sameBytes: true });
    const first = await claim();
    for (let line = 2; line < samples + 2; line += LOT) {
      await on.applyBatch(first, batchOf(line, named(line, LOT)), { ...LEASE, last: line + LOT >= samples + 2 });
    }
    // Updates keep their old versions; one more row is refused.
    await on.accept(draft('ada', { id: '00000000-0000-4000-8000-000000000002' }), { sameBytes: true });
    const second = await claim();
    const rows = [1, 2, 3].map((id) => ({ id, name: `renamed ${id}`, cells: 'Mus musculus\tbrain' }));
    const refused = {
      line: 9,
      name: 'x',
      issues: [{ line: 9, code: 'row.held-back', message: 'm', severity: 'error' } as const],
    };
    const batch = { ...batchOf(2, rows), rejected: [refused], toLine: 9 };
    await on.applyBatch(second, batch, { ...LEASE, last: true });
    await on.createSample({
      draft: {
        name: 'odd \u0000\u0001\u001f name',
        release: 0,
        content: { ...emptyContent(), domain: 'd', taxId: 9606 },
      },
      account: 'ada',
      author: 'ada',
      via: 'JSON_API',
      placeholder: false,
    });
    const lists = { attributesPre: [], attributesPost: [{ type: 'a', value: 'b' }], externalReferencesPre: [] };
    const curation = { ...lists, externalReferencesPost: [], relationshipsPre: [], relationshipsPost: [], hash: 'c1' };
    await on.addCurationLink(1, { curation, domain: null, account: 'bo', created: 7, hash: 'l1' });
    const content = [{ f: { value: 'v', iri: null } }];
    const table = { domain: null, account: 'bo', type: 'AMR', schema: null, content, created: 1, updated: 1 };
    await on.putStructuredData(2, 'bo', [table], 8);
    // One half-way, one waiting, one that failed, one with bytes to come again.
    const half = await on.accept(draft('ada'), { sameBytes: true });
    await on.applyBatch(await claim(), batchOf(2, []), LEASE);
    const waiting = await on.accept(draft('ada'), { sameBytes: true });
    await on.accept(draft('bo', { sha256: 'same', lane: 'small' }), { sameBytes: true });
    await on.acceptFailed(draft('bo'), { code: 'file.empty', message: 'm', retryable: false });
    return { running: half.submission.id, waiting: waiting.submission.id };
  }

  /** What the ports tell of a store; of very many samples some. */
  async function everything(on: Store): Promise<unknown> {
    const submissions = await on.list({ size: 100 });
    const ledgers = [];
    for (const { id } of submissions) {
      for await (const chunk of on.ledger(id)) if (ledgers.length < 50) ledgers.push(chunk);
    }
    const samples = [];
    const ids = [1, 2, 3, 4, SAMPLES - 1, SAMPLES, SAMPLES + 1];
    for (const id of ids) samples.push(await on.readSample(id), await on.listVersions(id), await on.readVersion(id, 1));
    return {
      submissions,
      ledgers,
      samples,
      accounts: [await on.findAccount('ada'), await on.findAccount('bo'), await on.countAccounts()],
      tokens: [await on.listTokens(), await on.findToken('h2')],
      webhooks: [await on.listWebhooks('ada'), await on.listDeliveries('w1', { size: 10 })],
      curation: await on.findCuration('c1', { admin: true, now: 0 }),
      next: await on.nextAccession(),
    };
  }
});
