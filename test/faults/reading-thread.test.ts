/** The thread that reads large files, as it is built: used again by the next file, and never when something is left in it. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBlobs } from '../../src/blobs/open.js';
import { RegistryError } from '../../src/registry/errors.js';
import type { Blobs } from '../../src/submissions/blobs.js';
import type { StoreQuestions } from '../../src/submissions/reading/read-task.js';
import { type ReadingThreadData, readInThread } from '../../src/submissions/reading/reading-thread.js';
import type { UploadOptions } from '../../src/submissions/submission.js';
import { ROOT } from '../support/output.js';

const ENTRY = pathToFileURL(join(ROOT, 'dist', 'workers', 'reading-thread.js'));
const options: UploadOptions = {
  mode: 'partial',
  update: 'replace',
  dryRun: false,
  duplicate: 'reuse',
  unknownColumns: 'ignore',
};
const ask: StoreQuestions = {
  ownersOf: async () => new Map(),
  knownKeys: async () => ({ samples: new Map(), keys: new Map() }),
  reserve: async () => 1,
  openRelationships: async () => 0,
  storedForEdit: async () => [],
};

describe('the reading thread', () => {
  let folder: string;
  let blobs: Blobs;
  let threads: Worker[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reading-thread-'));
    blobs = await openBlobs(pathToFileURL(folder).href);
    threads = [];
  });
  afterEach(async () => {
    for (const thread of threads) await thread.terminate();
    await blobs.close();
    rmSync(folder, { recursive: true });
  });

  const reading = (idleMs?: number) => {
    const workerData: ReadingThreadData = { blobUrl: pathToFileURL(folder).href };
    const spawn = (): Worker => {
      const thread = new Worker(ENTRY, { workerData });
      threads.push(thread);
      return thread;
    };
    const { read: readApart } = readInThread(spawn, idleMs);
    let files = 0;
    return async (text: string) => {
      const key = `file-${++files}`;
      const { size, sha256 } = await blobs.put(key, bytesOf(text), { maxBytes: 1_000_000 });
      const task = {
        options,
        prefix: 'SAMR',
        account: 'ada',
        admin: false,
        batchRows: 100,
        accepted: 0,
        cursor: 0,
        registers: false,
        fileSize: size,
      };
      return readApart({ key, size, sha256 }, task, ask);
    };
  };
  async function* bytesOf(text: string) {
    yield Buffer.from(text);
  }
  const sheet = (rows: number): string =>
    `Sample Name\tRelease Date\n${Array.from({ length: rows }, (_, at) => `s${at}\t2020-01-01\n`).join('')}`;
  const rowsOf = async (batches: AsyncIterable<{ lines: { length: number } }>): Promise<number> => {
    let rows = 0;
    for await (const { lines } of batches) rows += lines.length;
    return rows;
  };

  it('reads one file after the other, whole each time, also after one that cannot be read', async () => {
    const read = reading();
    for (const rows of [1_000, 1, 750]) expect(await rowsOf(await read(sheet(rows)))).toBe(rows);
    await expect(rowsOf(await read('neither\tnor\n1\t2\n'))).rejects.toThrow(RegistryError);
    expect(await rowsOf(await read(sheet(600)))).toBe(600);
    expect(threads).toHaveLength(1);
  });

  it('is another one for a file that is read beside it, and after one that was left in the middle', {
    tags: 'slow',
  }, async () => {
    const read = reading();
    expect(await Promise.all([rowsOf(await read(sheet(900))), rowsOf(await read(sheet(800)))])).toEqual([900, 800]);
    expect(threads).toHaveLength(2);
    for await (const batch of await read(sheet(900))) {
      expect(batch.lines).toHaveLength(100);
      break;
    }
    expect(await rowsOf(await read(sheet(700)))).toBe(700);
    expect(threads).toHaveLength(3);
  });

  it('is another one when it died while it had nothing to read, and ends when it has nothing to read for long', async () => {
    const read = reading(50);
    expect(await rowsOf(await read(sheet(300)))).toBe(300);
    await once(threads[0] as Worker, 'exit');
    expect(await rowsOf(await read(sheet(300)))).toBe(300);
    await (threads[1] as Worker).terminate();
    expect(await rowsOf(await read(sheet(300)))).toBe(300);
    expect(threads).toHaveLength(3);
  });
});
