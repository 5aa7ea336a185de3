/**
 * Random damage to the database: a bit of any page, a cell, a cut, a lost row. `verify` finds it, and every document that
 * is read afterwards is what was stored, or an error. The long form does many more.
 */
import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.js';
import Database from '../../src/store/sqlite/driver.js';
import type { Store } from '../../src/store/store.js';
import { verifyStore } from '../../src/upkeep/verify.js';
import { PROOF } from '../support/proof.js';
import { Random } from '../support/random.js';
import { newRows, SmallRegistry } from './small-registry.js';

const TIMES = PROOF ? 300 : 4;
const SAMPLES = 34;
const random = new Random(8650);
let cell = 0;

let registry: SmallRegistry;
let good: string;
let submissions: string[];
let truth: Map<string, string>;
let dump: string;

beforeAll(async () => {
  registry = await new SmallRegistry().open();
  const uploads = [await registry.upload(newRows(30)), await registry.upload(newRows(4, 'T'))];
  uploads.push(await registry.upload([['S3', 'Mus musculus', 'SAMR4'], ...newRows(2, 'D').slice(0, 0)]));
  submissions = uploads.map(({ id }) => id);
  const { store } = registry;
  for (let id = 1; id <= SAMPLES; id += 3) {
    const curation = { hash: `c${id}`.padEnd(64, '0'), attributesPre: [], attributesPost: [] };
    await store.addCurationLink(id, { curation, domain: null, account: 'ada', created: id, hash: `l${id}` } as never);
    const table = {
      domain: null,
      account: 'ada',
      type: 'CHICKEN_DATA',
      schema: null,
      content: [{ a: { value: 'b' } }],
    };
    await store.putStructuredData(id, 'ada', [table as never], 5);
  }
  await registry.stop();
  good = `${registry.path}.good`;
  copyFileSync(registry.path, good);
  rmSync(`${registry.path}-search`);
  dump = dumpOf(registry.path);
  const intact = await openStore(`sqlite:${registry.path}`, { prefix: 'SAMR' });
  truth = await answers(intact);
  expect((await verify(intact)).faults).toEqual([]);
  await intact.close();
});
afterAll(() => rmSync(registry.folder, { recursive: true, force: true }));

const verify = (store: Store) => verifyStore(store, { blobs: registry.blobs });

/** All that is answered of samples, versions, submissions and ledgers: question → answer, errors left out. */
async function answers(store: Store): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const ask = async (question: string, work: () => Promise<unknown>) => {
    try {
      found.set(question, JSON.stringify((await work()) ?? null));
    } catch {
      // An error is no wrong answer.
    }
  };
  for (let id = 1; id <= SAMPLES; id++) await ask(`sample ${id}`, () => store.readSample(id));
  await ask('version', () => store.readVersion(4, 1));
  for (const id of submissions) {
    await ask(`submission ${id}`, () => store.find(id));
    await ask(`ledger ${id}`, async () => {
      const chunks: unknown[] = [];
      for await (const chunk of store.ledger(id)) chunks.push(chunk);
      return chunks;
    });
  }
  return found;
}

/** All that the file says, and whether SQLite finds it whole. */
function dumpOf(path: string): string {
  let file: Database.Database | undefined;
  try {
    file = new Database(path);
    const tables = file
      .prepare<[], { name: string; sql: string }>(
        "select name, sql from sqlite_schema where type = 'table' order by name",
      )
      .all()
      .filter(({ name }) => !name.startsWith('sqlite_'));
    const open = file;
    return JSON.stringify([
      open.pragma('integrity_check'),
      open.pragma('user_version'),
      tables.map(({ name }) => [name, open.prepare(`select * from ${name}`).raw().all()]),
    ]);
  } catch (error) {
    return String(error);
  } finally {
    file?.close();
  }
}

/** Rows that something else tells of: without them the rest does not fit. */
const TOLD_OF = ['sample', 'sample_version', 'submission_chunk', 'account', 'curation', 'sample_layout'];

const DAMAGES: Record<string, (path: string) => void> = {
  'a bit of a page': (path) => {
    const bytes = readFileSync(path);
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] as number) ^ (1 << random.below(8));
    writeFileSync(path, bytes);
  },
  'bytes of a page': (path) => {
    const bytes = readFileSync(path);
    const at = random.below(bytes.length - 16);
    for (let n = 0; n < 16; n++) bytes[at + n] = random.below(256);
    writeFileSync(path, bytes);
  },
  'a cut': (path) => truncateSync(path, random.below(readFileSync(path).length)),
  'a cell': (path) =>
    change(path, (file, tables) => {
      const cells = tables.flatMap((table) =>
        file
          .prepare<[string], { name: string }>('select name from pragma_table_info(?)')
          .all(table)
          .map(({ name }) => ({ table, name })),
      );
      // Every column in turn, those of all tables mixed.
      const { table, name } = cells[(cell++ * 37) % cells.length] as { table: string; name: string };
      const flipped = `case typeof("${name}") when 'integer' then "${name}" + 1 when 'text' then "${name}" || ' ' else null end`;
      file.exec(`update or ignore ${table} set "${name}" = ${flipped} where rowid = (select max(rowid) from ${table})`);
    }),
  'a lost row': (path) =>
    change(path, (file) => {
      const table = random.pick(TOLD_OF);
      file.exec(`delete from ${table} where rowid = (select min(rowid) from ${table})`);
    }),
};

