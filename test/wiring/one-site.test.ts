/** Processes on one store whose settings differ in what they must agree on. */
import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBlobs } from '../../src/blobs/open.js';
import { RegistryError } from '../../src/registry/errors.js';
import { openStore, type Store } from '../../src/store/open.js';
import type { Blobs } from '../../src/submissions/blobs.js';
import { bringSiteFiles, requireSiteFiles } from '../../src/wiring/site-files.js';
import { createSample, draft } from '../many-machines/store-samples.js';
import { runProgram } from '../support/command.js';

let folder: string;
let store: Store;
const url = () => `sqlite:${join(folder, 'registry.db')}`;
const place = (name: string) => `file:${join(folder, name)}`;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'one-site-'));
  store = await openStore(url(), { prefix: 'SAMR' });
  await store.ensureAccount('ada', 1);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

describe('a process with another ACCESSION_PREFIX', () => {
  const other = () => openStore(url(), { prefix: 'ABC' });

  it('is refused from the first start on, and hears how to begin anew where nothing is registered', async () => {
    await expect(other()).rejects.toThrow(
      `The accessions of this store begin with SAMR, and ACCESSION_PREFIX is ABC: set it to SAMR, as all processes on the store have it. No sample is in it yet: to begin with ABC all the same, take away ${join(folder, 'registry.db')}.`,
    );
    await createSample(store, 'ada', 0);
    await expect(other()).rejects.toThrow(/as all processes on the store have it\.$/);
    await (await openStore(url(), { prefix: 'SAMR' })).close();
  });

  it('ends with what to set', { tags: 'slow' }, async () => {
    for (const command of [['worker'], ['serve'], ['backup', join(folder, 'backup')]]) {
      const ended = await runProgram(command, { env: { DATA_DIR: folder, ACCESSION_PREFIX: 'ABC', PORT: '0' } });
      expect(ended.stderr, command[0]).toContain('set it to SAMR');
      expect(ended.code, command[0]).toBe(1);
    }
  });
});

