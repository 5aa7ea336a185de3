/** What is changed in a row behind the store's back is never answered: an error names the sample and the version. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { openStore } from '../../src/store/open.js';
import Database from '../../src/store/sqlite/driver.js';
import type { Store } from '../../src/store/store.js';
import type { BatchResult } from '../../src/submissions/submission-store.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { batchOf, claimNext, draft, named, type Row } from '../many-machines/store-samples.js';
import { without } from '../support/services.js';

interface Target {
  address: string;
  /** Runs a statement as nobody of the service would. */
  tamper(sql: string): Promise<void>;
}

const ROOT = { account: 'root', admin: true };
const folder = mkdtempSync(join(tmpdir(), 'registry-checksums-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
function sqlite(): Target {
  const path = join(folder, `${++made}.db`);
  return {
    address: `sqlite:${path}`,
    tamper: async (sql) => {
      const file = new Database(path);
      const triggers = file
        .prepare<[], { name: string; sql: string }>("select name, sql from sqlite_schema where type = 'trigger'")
        .all();
      for (const { name } of triggers) file.exec(`drop trigger ${name}`);
      const { changes } = file.prepare(sql).run();
      for (const trigger of triggers) file.exec(trigger.sql);
      file.close();
      expect(changes, sql).toBeGreaterThan(0);
    },
  };
}

function postgres(): Target {
  const address = freshSchemaUrl();
  return {
    address,
    tamper: async (sql) => {
      const client = new pg.Client(process.env.TEST_POSTGRES_URL);
      await client.connect();
      await client.query(`set search_path = ${new URL(address).searchParams.get('schema')}`);
      await client.query('alter table sample disable trigger user');
      const { rowCount } = await client.query(sql);
      await client.end();
      expect(rowCount, sql).toBeGreaterThan(0);
    },
  };
}

/** Each value of a row, changed a little. */
const CHANGES = [
  "name = name || ' '",
  'account = account + 1',
  'account = 77',
  'release = release + 1',
  'layout = layout + 1',
  'layout = null',
  "doc = replace(doc, 'liver', 'livor')",
  "doc = doc || ' '",
  'author = author + 1',
  'via = 0',
  'submission = null',
  'line = line + 1',
  'version = version + 1',
  'created = created - 1',
  'updated = updated + 1',
  'submitted = null',
  "admin_status = 'SUPPRESSED'",
  'crc = crc + 1',
];

function checksumTests(name: string, make: () => Target): void {
  describe(`a row that was changed on ${name}`, () => {
    let target: Target;
    let store: Store;
    beforeEach(async () => {
      target = make();
      store = await openStore(target.address, { prefix: 'SAMR' });
      for (const account of ['ada', 'bob']) await store.ensureAccount(account, 1);
    });
    afterEach(() => store.close());

    async function apply(rows: Row[], update: 'replace' | 'merge' = 'replace'): Promise<BatchResult> {
      const options = { ...draft('ada').options, update };
      await store.accept(draft('ada', { options }), { sameBytes: false });
      const claim = await claimNext(store);
      return store.applyBatch(claim, batchOf(2, rows), { leaseMs: 60_000, last: true });
    }
    /** Numbers of the samples of a whole result. */
    const whole = () =>
      store.wholeResult({ terms: [], now: 1, annotations: false, withdrawn: 'too', reader: ROOT }, async (result) => {
        const ids: number[] = [];
        for await (const rows of result.rows()) ids.push(...rows.map(({ id }) => id));
        return ids;
      });
    const damaged = (version: number) => ({
      code: 'storage.damaged',
      message: expect.stringContaining(`Version ${version} of sample SAMR2 `),
    });

    it.each(CHANGES)('by %s is not answered, and the others are', async (change) => {
      await apply(named(0, 3));
      await target.tamper(`update sample set ${change} where id = 2`);
      await expect(store.readSample(2)).rejects.toMatchObject({ code: 'storage.damaged' });
      await expect(store.updateSample(2, () => ({ kind: 'unchanged' }))).rejects.toMatchObject({
        code: 'storage.damaged',
      });
      for (const id of [1, 3]) expect(await store.readSample(id)).toMatchObject({ sample: { id } });
      await expect(whole()).rejects.toMatchObject({ code: 'storage.damaged' });
    });

    it('in its history is not answered either, and is found by looking through it', async () => {
      await apply(named(0, 3));
      await apply([{ name: 'sample 1', cells: 'Mus musculus\tliver', id: 2 }]);
      expect(await store.damagedVersions({ id: 0, version: 0 }, 10)).toEqual({ damaged: [] });
      await target.tamper("update sample_version set doc = 'Mus musculus' || doc where id = 2");
      await expect(store.readVersion(2, 1)).rejects.toMatchObject(damaged(1));
      expect(await store.readVersion(2, 2)).toMatchObject({ version: 2 });
      expect(await store.damagedVersions({ id: 0, version: 0 }, 1)).toEqual({
        damaged: [{ id: 2, version: 1 }],
        next: { id: 2, version: 1 },
      });
      expect(await store.integrityFaults()).toEqual([]);
      await target.tamper('delete from sample_version');
      expect(await store.integrityFaults()).toEqual([expect.objectContaining({ place: 'sample 2' })]);
    });

    it.each(['replace', 'merge'] as const)('is neither compared with nor overwritten by a row (%s)', async (update) => {
      await apply(named(0, 3));
      await target.tamper("update sample set doc = replace(doc, 'liver', 'livor') where id = 2");
      const rows = [2, 3].map((id) => ({ name: `sample ${id - 1}`, cells: 'Homo sapiens\tkidney', id }));
      const { chunk } = await apply(rows, update);
      expect(chunk.rejected).toMatchObject([{ line: 2, issues: [{ code: 'sample.damaged', value: 'SAMR2' }] }]);
      expect(chunk.updated).toEqual([[3, 3, 1]]);
      await expect(store.readSample(2)).rejects.toMatchObject(damaged(1));
    });

    it('in a layout is not answered', async () => {
      await apply(named(0, 1));
      await target.tamper("update sample_layout set layout = replace(layout, 'tissue', 'tossue')");
      await store.close();
      store = await openStore(target.address, { prefix: 'SAMR' });
      await expect(store.readSample(1)).rejects.toMatchObject({ code: 'storage.damaged' });
    });

    it('fits every text that was written', async () => {
      const texts = ['', ' ', '\ud800', '\udc00x', 'a\u0000b', '\u0001', '\u001f', '\t', '𝄞', 'é', 'e\u0301'];
      for (const text of texts) {
        const { id } = await store.createSample({
          draft: {
            name: text,
            release: -1,
            content: { ...emptyContent(), characteristics: { [text || 'x']: [{ text }] } },
          },
          account: 'ada',
          author: 'bob',
          via: 'JSON_API',
          placeholder: true,
          adminStatus: 'SUPPRESSED',
        });
        expect(await store.readSample(id), JSON.stringify(text)).toMatchObject({ sample: { id } });
      }
      const { chunk } = await apply(texts.map((text) => ({ name: text, cells: `${text}\tliver`, release: 2 ** 33 })));
      for (const [, first, count] of chunk.created) {
        expect(await store.sampleRecords(Array.from({ length: count }, (_, at) => first + at))).toHaveLength(count);
      }
      expect(await store.uncheckedVersions()).toBe(0);
      expect(await whole()).toHaveLength(2 * texts.length);
    });
  });
}

checksumTests('sqlite', sqlite);
describe.skipIf(without('postgres'))('with PostgreSQL', { tags: 'slow' }, () => {
  afterAll(() => dropSchemas());
  checksumTests('postgres', postgres);
});
