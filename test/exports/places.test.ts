/** Whoever has all bytes of a whole result has its place back, before the connection is done with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { EXPORTS_OF_ONE, type ExportRequest, SampleExports } from '../../src/exports/sample-exports.js';
import { openStore } from '../../src/store/open.js';
import { exportHere } from '../../src/wiring/compose-exports.js';

const ALL: ExportRequest = { filters: [], format: 'tsv', curated: false, registry: 'http://registry.example' };
const TOO_MANY = { code: 'rate.limited' };

async function emptyRegistry(): Promise<SampleExports> {
  const folder = mkdtempSync(join(tmpdir(), 'exports-'));
  const store = await openStore(`sqlite:${join(folder, 'registry.db')}`, { prefix: 'SAMR' });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const { start } = exportHere(store, { prefix: 'SAMR', now: Date.now });
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
