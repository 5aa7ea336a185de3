/** Names in the search file: which have been given is seen without a look at each segment, and never wrongly denied. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { nameKey, nameTerm } from '../../src/registry/search/search-terms.js';
import { termKey } from '../../src/registry/search/term-keys.js';
import { openStore, type Store } from '../../src/store/open.js';
import { addNameKey, mayHoldName, NAME_PARTS, namePartOf, newNamePart } from '../../src/store/postings/name-filter.js';
import { SPAN } from '../../src/store/postings/slots.js';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';
import { GivenNames } from '../../src/store/sqlite/search/search-names.js';
import { StagedPostings, segmentsOf } from '../../src/store/sqlite/search/search-segments.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-given-names-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (name: string): Promise<Store> => openStore(`sqlite:${join(folder, name)}.db`, { prefix: 'SAMR' });

async function give(store: Store, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const draft = { name, release: 0, content: emptyContent() };
    await store.createSample({ draft, account: 'ada', author: 'ada', via: 'JSON_API', placeholder: false });
  }
  while ((await store.indexNext(100)).more);
}

/** Behind the back of the store. */
function inIndex(name: string, sql: string): void {
  const index = new SqliteDatabase(join(folder, `${name}.db-search`));
  index.prepare(sql).run();
  index.close();
}

const NAMES = Array.from({ length: 200 }, (_, at) => `Donor ${at}`);

describe('the names that the samples of a span may have', () => {
  it('of a whole span: each of them, and of others one in a thousand', () => {
    const parts = Array.from({ length: NAME_PARTS }, newNamePart);
    const partOf = (key: number): Buffer => parts[namePartOf(key)] as Buffer;
    for (let at = 0; at < SPAN; at++) {
      const key = nameKey(`plate_${at}`);
      addNameKey(partOf(key), key);
    }
    const held = (name: string): boolean => mayHoldName(partOf(nameKey(name)), nameKey(name));
    let others = 0;
    for (let at = 0; at < SPAN; at++) {
      if (!held(`plate_${at}`)) expect.fail(`plate_${at}`);
      if (held(`well_${at}`)) others++;
    }
    expect(others / SPAN).toBeLessThan(1 / 700);
  });

  it('have the key of their term', () => {
    for (const name of ['a', ' Donor  7 ', 'ÉCHANTILLON', '日本', '😀']) {
      expect(nameKey(name)).toBe(termKey(nameTerm(name)));
    }
  });

  it('are kept by span', async () => {
    await (await open('spans')).close();
    const index = new SqliteDatabase(join(folder, 'spans.db-search'));
    await index.write(() => {
      const staged = new StagedPostings();
      for (const [id, name] of [
        [5, 'low'],
        [SPAN * 3 + 5, 'high'],
      ] as const) {
        staged.add({ id, name, account: 1, release: 0, updated: 0, hidden: 0 }, []);
      }
      staged.write(index);
    });
    const keys = [nameKey('low'), nameKey('high'), nameKey('nobody')];
    expect([0, 3].map((span) => new GivenNames(index).held(span, keys))).toEqual([[keys[0]], [keys[1]]]);
    index.close();
  });
});

describe('a name that was looked for', () => {
  it('and never given: no segment is read for it', async () => {
    const store = await open('unread');
    await give(store, NAMES);
    inIndex('unread', 'delete from posting_page');
    expect(await store.findNamed('ada', ['nobody', 'nobody else'])).toEqual(new Map());
    const asked = { terms: [[nameTerm('nobody')]], now: 1, size: 5 };
    expect(await store.findSamples(asked, { page: 0 })).toMatchObject({ total: 0, missing: 0 });
    expect((await store.indexState()).setAside).toEqual([]);
    await store.findNamed('ada', [NAMES[7] as string]);
    expect((await store.indexState()).setAside).toHaveLength(1);
    await store.close();
  });

  it('is found in whatever case, whether it is of the first step or of the last', async () => {
    const store = await open('found');
    for (let at = 0; at < NAMES.length; at += 25) await give(store, NAMES.slice(at, at + 25));
    const found = await store.findNamed('ada', [...NAMES, 'nobody']);
    expect([...found]).toEqual(NAMES.map((name, at) => [name, [at + 1]]));
    for (const name of ['DONOR 3', 'donor 199']) {
      const asked = { terms: [[nameTerm(name)]], now: 1, size: 5 };
      expect(await store.findSamples(asked, { page: 0 }), name).toMatchObject({ total: 1 });
    }
    await store.close();
  });

  it('in vain, and given since: it is found by who keeps what it has read, also in an index that was made anew meanwhile', async () => {
    const [reader, writer] = [await open('since'), await open('since')];
    const asked = [...NAMES, 'later', 'last'];
    await give(writer, NAMES);
    expect((await reader.findNamed('ada', asked)).size).toBe(NAMES.length);
    await give(writer, ['later']);
    expect((await reader.findNamed('ada', asked)).get('later')).toEqual([NAMES.length + 1]);
    // Its first segment is again the first, of one sample more.
    await writer.rebuildIndex();
    while ((await writer.indexNext(1_000)).more);
    expect((await reader.findNamed('ada', asked)).size).toBe(NAMES.length + 1);
    await give(writer, ['last']);
    await writer.rebuildIndex();
    while ((await writer.indexNext(1_000)).more);
    expect((await reader.findNamed('ada', asked)).size).toBe(NAMES.length + 2);
    await reader.close();
    await writer.close();
  });

  it('is found where an earlier program has written beside this one, before its segment is merged and after', async () => {
    const store = await open('beside');
    await give(store, ['ours']);
    inIndex('beside', 'create table before as select * from name_filter');
    await give(store, ['theirs']);
    // What a program leaves that knows nothing of names.
    inIndex('beside', 'replace into name_filter select * from before');
    inIndex('beside', 'update segment set named = 0 where id = (select max(id) from segment)');
    inIndex('beside', 'drop table before');
    const all = new Map([
      ['ours', [1]],
      ['theirs', [2]],
    ]);
    for (let more = 3; more < 12; more++) {
      expect(await store.findNamed('ada', [...all.keys()])).toEqual(all);
      await give(store, [`more ${more}`]);
      all.set(`more ${more}`, [more]);
    }
    const index = new SqliteDatabase(join(folder, 'beside.db-search'));
    expect(segmentsOf(index, 0).length).toBeLessThan(8);
    index.close();
    expect(await store.findNamed('ada', [...all.keys()])).toEqual(all);
    await store.close();
  });

  it('is found in a span that an earlier program began, and the names of an index that is made anew are complete', async () => {
    const store = await open('earlier');
    await give(store, ['before']);
    inIndex('earlier', 'update segment set named = 0');
    inIndex('earlier', 'delete from name_filter');
    await give(store, ['after']);
    const both = new Map([
      ['before', [1]],
      ['after', [2]],
    ]);
    expect(await store.findNamed('ada', ['before', 'after', 'nobody'])).toEqual(both);
    await store.rebuildIndex();
    while ((await store.indexNext(1)).more);
    inIndex('earlier', 'delete from posting_page');
    expect(await store.findNamed('ada', ['nobody'])).toEqual(new Map());
    expect((await store.indexState()).setAside).toEqual([]);
    await store.close();
  });
});
