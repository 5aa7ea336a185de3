/** Dry runs that are carried out after other uploads, and programs, have registered samples of their names, on both stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFilesystemBlobs } from '../../../src/blobs/filesystem.js';
import { emptyContent } from '../../../src/registry/samples/sample.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import type { Blobs } from '../../../src/submissions/blobs.js';
import { registeredMeanwhile } from '../../../src/submissions/processing/registered-meanwhile.js';
import type { Submission, UploadOptions } from '../../../src/submissions/submission.js';
import { dropSchemas, freshSchemaUrl } from '../../many-machines/postgres-schema.js';
import { Random } from '../../support/random.js';
import { without } from '../../support/services.js';
import { acceptSheet, commit, undo, type World, work } from './keyed-uploads.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-meanwhile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = [
  'Sample Name',
  'Sample Identifier',
  'Release Date',
  'Comment[bsd_relationship:derived from]',
  'Barcode',
];
type Row = { name: string; release?: string; parent?: string };
const sheetOf = (rows: readonly Row[]): string =>
  [
    HEADER,
    ...rows.map(({ name, release = '2020-01-01', parent = '' }) => [name, '', release, parent, `code of ${name}`]),
  ]
    .map((cells) => `${cells.join('\t')}\n`)
    .join('');
const itemsOf = (rows: readonly Row[]): string =>
  rows.map(({ name, release = '2020-01-01' }) => JSON.stringify({ name, release })).join('\n');

function suite(engine: string, open: (now: () => number) => Promise<Store>): void {
  describe(`a commit behind other uploads on ${engine}`, () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    let store: Store;
    let blobs: Blobs;
    let labs = 0;
    beforeAll(async () => {
      store = await open(() => clock.now++);
      blobs = await openFilesystemBlobs(mkdtempSync(join(folder, 'blobs-')));
    });
    afterAll(() => store.close());

    const lab = (): World => ({ store, blobs, clock, random: new Random(1), account: `lab-${++labs}` });
    const end = async (world: World, id: string): Promise<Submission> => (await work(world, [id], 0))[0] as Submission;
    const send = async (world: World, rows: readonly Row[], options: Partial<UploadOptions> = {}, print = sheetOf) =>
      end(world, await acceptSheet(world, print(rows), options));
    const carryOut = async (world: World, { id }: Submission) => end(world, await commit(world, id));
    /** As a program does. */
    const post = async ({ account }: Pick<World, 'account'>, name: string): Promise<string> => {
      const draft = { name, release: 0, content: emptyContent() };
      const sample = await store.createSample({ draft, account, author: account, via: 'JSON_API', placeholder: false });
      return `SAMR${sample.id}`;
    };
    /** Names of the account's samples that are not withdrawn. */
    const standing = async ({ account }: World): Promise<string[]> => {
      const all = await store.readSamples(Array.from({ length: 3_000 }, (_, at) => at + 1));
      return all
        .flatMap(({ sample }) => (sample.account === account && !sample.adminStatus ? [sample.name] : []))
        .sort();
    };
    const NAMES = Array.from({ length: 8 }, (_, at) => `P-${at + 1}`);
    const rows = NAMES.map((name) => ({ name }));
    const withOneBad = rows.map((row, at) => (at === 4 ? { ...row, release: 'never' } : row));

    it.each(['partial', 'atomic'] as const)(
      'registers nothing twice of a sheet that was corrected and sent (%s)',
      async (mode) => {
        const world = lab();
        const checked = await send(world, mode === 'atomic' ? rows : withOneBad, { dryRun: true, mode });
        const corrected = await send(world, [...rows, { name: 'P-9' }]);
        expect(corrected.counts).toMatchObject({ created: 9 });
        const carriedOut = await carryOut(world, checked);
        expect(carriedOut).toMatchObject({ state: 'FAILED', problem: { code: 'conflict', line: 2, retryable: false } });
        expect(carriedOut.problem?.message).toMatch(/"P-1" \(line 2\) is SAMR\d+, "P-2" .*, "P-3" .*, and so on/);
        expect(await standing(world)).toEqual([...NAMES, 'P-9']);
        // A new dry run shows what is there, and is carried out as it is shown.
        const again = await send(world, mode === 'atomic' ? rows : withOneBad, { dryRun: true, mode });
        expect((await carryOut(world, again)).counts).toEqual(again.counts);
      },
    );

    it('stops before a sample that a program has registered, wherever its row stands', async () => {
      const world = lab();
      const checked = await send(world, rows, { dryRun: true });
      const accession = await post(world, 'P-8');
      const carriedOut = await carryOut(world, checked);
      expect(carriedOut.problem).toMatchObject({ code: 'conflict', line: 9 });
      expect(carriedOut.problem?.message).toContain(`"P-8" (line 9) is ${accession}. Nothing was written`);
      expect(await standing(world)).toEqual(['P-8']);
    });

    it('stops before the first of rows that name each other, and of items of a JSON file', async () => {
      const world = lab();
      const related = rows.map((row, at) => (at === 0 ? row : { ...row, parent: NAMES[at - 1] as string }));
      const [sheet, items] = [
        await send(world, related, { dryRun: true }),
        await send(world, rows, { dryRun: true }, itemsOf),
      ];
      await post(world, 'P-5');
      expect((await carryOut(world, sheet)).problem).toMatchObject({ code: 'conflict', line: 6 });
      expect((await carryOut(world, items)).problem).toMatchObject({ code: 'conflict', line: 5 });
      expect(await standing(world)).toEqual(['P-5']);
    });

    it('goes on beside other names, samples of others, from before, and that were withdrawn', async () => {
      const [world, other] = [lab(), lab()];
      await post(world, 'P-1');
      const checked = await send(world, rows, { dryRun: true });
      await send(other, rows);
      await end(world, await undo(world, (await send(world, rows.slice(1, 4))).id));
      await post(world, 'p-2');
      await post(world, 'P-22');
      expect((await carryOut(world, checked)).counts).toEqual(checked.counts);
      expect(await standing(world)).toEqual(['P-1', ...NAMES, 'P-22', 'p-2'].sort());
    });

    it('goes on where names do not say which sample a row means, or were not to be asked', async () => {
      const world = lab();
      const keyed = await send(world, rows, { dryRun: true, key: 'barcode', keySpace: 'lims' });
      const anew = await send(world, rows, { dryRun: true, duplicate: 'allow' });
      await post(world, 'P-3');
      expect((await carryOut(world, keyed)).counts).toMatchObject({ created: 8 });
      expect((await carryOut(world, anew)).counts).toMatchObject({ created: 8 });
    });

    it('finds a name among more than are held at once, in a log of more than is read at once', async () => {
      const world = lab();
      const checked = await send(world, rows, { dryRun: true });
      // As many runs of the log, since every other number is of another account.
      const others = [lab(), lab()];
      for (let at = 0; at < 260; at++) for (const other of others) await post(other, `other ${at}`);
      for (let at = 0; at < 30; at++) await post(world, `mine ${at}`);
      const accession = await post(world, 'P-7');
      const { cursor, account, options } = (await store.find(await commit(world, checked.id))) as Submission;
      let reads = 0;
      const read = async () => {
        reads++;
        return (async function* () {})();
      };
      const signal = new AbortController().signal;
      await registeredMeanwhile({ store, prefix: 'SAMR', namesHeld: 10 }, { cursor, account, options }, read, signal);
      expect(reads).toBe(4);
      const [carriedOut] = await work(world, [await commit(world, checked.id)], 0);
      expect(carriedOut?.problem?.message).toContain(`"P-7" (line 8) is ${accession}`);
    });

    it('is not stopped by what it has registered itself, when its worker dies', async () => {
      for (let seed = 1; seed <= 4; seed++) {
        const world = { ...lab(), random: new Random(seed) };
        const checked = await send(world, [...rows, ...rows.map((row) => ({ ...row, code: 'another' }))], {
          dryRun: true,
        });
        const [carriedOut] = await work(world, [await commit(world, checked.id)], 0.3);
        expect(carriedOut?.counts).toEqual(checked.counts);
        expect(await standing(world)).toEqual(NAMES);
      }
    });
  });
}

suite('sqlite', (now) => openStore(`sqlite:${join(folder, 'registry.db')}`, { prefix: 'SAMR', now }));
describe.skipIf(without('postgres'))('with PostgreSQL', { tags: 'engines' }, () => {
  afterAll(() => dropSchemas());
  suite('postgres', (now) => openStore(freshSchemaUrl(), { prefix: 'SAMR', now }));
});
