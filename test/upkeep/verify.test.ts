import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyStore } from '../../src/upkeep/verify.js';
import { blocksToRows } from '../store/undone.js';
import { newRows, SmallRegistry } from './small-registry.js';

let good: SmallRegistry;
let registry: SmallRegistry;
let id: string;

/** A registry with new rows, updates, rejected rows and a dry run; each test damages a copy of it. */
beforeAll(async () => {
  good = await new SmallRegistry().open();
  const first = await good.upload([...newRows(25), ['', 'nameless', '']]);
  id = first.id;
  expect(first.counts).toMatchObject({ created: 25, rejected: 1 });
  const update = await good.upload([
    ['S3', 'Mus musculus', 'SAMR4'],
    ['T1', 'Homo sapiens', ''],
    ['gone', 'x', 'SAMR999'],
  ]);
  expect(update.counts).toMatchObject({ created: 1, updated: 1, rejected: 1 });
  await good.upload(newRows(3, 'D'), { dryRun: true });
  await good.stop();
});
beforeEach(async () => {
  registry = await good.copied();
});
afterEach(() => registry.close());
afterAll(() => rmSync(good.folder, { recursive: true }));

const BLOCK_COLUMNS_BUT_PLACE =
  'account, author, via, submission, version, created, updated, submitted, admin_status, layout, earliest, latest, longest, crc, body';
const COPY_OF_BLOCK = `insert into sample_block (cell, first, count, ${BLOCK_COLUMNS_BUT_PLACE})
  select 7, 448 + (first & 63), count, ${BLOCK_COLUMNS_BUT_PLACE} from sample_block`;

const verify = (originals = true) => verifyStore(registry.store, { blobs: registry.blobs, originals });

describe('verify', () => {
  it('finds nothing wrong with a registry as it came to be, and the same fingerprint each time', async () => {
    const report = await verify();
    expect(report).toMatchObject({ submissions: 3, active: 0, samples: 26, faults: [] });
    expect((await verify()).fingerprint).toBe(report.fingerprint);
  });

  it('has another fingerprint when any sample has other content', async () => {
    const { fingerprint } = await verify();
    blocksToRows(registry.path);
    expect((await verify()).fingerprint).toBe(fingerprint);
    registry.tamper(`update sample set release = release + 1 where id = 17`);
    expect((await verify()).fingerprint).not.toBe(fingerprint);
  });

  it.each([
    ['a line that became another sample', 'I3', 'update sample set line = line + 1 where id = 7'],
    ['an update that was never written', 'I3', 'update sample set submission = null, line = null where id = 4'],
    ['a sample that vanished', 'I3', 'delete from sample where id = 9'],
    [
      'a row that was registered twice',
      'I2',
      `insert into sample select 500, name, account, release, layout, doc, author, via, submission, line, version, created, updated, submitted, admin_status, crc from sample where id = 9`,
    ],
    [
      'a chunk of the ledger that is lost',
      'I5',
      'delete from submission_chunk where from_line = (select max(from_line) from submission_chunk)',
    ],
    ['counts that are not those of the ledger', 'I5', 'update submission set rows_created = rows_created + 1'],
    [
      'chunks that overlap',
      'I2',
      `update submission_chunk set outcomes = replace(outcomes, '"fromLine":12', '"fromLine":2') where from_line > 2`,
    ],
    ['a sample that cannot be read', 'sample', `update sample set layout = 999 where id = 5`],
    ['a number that would be given again', 'sample', `update counter set next = 3 where name = 'accession'`],
  ])('finds %s', async (_, rule, sql) => {
    blocksToRows(registry.path);
    expect((await verify()).faults).toEqual([]);
    registry.tamper(sql);
    const { faults } = await verify();
    expect(faults.map((fault) => fault.rule)).toContain(rule);
  });

  it.each([
    ['with lines that became other samples', 'I3', 'update sample_block set first = first + 1 where count < 20'],
    ['with another release', 'sample', 'update sample_block set latest = latest + 1'],
    ['that vanished', 'I3', 'delete from sample_block where first = 11'],
    ['that is there twice', 'I2', `${COPY_OF_BLOCK} where first = 11`],
    ['with fewer samples', 'sample', 'update sample_block set count = count - 1'],
    ['in another cell', 'I3', 'update sample_block set cell = cell + 1'],
    ['with a layout that is not there', 'sample', 'update sample_block set layout = 999'],
    ['that cannot be unpacked', 'sample', "update sample_block set body = x'00'"],
  ])('finds a block %s', async (_, rule, sql) => {
    registry.tamper(sql);
    const { faults } = await verify();
    expect(faults.map((fault) => fault.rule)).toContain(rule);
  });

  it('finds an original that is missing or another', async () => {
    const submission = await registry.store.find(id);
    const path = registry.blobs.localPath?.(submission?.blobKey as string) as string;
    writeFileSync(path, 'other');
    expect((await verify()).faults).toMatchObject([
      { rule: 'original', message: expect.stringContaining('not the file') },
    ]);
    rmSync(path);
    expect((await verify()).faults).toMatchObject([{ rule: 'original', message: expect.stringContaining('missing') }]);
  });

  it('finds an original that is missing or cut short without being asked to read them all', async () => {
    const submission = await registry.store.find(id);
    const path = registry.blobs.localPath?.(submission?.blobKey as string) as string;
    truncateSync(path, 100);
    expect((await verify(false)).faults).toMatchObject([{ rule: 'original', place: `submission ${id}` }]);
    rmSync(path);
    expect((await verify(false)).faults).toMatchObject([{ message: expect.stringContaining('missing') }]);
  });

  it('finds damaged pages', async () => {
    await registry.stop();
    const { readFileSync } = await import('node:fs');
    const bytes = readFileSync(registry.path);
    const page = bytes.readUInt16BE(16);
    bytes.fill(0xff, page * 3, page * 3 + 400);
    writeFileSync(registry.path, bytes);
    rmSync(join(registry.folder, 'registry.db-wal'), { force: true });
    const outcome = await registry
      .open()
      .then(() => verify())
      .catch((error: unknown) => String(error));
    expect(typeof outcome === 'string' ? outcome : outcome.faults.map(({ rule }) => rule)).toSatisfy(
      (found: string | string[]) => (Array.isArray(found) ? found.includes('store') : /malformed|corrupt/.test(found)),
    );
  });
});
