/**
 * A sample at which the indexing process dies is passed by name only, and all others are found. Runs the built dist/.
 *
 * @module-tag slow
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { CAREFUL_SAMPLES } from '../../src/registry/search/indexed-sample.js';
import { nameTerm } from '../../src/registry/search/search-terms.js';
import { openStore } from '../../src/store/open.js';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';
import { batchOf, claimNext, draft, named } from '../many-machines/store-samples.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-index-deaths-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = fileURLToPath(new URL('./indexing-process.mjs', import.meta.url));

/** What a sample of this many different words takes in memory is far more than what it takes on disk, where not all are ASCII. */
const DEADLY_WORDS = 300_000;
const SMALL_HEAP = '--max-old-space-size=18';

describe('an indexing process that runs out of memory at a sample', () => {
  it('passes it by name only after some deaths, reports it, and finds every other sample', async () => {
    const file = join(folder, 'deadly.db');
    const store = await openStore(`sqlite:${file}`, { prefix: 'SAMR' });
    const create = (name: string, text: string) =>
      store.createSample({
        draft: { name, release: 1, content: { ...emptyContent(), characteristics: { note: [{ text }] } } },
        account: 'ada',
        author: 'ada',
        via: 'JSON_API',
        placeholder: false,
      });
    for (let n = 0; n < 20; n++) await create(`before ${n}`, 'plain');
    const deadly = `é ${Array.from({ length: DEADLY_WORDS }, (_, n) => (n * 7919).toString(36)).join(' ')}`;
    const { id } = await create('deadly', deadly);
    for (let n = 0; n < 20; n++) await create(`after ${n}`, 'plain');

    let deaths = 0;
    while (spawnSync(process.execPath, [SMALL_HEAP, program, file], { stdio: 'ignore' }).status !== 0) {
      deaths++;
      expect(deaths, 'the same sample kills the process again and again').toBeLessThan(10);
    }
    expect(deaths, 'the sample was meant to be deadly').toBeGreaterThan(1);
    expect(await store.indexState()).toMatchObject({ lag: 0, nameOnly: 1 });
    expect(await store.listNameOnly(5)).toEqual([{ id, reason: expect.stringContaining('ended twice') }]);
    const found = async (terms: string[][]) =>
      (await store.search({ terms, now: Date.now(), size: 100 }, {})).records.map(({ sample }) => sample.id);
    expect(await found([['wplain']])).toHaveLength(40);
    expect(await found([[nameTerm('deadly')]])).toEqual([id]);
    await store.close();
  });
});

it('after a death samples are taken in one at a time, but not many: the others wait for them', async () => {
  const file = join(folder, 'careful.db');
  const store = await openStore(`sqlite:${file}`, { prefix: 'SAMR' });
  await store.accept(draft('ada'), { sameBytes: false });
  const rows = batchOf(2, named(0, 3_000));
  await store.applyBatch(await claimNext(store), rows, { leaseMs: 600_000, last: true });
  const index = new SqliteDatabase(`${file}-search`);
  // As a process leaves it that ended in a step.
  const gone = spawnSync(process.execPath, ['--version']).pid;
  index.prepare('update progress set begun = 1, worker = ?').run(`${gone} gone`);
  index.close();
  const steps: number[] = [];
  for (let step = await store.indexNext(2_048); step.indexed > 0; step = await store.indexNext(2_048))
    steps.push(step.indexed);
  expect(steps.reduce((sum, indexed) => sum + indexed)).toBe(3_000);
  const alone = steps.findIndex((indexed) => indexed > 1);
  expect(alone).toBe(CAREFUL_SAMPLES);
  await store.close();
});
