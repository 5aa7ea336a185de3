/** The search file of an earlier version is made anew from the samples when a newer program opens it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { openStore } from '../../src/store/open.js';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-index-upgrade-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SCRIPTS = new URL('../../src/store/sqlite/search-migrations/', import.meta.url);

/** A file as the program of before postings had it, with a sample that it calls by another word. */
function writeEarlier(path: string): void {
  const index = new SqliteDatabase(path);
  index.migrate((run) => {
    for (const name of readdirSync(SCRIPTS).sort()) {
      if (name < '0006') run(readFileSync(new URL(name, SCRIPTS), 'utf8'));
    }
    run("insert into entry (id, account, release, updated, hidden, open, digest) values (1, 1, 0, 0, 0, 1, 'x')");
    run("insert into entry_terms (rowid, terms) values (1, 'wearlier')");
    run('insert into progress (seq, scan_next, scan_end) values (30, 1, 0)');
    run('pragma user_version = 5');
  });
  index.close();
}

it('says what it has still to index, and finds everything afterwards', async () => {
  const file = join(folder, 'a.db');
  const open = () => openStore(`sqlite:${file}`, { prefix: 'SAMR' });
  const before = await open();
  for (let at = 0; at < 30; at++) {
    const content = { ...emptyContent(), characteristics: { organ: [{ text: 'liver' }] } };
    const draft = { name: `s${at}`, release: 0, content };
    await before.createSample({ draft, account: 'ada', author: 'ada', via: 'JSON_API', placeholder: false });
  }
  while ((await before.indexNext(100)).more);
  await before.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}-search${end}`, { force: true });
  writeEarlier(`${file}-search`);

  const store = await open();
  const count = async (word: string) => {
    const { total, missing } = await store.findSamples({ terms: [[word]], now: 1, size: 5 }, { page: 0 });
    return [total, missing];
  };
  expect([await count('wearlier'), await count('wliver')]).toEqual([
    [0, 30],
    [0, 30],
  ]);
  while ((await store.indexNext(7)).more);
  expect([await count('wearlier'), await count('wliver')]).toEqual([
    [0, 0],
    [30, 0],
  ]);
  await store.close();
});