describe('a process with another place for uploaded files', () => {
  const opened: Blobs[] = [];
  const at = async (name: string) => {
    const blobs = await openBlobs(place(name));
    opened.push(blobs);
    return blobs;
  };
  const unknown: unknown[] = [];
  const start = async (name: string, on: Store = store) =>
    requireSiteFiles({ store: on, blobs: await at(name), url: place(name) }, (error) => unknown.push(error), {
      patienceMs: 0,
    });
  const upload = async (blobs: Blobs) => {
    const id = randomUUID();
    await blobs.put(id, bytes('x'), { maxBytes: 1 });
    await store.accept(draft('ada', { id, blobKey: id, fileSize: 1 }), { sameBytes: false });
  };
  beforeEach(() => {
    unknown.length = 0;
  });
  afterEach(async () => {
    for (const blobs of opened.splice(0)) await blobs.close();
  });

  it('is refused before the first upload already, and says where it looked and what to do', async () => {
    await start('blobs');
    await start('blobs');
    await expect(start('elsewhere')).rejects.toThrow(
      /^BLOB_URL is file:\S+elsewhere, and the uploaded files of this store lie elsewhere: set BLOB_URL .+ as the other processes on the store have it.+ write [\da-f-]{36} into \S+elsewhere\S+registry-place\.$/,
    );
    expect(unknown).toEqual([]);
  });

  it('is let in where the files were copied there, or where a restore brought them', async () => {
    await start('blobs');
    cpSync(join(folder, 'blobs'), join(folder, 'copied'), { recursive: true });
    await start('copied');
    await bringSiteFiles({ store, blobs: await at('restored') });
    await start('restored');
    await start('blobs');
  });

  it('knows a place that another store has, too, and is of that one after a restore into it', async () => {
    const second = await openStore(`sqlite:${join(folder, 'second.db')}`, { prefix: 'SAMR' });
    await start('blobs');
    await start('blobs', second);
    await start('own', await emptied(second));
    await expect(start('blobs', second)).rejects.toThrow('lie elsewhere');
    await bringSiteFiles({ store: second, blobs: await at('blobs') });
    await start('blobs', second);
    await second.close();
  });

  it('of a store of before the marks makes no place its own that has none of the last uploads', async () => {
    await upload(await at('blobs'));
    await start('elsewhere');
    expect(unknown).toEqual([new Error(`None of the last uploads of this store lies in ${place('elsewhere')}.`)]);
    await start('blobs');
    await expect(start('elsewhere')).rejects.toThrow('lie elsewhere');
  });

  it('is taken by a service with workers of its own where no store has marked it, and it says what is lost', async () => {
    await upload(await at('blobs'));
    await start('blobs');
    const said: string[] = [];
    const begin = async (name: string) =>
      requireSiteFiles({ store, blobs: await at(name), url: place(name) }, (error) => unknown.push(error), {
        patienceMs: 0,
        beginAnew: (why) => said.push(why),
      });
    await begin('blobs');
    expect(said).toEqual([]);
    await begin('empty');
    expect(said).toEqual([expect.stringContaining('lie elsewhere')]);
    await begin('empty');
    await start('empty');
    expect(said).toHaveLength(1);
    await expect(begin('blobs'), 'it is marked').rejects.toThrow('lie elsewhere');
    expect(unknown).toEqual([]);
  });

  it('gets its mark anew where one of the last uploads lies, as whoever settled on it may have ended before', async () => {
    const blobs = await at('blobs');
    await upload(blobs);
    await start('blobs');
    const mark = blobs.localPath?.('registry-place') as string;
    rmSync(mark);
    await expect(start('elsewhere')).rejects.toThrow('lie elsewhere');
    await start('blobs');
    expect(readFileSync(mark, 'utf8')).toBe(await store.settled('files'));
  });

  it('is settled once by all that start at the same moment', async () => {
    const blobs = await at('blobs');
    const site = { store, blobs, url: place('blobs') };
    await Promise.all(Array.from({ length: 5 }, () => requireSiteFiles(site, (error) => unknown.push(error))));
    expect(unknown).toEqual([]);
    const mark = readFileSync(blobs.localPath?.('registry-place') as string, 'utf8');
    expect(await store.settled('files')).toBe(mark);
  });

  it('ends with what to set', { tags: 'slow' }, async () => {
    await start('blobs');
    const env = { DATA_DIR: folder, BLOB_URL: place('elsewhere'), PORT: '0' };
    const commands = [['worker'], ['purge'], ['backup', join(folder, 'backup')]];
    for (const ended of await Promise.all(commands.map((command) => runProgram(command, { env })))) {
      expect(ended.stderr).toContain('lie elsewhere');
      expect(ended.code).toBe(1);
    }
  });

  it('starts while the files are away, and a place that cannot be written is not settled', async () => {
    const away = new RegistryError('service.unavailable', 'The storage is away.');
    const full = { ...(await at('blobs')), put: () => Promise.reject(away) };
    await requireSiteFiles({ store, blobs: full, url: place('blobs') }, (error) => unknown.push(error), {
      patienceMs: 0,
    });
    expect(unknown).toEqual([away]);
    expect(await store.settled('files')).toBeUndefined();
    await start('blobs');
  });
});

it('a worker by itself makes no store of its own', { tags: 'slow' }, async () => {
  const ended = await runProgram(['worker'], { env: { DATA_DIR: join(folder, 'new') } });
  expect(ended.stderr).toMatch(/There is no store at \S+new\S+registry\.db\. Set DATA_DIR or STORE_URL/);
  expect(ended.code).toBe(1);
});

async function* bytes(text: string) {
  yield Buffer.from(text);
}

/** Of which place its files are is open again. */
async function emptied(of: Store): Promise<Store> {
  await of.settleAnew('files', undefined);
  return of;
}
