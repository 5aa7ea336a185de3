/**
 * Uploaded files that are damaged where they lie, and workbooks that are small only as they are sent.
 *
 * @module-tag slow
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFilesystemBlobs } from '../../src/blobs/filesystem.js';
import { openStore } from '../../src/store/open.js';
import Database from '../../src/store/sqlite/driver.js';
import { purge } from '../../src/upkeep/purge.js';
import { submissionIdOf } from '../support/api-caller.js';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';
import { HEADER, rawWorkbook, removeScratch, textRow } from '../workbooks/raw-workbook.js';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { QUOTA_BYTES_PER_DAY: '60000000' } });
});
afterAll(async () => {
  await server?.stop();
  removeScratch();
});

const blobFolder = (): string => join(server.dataDir, 'blobs');
/** Every stored file, newest last; not what marks that they are this store's. */
function stored(): { path: string; size: number }[] {
  const names = readdirSync(blobFolder(), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'registry-place',
  );
  const files = names.map(({ parentPath, name }) => join(parentPath, name));
  return files
    .map((path) => ({ path, size: statSync(path).size, time: statSync(path).mtimeMs }))
    .sort((a, b) => a.time - b.time);
}
const newest = (): string => stored().at(-1)?.path as string;

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(path, bytes);
}

const DAMAGES: [string, (path: string) => void][] = [
  ['cut short', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ['longer than it was', (path) => writeFileSync(path, 'S999\t2024-01-01\n', { flag: 'a' })],
  ['with one bit changed', (path) => flip(path, Math.floor(statSync(path).size / 2))],
];

describe('an original that is damaged where it lies', () => {
  it.each(DAMAGES)('%s: no result, mapping, errors or copy of it passes for a whole one', async (how, damage) => {
    const small = await server.uploadAndSettle(plainSheet({ tag: `small ${how}`, rows: 50, badEvery: 7 }));
    damage(newest());
    const large = await server.uploadAndSettle(plainSheet({ tag: `large ${how}`, rows: 6_000, badEvery: 200 }));
    damage(newest());
    for (const part of ['result', 'mapping', 'errors', 'original']) {
      const answer = await server.get(`/submissions/${small.id}/${part}`).catch((error: Error) => error);
      if (answer instanceof Error) expect(part).toBe('original');
      else expect([answer.status, answer.json()], part).toMatchObject([500, { code: 'storage.damaged' }]);
      // Its first part has gone out before the damage is met: the connection is cut, or the answer is the error.
      const other = await server.get(`/submissions/${large.id}/${part}`).catch((error: Error) => error);
      if (!(other instanceof Error)) expect(other.status, part).toBe(500);
    }
  });

  it('is not registered from either, and goes on when it is as it was', async () => {
    const held = await startServer({ env: { WORKERS: '0' } });
    const answer = await held.upload(plainSheet({ tag: 'waiting', rows: 3_000 }));
    const id = submissionIdOf(answer);
    const { dataDir } = held;
    const path = readdirSync(join(dataDir, 'blobs'), { recursive: true })
      .map((name) => join(dataDir, 'blobs', String(name)))
      .find((name) => name.endsWith(id)) as string;
    const bytes = await readFile(path);
    flip(path, 90_000);
    const working = await startServer({ dataDir, env: { ADMIN_TOKEN: held.adminToken } });
    const failed = await working.settled(id);
    expect(failed).toMatchObject({ submissionStatus: 'FAILED', problem: { code: 'storage.damaged', retryable: true } });
    expect(failed.counts.rows).toBe(0);
    writeFileSync(path, bytes);
    await working.call(`/submissions/${id}/retry`, { method: 'POST' });
    expect((await working.settled(id)).counts.created).toBe(3_000);
    await working.stop();
    await held.stop();
  });
});

const rowsOf = (count: number, cell: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => textRow(n + 2, `W${n}`, cell(n))).join('');
const asWorkbook = { name: 'book.xlsx', options: { releaseDate: '2024-01-01' } };

describe('the text of a workbook', () => {
  it('is read anew when the workbook comes again after both were removed, as the settings for keeping say', async () => {
    const rows = ['one', 'two'].map((name, at) => textRow(at + 2, name, 'green'));
    const workbook = readFileSync(await rawWorkbook([{ data: HEADER + rows.join('') }]));
    const first = await server.upload(workbook, asWorkbook);
    expect(first.status, first.text).toBe(201);
    const store = await openStore(`sqlite:${join(server.dataDir, 'registry.db')}`, { prefix: 'SAMR' });
    const days = { originals: 1, ledgers: 0, idempotencyKeys: 0, webhookDeliveries: 0, audit: 0 };
    const now = Date.now() + 2 * 86_400_000;
    await purge({ store, blobs: await openFilesystemBlobs(blobFolder()), expireAudit: () => [], now }, days);
    await store.close();
    expect(stored()).toEqual([]);
    expect((await server.get(`/submissions/${submissionIdOf(first)}/result`)).status).toBe(404);
    const again = await server.upload(workbook, asWorkbook);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(stored()).toHaveLength(2);
    expect((await server.get(`/submissions/${submissionIdOf(first)}/result`)).text).toBe(first.text);
  });

  it('is kept in no more room than the workbook takes, counted, and made again when it is lost or damaged', async () => {
    const path = await rawWorkbook([{ data: HEADER + rowsOf(3_000, () => 'liver '.repeat(500)) }]);
    const before = stored();
    const { id } = await server.uploadAndSettle(await readFile(path), asWorkbook);
    const [workbook, text] = stored().slice(before.length) as [{ size: number }, { path: string; size: number }];
    expect(text.path).toContain('.table');
    expect(text.size).toBeLessThan(4 * workbook.size);
    const whole = await server.result(id);
    expect(whole.split('\n').length).toBeGreaterThan(3_000);
    rmSync(text.path);
    expect(await server.result(id)).toBe(whole);
    truncateSync(text.path, 1000);
    expect(await server.result(id)).toBe(whole);
    flip(text.path, Math.floor(text.size / 2));
    const damaged = await server.get(`/submissions/${id}/result`).catch((error: Error) => error);
    if (!(damaged instanceof Error)) expect(damaged.status).toBe(500);
    expect(await server.result(id)).toBe(whole);
  });

  it('that no compression makes small is refused, counted or not, and nothing of it stays', async () => {
    // One random text, further apart than compression looks back, in every row.
    const noise = Array.from({ length: 8 }, () => randomBytes(24_000).toString('base64'));
    const texts = noise.map((text) => `<si><t>${text}</t></si>`).join('');
    const cells = Array.from(
      { length: 900 },
      (_, n) =>
        `<row r="${n + 2}"><c r="A${n + 2}" t="inlineStr"><is><t>N${n}</t></is></c><c r="B${n + 2}" t="s"><v>${n % 8}</v></c></row>`,
    ).join('');
    const strings = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${texts}</sst>`;
    const path = await rawWorkbook([{ data: HEADER + cells }], { 'xl/sharedStrings.xml': strings });
    const before = stored().length;
    const token = await server.token('noisy');
    const answer = await server.upload(await readFile(path), { ...asWorkbook, token });
    expect([answer.status, answer.json()]).toMatchObject([413, { code: 'file.too-large' }]);
    expect(stored().filter(({ path: kept }) => kept.endsWith('.table')).length).toBeLessThanOrEqual(before);
    expect(stored().reduce((sum, { size }) => sum + size, 0)).toBeLessThan(30_000_000);
  });
});

describe('a store that was emptied', () => {
  it('does not begin to give the same accessions again', async () => {
    const first = await startServer();
    await first.uploadAndSettle(plainSheet({ tag: 'first', rows: 3 }));
    await first.kill('SIGKILL');
    await first.othersEnded();
    const { dataDir, adminToken } = first;
    for (const name of readdirSync(dataDir)) {
      if (name.startsWith('registry.db')) rmSync(join(dataDir, name));
    }
    const again = startServer({ dataDir, env: { ADMIN_TOKEN: adminToken } });
    await expect(again).rejects.toThrow(/accessions would be given again/);
    rmSync(join(dataDir, 'audit'), { recursive: true });
    const anew = await startServer({ dataDir, env: { ADMIN_TOKEN: adminToken } });
    expect((await anew.get('/health/ready')).status).toBe(200);
    await anew.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
});

describe('a sheet of samples to edit', () => {
  it('hands nobody formulas of another account as text that a spreadsheet calculates', async () => {
    const eve = await server.token('eve');
    const rows = ['=HYPERLINK("http://evil")', '+1+cmd|x', '-2+3', '@SUM(1)', '-5', '+4.5e3'].map(
      (cell, n) => `E${n}\t2024-01-01\t"${cell.replaceAll('"', '""')}"\n`,
    );
    const file = `Sample Name\tRelease Date\tCharacteristics[note]\n${rows.join('')}`;
    const { id } = await server.uploadAndSettle(file, { token: eve });
    const pairs = (await server.mapping(id, eve)).sampleNameAccessionPairs;
    const list = pairs.map(({ sampleAccession }) => sampleAccession).join(',');
    const cells = async (token: string | null) =>
      (await server.get(`/samples/template?accession=${list}`, { token })).text.split(/[\t\n]/);
    const isFormula = (cell: string): boolean => /^"?(=HYP|\+1\+cmd|-2\+3|@SUM)/.test(cell);
    expect((await cells(eve)).filter(isFormula), 'their own are theirs').toHaveLength(4);
    const others = await cells(await server.token('ann'));
    expect(others.filter(isFormula)).toEqual([]);
    expect(others).toEqual(expect.arrayContaining(['-5', '+4.5e3']));
    expect(others.filter((cell) => cell.includes('is left out'))).toHaveLength(4);
  });
});

