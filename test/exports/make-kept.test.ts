/** Whole results that are made while nobody waits, where the store or the disk fails in the middle. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openFilesystemBlobs } from '../../src/blobs/filesystem.js';
import { KeptExports } from '../../src/exports/kept-exports.js';
import { startMaking } from '../../src/exports/make-kept.js';
import { SampleExports } from '../../src/exports/sample-exports.js';
import { RegistryError } from '../../src/registry/errors.js';
import type { KeptExportStore } from '../../src/registry/search/kept-export-store.js';
import { openStore } from '../../src/store/open.js';
import { exportHere } from '../../src/wiring/compose-exports.js';

const ADA = { account: 'ada', admin: false, scopes: ['read' as const] };
const REQUEST = {
  text: undefined,
  filters: [],
  format: 'tsv' as const,
  curated: false,
  registry: 'http://registry.example',
};

/** `hurt`: what is wrong with the store of the process that makes them. */
async function makingOver(hurt: (store: KeptExportStore) => Partial<KeptExportStore>) {
  const folder = mkdtempSync(join(tmpdir(), 'kept-'));
  const options = { prefix: 'SAMR', now: Date.now };
  const store = await openStore(`sqlite:${join(folder, 'registry.db')}`, options);
  const blobs = await openFilesystemBlobs(join(folder, 'blobs'));
  const { start } = exportHere(store, options);
  const exports = new SampleExports({ start, store, folder: join(folder, 'files'), ...options });
  const settings = { keepMs: 3_600_000, ofOne: 5, bytes: { ofOne: 1e6, inAll: 1e6 } };
  const errors: unknown[] = [];
  const making = startMaking({
    store: { ...store, ...hurt(store) },
    blobs,
    exports,
    settings,
    leaseMs: 30_000,
    now: Date.now,
    onError: (error) => errors.push(error),
  });
  const kept = new KeptExports({ store, blobs, settings, ...options, ordered: () => making.nudge() });
  onTestFinished(async () => {
    await making.stop();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const stored = (): string[] =>
    readdirSync(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.export'))
      .map(({ name }) => name);
  return { kept, errors, stored, stop: () => making.stop() };
}

const bytesOf = async (pieces: AsyncIterable<Buffer>): Promise<number> => {
  let bytes = 0;
  for await (const piece of pieces) bytes += piece.length;
  return bytes;
};

it.each([
  ['says that it is away', new RegistryError('service.unavailable', 'Away.', { extra: { retryAfter: 1 } })],
  ['breaks off', new Error('the connection was lost before the answer came')],
])('keeps the file of a result that is complete though the store %s instead of answering', async (_, failure) => {
  let completed = 0;
  const { kept, stored, stop } = await makingOver((store) => ({
    completeExport: async (...asked) => {
      await store.completeExport(...asked);
      completed++;
      throw failure;
    },
  }));
  const { id } = await kept.order(REQUEST, ADA);
  await expect.poll(async () => (await kept.find(id, ADA)).state).toBe('COMPLETED');
  await stop();
  const found = await kept.find(id, ADA);
  expect(found).toMatchObject({ state: 'COMPLETED', attempts: 1 });
  expect(await bytesOf(kept.open(found, found.file as NonNullable<typeof found.file>))).toBe(found.file?.bytes);
  expect(completed).toBe(1);
  await kept.remove(id, ADA);
  expect(stored()).toEqual([]);
});

it('leaves no file of an attempt that the store did not take for complete', { tags: 'slow' }, async () => {
  let tries = 0;
  const { kept, stored } = await makingOver((store) => ({
    completeExport: (...asked) => {
      tries++;
      if (tries < 3)
        return Promise.reject(new RegistryError('service.unavailable', 'Away.', { extra: { retryAfter: 0.01 } }));
      return store.completeExport(...asked);
    },
  }));
  const { id } = await kept.order(REQUEST, ADA);
  await expect.poll(async () => (await kept.find(id, ADA)).state).toBe('COMPLETED');
  await expect.poll(stored).toEqual([`${id}-3.export`]);
});

it('takes away what an attempt stored when the whole result FAILED', async () => {
  const { kept, errors, stored } = await makingOver(() => ({
    completeExport: () => Promise.reject(new Error('out of order')),
  }));
  const { id } = await kept.order(REQUEST, ADA);
  await expect.poll(async () => (await kept.find(id, ADA)).state).toBe('FAILED');
  await expect.poll(stored).toEqual([]);
  await expect.poll(() => errors).toHaveLength(1);
});
