/** Samples that a search reads beside the index are kept between searches, but never longer than they are as they were. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { openStore, type Store } from '../../src/store/open.js';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-waiting-changes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const organ = (text: string) => ({ ...emptyContent(), characteristics: { organ: [{ text }] } });

const found = async (store: Store, word: string): Promise<number | undefined> =>
  (await store.findSamples({ terms: [[word]], now: 1, size: 5 }, { page: 0 })).total;

it('where the newest change is gone from the journal, as the index took it in before an earlier one, the sample is read anew', async () => {
  const path = join(folder, 'a.db');
  const open = () => openStore(`sqlite:${path}`, { prefix: 'SAMR' });
  const [reader, writer] = [await open(), await open()];
  const draft = { name: 'one', release: 0, content: organ('liver') };
  const { id } = await reader.createSample({
    draft,
    account: 'ada',
    author: 'ada',
    via: 'JSON_API',
    placeholder: false,
  });
  expect([await found(reader, 'wliver'), await reader.findNamed('ada', ['one'])]).toEqual([
    1,
    new Map([['one', [id]]]),
  ]);

  await writer.updateSample(id, ({ sample }) => ({
    kind: 'update',
    draft: { name: 'other', release: sample.release, content: organ('heart') },
    provenance: { author: 'ada', via: 'JSON_API' },
  }));
  const journal = new SqliteDatabase(path);
  journal.prepare('delete from change where seq = (select max(seq) from change)').run();
  journal.close();
  expect([await found(reader, 'wliver'), await found(reader, 'wheart')]).toEqual([0, 1]);
  expect(await reader.findNamed('ada', ['one', 'other'])).toEqual(new Map([['other', [id]]]));
  await reader.close();
  await writer.close();
});