describe('a file that was stored by a service which was killed before it became a submission', () => {
  it('is taken away a day later, with the text of its workbook, and no file that a submission has', async () => {
    const own = await startServer({ dataDir: mkdtempSync(join(tmpdir(), 'killed-')) });
    const files = join(own.dataDir, 'blobs');
    const names = (): string[] =>
      readdirSync(files, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /^[\da-f]{2}$/.test(basename(entry.parentPath)))
        .map(({ name }) => name)
        .sort();
    const rows = ['one', 'two'].map((name, at) => textRow(at + 2, name, 'green'));
    const workbook = readFileSync(await rawWorkbook([{ data: HEADER + rows.join('') }]));
    expect((await own.upload(workbook, asWorkbook)).status).toBe(201);
    const before = names();
    // Whoever holds the lock of writing keeps uploads from becoming submissions.
    const lock = new Database(join(own.dataDir, 'registry.db'), { timeout: 60_000 });
    lock.exec('BEGIN IMMEDIATE');
    const cut = own.upload(workbook, { ...asWorkbook, options: { ...asWorkbook.options, duplicate: 'allow' } });
    const ended = expect(cut).rejects.toThrow();
    while (names().length < before.length + 2) await new Promise((resolve) => setTimeout(resolve, 10));
    await own.kill('SIGKILL');
    await ended;
    lock.exec('ROLLBACK');
    lock.close();
    await own.othersEnded();
    const store = await openStore(`sqlite:${join(own.dataDir, 'registry.db')}`, { prefix: 'SAMR' });
    const days = { originals: 0, ledgers: 0, idempotencyKeys: 0, webhookDeliveries: 0, audit: 0 };
    const purged = async (now: number) =>
      (await purge({ store, blobs: await openFilesystemBlobs(files), expireAudit: () => [], now }, days)).unaccepted;
    expect([await purged(Date.now() + 86_000_000), names().length]).toEqual([0, before.length + 2]);
    expect([await purged(Date.now() + 87_000_000), names()]).toEqual([1, before]);
    expect(readdirSync(join(files, 'pending'))).toEqual([]);
    await store.close();
    rmSync(own.dataDir, { recursive: true, force: true });
  });
});
