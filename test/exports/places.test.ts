/** Whoever has all bytes of a whole result has its place back, before the connection is done with. */
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { partPath } from '../../src/exports/growing-file.js';
import { EXPORTS_OF_ONE, type ExportRequest, SampleExports } from '../../src/exports/sample-exports.js';
import { openStore } from '../../src/store/open.js';
import { exportHere } from '../../src/wiring/compose-exports.js';

const ALL: ExportRequest = { filters: [], format: 'tsv', curated: false, registry: 'http://registry.example' };
const TOO_MANY = { code: 'rate.limited' };

async function emptyRegistry(
  folder = mkdtempSync(join(tmpdir(), 'exports-')),
  onStart: (path: string) => void = () => undefined,
): Promise<SampleExports> {
  const store = await openStore(`sqlite:${join(folder, 'registry.db')}`, { prefix: 'SAMR' });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const here = exportHere(store, { prefix: 'SAMR', now: Date.now });
  const start: typeof here.start = (order, target, events) => {
    onStart(target.path);
    return here.start(order, target, events);
  };
  return new SampleExports({ start, store, folder: join(folder, 'files'), prefix: 'SAMR', now: Date.now });
}

it('gives its place back before its last bytes are handed on', async () => {
  const exports = await emptyRegistry();
  const begin = async () => exports.begin(ALL, undefined, 'ada');
  const made = await Promise.all(Array.from({ length: EXPORTS_OF_ONE }, begin));
  await expect(begin()).rejects.toMatchObject(TOO_MANY);
  for (const { file } of made) {
    let bytes = 0;
    for await (const piece of file.read()) {
      bytes += piece.length;
      if (bytes === file.size) break;
    }
    expect(bytes).toBe(file.size);
  }
  const next = await Promise.all(Array.from({ length: EXPORTS_OF_ONE }, begin));
  await Promise.all(made.map(({ end }) => end()));
  await expect(begin(), 'a place is given back once').rejects.toMatchObject(TOO_MANY);
  await Promise.all(next.map(({ end }) => end()));
});

it('keeps its place while bytes are left, and gives it back when it is not wanted', async () => {
  const exports = await emptyRegistry();
  const begin = async () => exports.begin(ALL, undefined, 'ada');
  const made = await Promise.all(Array.from({ length: EXPORTS_OF_ONE }, begin));
  await expect(begin()).rejects.toMatchObject(TOO_MANY);
  await made[0]?.end();
  await (await begin()).end();
  await made[1]?.end();
});

it('gives its place back where its files cannot be removed, which is done when they can', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'exports-'));
  const files = join(folder, 'files');
  // Of a result that is larger than what waits in memory.
  const exports = await emptyRegistry(folder, (path) => writeFileSync(partPath(path, 7), ''));
  for (let times = 0; times <= EXPORTS_OF_ONE; times++) {
    const made = await exports.begin(ALL, undefined, 'ada');
    renameSync(files, join(folder, 'away'));
    await made.end();
    renameSync(join(folder, 'away'), files);
  }
  expect(readdirSync(files)).toHaveLength(EXPORTS_OF_ONE + 1);
  await (await exports.begin(ALL, undefined, 'ada')).end();
  await expect.poll(() => readdirSync(files)).toEqual([]);
});

it('is made in a place that no client holds by reading slowly: others are served while many are sent', async () => {
  const exports = await emptyRegistry();
  const begin = async (who: string) => exports.begin(ALL, undefined, who);
  const sent = [];
  for (let at = 0; at < 3; at++) sent.push(...(await Promise.all([begin(`slow ${at}`), begin(`slow ${at}`)])));
  await expect(begin('slow 0')).rejects.toMatchObject(TOO_MANY);
  await (await begin('other')).end();
  await Promise.all(sent.map(({ end }) => end()));
});