/** As damage would: no trigger and no rule looks on. */
function change(path: string, work: (file: Database.Database, tables: string[]) => void): void {
  const file = new Database(path);
  file.pragma('foreign_keys = OFF');
  const triggers = file
    .prepare<[], { name: string; sql: string }>("select name, sql from sqlite_schema where type = 'trigger'")
    .all();
  for (const { name } of triggers) file.exec(`drop trigger ${name}`);
  const tables = file
    .prepare<[], { name: string }>(
      "select name from pragma_table_list where type = 'table' and wr = 0 and schema = 'main' and name not like 'sqlite_%'",
    )
    .all()
    .map(({ name }) => name);
  work(file, tables);
  for (const { sql } of triggers) file.exec(sql);
  file.close();
}

function restore(): void {
  for (const part of ['', '-wal', '-shm', '-search', '-search-wal', '-search-shm']) {
    rmSync(registry.path + part, { force: true });
  }
  copyFileSync(good, registry.path);
}

/** Damages the file as it was stored; answers all that it says then. */
function damage(kind: string): string {
  restore();
  DAMAGES[kind]?.(registry.path);
  const copy = join(registry.folder, 'damaged.db');
  copyFileSync(registry.path, copy);
  const after = dumpOf(copy);
  for (const part of ['', '-wal', '-shm']) if (existsSync(copy + part)) rmSync(copy + part);
  return after;
}

/** The store with its damage; undefined where it refuses to open for it. */
async function openDamaged(kind: string): Promise<Store | undefined> {
  try {
    return await openStore(`sqlite:${registry.path}`, { prefix: 'SAMR' });
  } catch (error) {
    expect(error, `${kind}: ${String(error)}`).toMatchObject({ code: 'storage.damaged' });
    return undefined;
  }
}

/** Closes the store. */
async function expectFound(store: Store, place: string): Promise<void> {
  try {
    for (const [question, answer] of await answers(store)) {
      expect(isPartOf(answer, truth.get(question) as string), `${question}: ${answer}`).toBe(true);
    }
    const { faults } = await verify(store);
    expect(faults.length, place).toBeGreaterThan(0);
  } finally {
    await store.close();
  }
}

describe('damage to the database', () => {
  it.each(Object.keys(DAMAGES))('of %s is found, and nothing wrong is answered', async (kind) => {
    let found = 0;
    let refused = 0;
    const wanted = kind === 'a cell' ? TIMES : TIMES / 5;
    // The tables' definitions are a large part of a small file. Of a file that was cut nothing can be relied on.
    const opensOnce = (): boolean => kind === 'a cut' || refused < found;
    for (let tries = 0; found < wanted || !opensOnce(); tries++) {
      expect(tries, 'damage that changes something, and with which the store opens').toBeLessThan(TIMES * 20);
      const after = damage(kind);
      // In room that no row uses.
      if (after === dump) continue;
      found++;
      const store = await openDamaged(kind);
      if (store) await expectFound(store, `${kind}, fault ${found}: ${difference(dump, after)}`);
      else refused++;
    }
  });
});

/**
 * Whether an answer is what was stored. What is lost whole, or that an index no longer leads to, may be missing, which
 * verify finds (docs/threat-model.md); what is there must be as it was.
 */
function isPartOf(answer: string, stored: string): boolean {
  const part = (given: unknown, whole: unknown): boolean => {
    if (given === null) return true;
    if (Array.isArray(given) && Array.isArray(whole)) {
      const there = whole.map((item) => JSON.stringify(item));
      return given.every((item) => there.includes(JSON.stringify(item)));
    }
    return JSON.stringify(given) === JSON.stringify(whole);
  };
  const [given, whole] = [JSON.parse(answer), JSON.parse(stored)] as Record<string, unknown>[];
  if (!given || !whole || Array.isArray(given)) return part(given, whole);
  return Object.keys(whole).every((member) => part(given[member] ?? 'gone', whole[member] ?? 'gone'));
}

/** Where the two begin to differ. */
function difference(before: string, after: string): string {
  let at = 0;
  while (before[at] === after[at]) at++;
  return `${before.slice(at - 60, at + 20)} | ${after.slice(at - 60, at + 20)}`;
}
