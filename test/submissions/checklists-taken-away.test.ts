/** Who runs the site takes a checklist away, or breaks its file, when uploads that name it are accepted: they wait, and what is left of them goes on. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { lazyChecklists, openChecklists } from '../../src/checklists/open.js';
import { Results } from '../../src/submissions/results/results.js';
import { type UploadDependencies, Uploads } from '../../src/submissions/uploads/uploads.js';
import { Intake, requestOf, sheetOf, textOf } from './intake.js';

const STRICT = JSON.stringify({ $id: 'strict', type: 'object', required: ['name'] });
const ada = { account: 'ada', admin: false };

let intake: Intake;
let folder: string;
let file: string;
let deps: UploadDependencies;
beforeAll(async () => {
  intake = await Intake.open();
  folder = mkdtempSync(join(tmpdir(), 'checklists-'));
  file = join(folder, 'strict.json');
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await intake.close();
});
beforeEach(() => {
  writeFileSync(file, STRICT);
  deps = { ...intake.uploads, checklists: openChecklists(folder) };
});

/** As a worker that has just been started. */
const work = (signal?: AbortSignal) => {
  const rules = { maxAttempts: 1, outsideMs: 3_600_000 };
  return intake.work({ ...intake.processing, rules, rowChecks: { checklists: lazyChecklists(folder) } }, signal);
};

let sheets = 0;
const sheet = (rows = 2): string => {
  sheets++;
  return sheetOf(['Sample Name', 'organism'], ...Array.from({ length: rows }, (_, at) => [`s${sheets} ${at}`, 'x']));
};
const options = { checklist: 'strict', releaseDate: Date.UTC(2020, 0, 1) };

it.each([
  ['checklist.unknown', 'is taken away', () => rmSync(file)],
  ['checklist.unreadable', 'is broken', () => writeFileSync(file, '{ broken')],
] as const)('%s: an upload waits whose checklist %s', async (_, __, breakIt) => {
  const { submission } = await new Uploads(deps).accept(requestOf(sheet(20), options));
  // A batch is registered before.
  const stopping = new AbortController();
  intake.events = { applied: () => stopping.abort() };
  await work(stopping.signal);
  intake.events = {};
  const { cursor, counts } = await intake.found(submission.id);
  expect([counts.created > 0, counts.created < 20]).toEqual([true, true]);
  breakIt();
  for (let times = 1; times <= 5; times++) {
    expect(await work()).toBe(true);
    const waiting = await intake.found(submission.id);
    expect(waiting).toMatchObject({ state: 'ACTIVE', cursor, setbacks: { itself: 0, outside: times } });
    expect(waiting.setbacks?.reason).toMatch(/strict.* What is left of the file is registered when that is put right/);
    intake.clock.now += 60_000;
  }
  writeFileSync(file, STRICT);
  await work();
  expect(await intake.found(submission.id)).toMatchObject({ state: 'COMPLETED', counts: { rows: 20, created: 20 } });
});

it('one that was given up meanwhile goes on when it is sent again', async () => {
  const uploads = new Uploads(deps);
  const text = sheet();
  const { submission } = await uploads.accept(requestOf(text, options));
  rmSync(file);
  await work();
  intake.clock.now += 3_700_000;
  await work();
  expect(await intake.found(submission.id)).toMatchObject({
    state: 'FAILED',
    problem: { code: 'checklist.unknown', retryable: true },
  });
  writeFileSync(file, STRICT);
  expect((await uploads.accept(requestOf(text, options))).submission.id).toBe(submission.id);
  await work();
  expect(await intake.found(submission.id)).toMatchObject({ state: 'COMPLETED', counts: { rows: 2, created: 2 } });
});

it('a dry run is not committed while its checklist is gone, is when it is back, and that is answered for good', async () => {
  const uploads = new Uploads(deps);
  const { submission: dry } = await uploads.accept(requestOf(sheet(), { ...options, dryRun: true }));
  await work();
  const without = new Uploads({ ...deps, checklists: openChecklists() });
  await expect(without.commit(dry.id, ada)).rejects.toMatchObject({ code: 'checklist.unknown' });
  const { submission } = await uploads.commit(dry.id, ada);
  await work();
  expect(await intake.found(submission.id)).toMatchObject({ state: 'COMPLETED', counts: { created: 2 } });
  expect(await without.commit(dry.id, ada)).toMatchObject({ replayed: true, submission: { id: submission.id } });
});

it.each([
  ['is taken away', () => rmSync(file)],
  ['is broken', () => writeFileSync(file, '{ broken')],
])('the result of a dry run, and what it would change, are there when its checklist %s', async (_, breakIt) => {
  const first = await intake.send(sheet(1), { releaseDate: options.releaseDate });
  const [accession = ''] = /SAMR\d+/.exec(await textOf(intake.results.mapping(first))) ?? [];
  const rows = sheetOf(['Sample Identifier', 'Sample Name', 'organism'], [accession, 'again', 'y']);
  const { submission } = await new Uploads(deps).accept(requestOf(rows, { ...options, dryRun: true }));
  await work();
  const dry = await intake.found(submission.id);
  const { store, blobs } = intake;
  const printed = () => {
    const rowChecks = { checklists: lazyChecklists(folder) };
    return textOf(new Results({ store, blobs, rowChecks, prefix: 'SAMR' }).result(dry));
  };
  const before = await printed();
  expect(before).toContain('\tCharacteristics[organism]\tchange\tx\twould become y\t');
  breakIt();
  expect(await printed()).toBe(before);
});

it('a checklist that a row far below asks for is broken: each change of the dry run is there once', async () => {
  const names = Array.from({ length: 502 }, (_, row) => `s${row}`);
  const first = await intake.send(sheetOf(['Sample Name', 'organism'], ...names.map((name) => [name, 'x'])), {
    releaseDate: options.releaseDate,
  });
  const accessions = (await textOf(intake.results.mapping(first))).match(/SAMR\d+/g) ?? [];
  const header: [string, ...string[]] = ['Sample Identifier', 'Sample Name', 'organism', 'Characteristics[checklist]'];
  const changed = new Set(['s0', 's501']);
  const rows = names.map((name, row) => [
    accessions[row] as string,
    name,
    changed.has(name) ? 'y' : 'x',
    name === 's501' ? 'strict' : '',
  ]);
  const { submission } = await new Uploads(deps).accept(
    requestOf(sheetOf(header, ...rows), { releaseDate: options.releaseDate, dryRun: true }),
  );
  await work();
  const { store, blobs } = intake;
  writeFileSync(file, '{ broken');
  const rowChecks = { checklists: lazyChecklists(folder) };
  const results = new Results({ store, blobs, rowChecks, prefix: 'SAMR' });
  const lines = (await textOf(results.result(await intake.found(submission.id)))).split('\n');
  expect(lines.filter((line) => line.includes('\tchange\t'))).toEqual([
    'line 2\tCharacteristics[organism]\tchange\tx\twould become y\t',
    'line 503\tCharacteristics[organism]\tchange\tx\twould become y\t',
    'line 503\tCharacteristics[checklist]\tchange\t\twould become strict\t',
  ]);
});
