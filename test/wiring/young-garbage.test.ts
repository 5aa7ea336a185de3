import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openBlobs } from '../../src/blobs/open.js';
import type { Blobs } from '../../src/submissions/blobs.js';
import { collectedAfter } from '../../src/wiring/young-garbage.js';

const MEBI = 2 ** 20;
const BLOCK = 64 * 1024;

it('what was written of an upload does not lie about until the next one', async () => {
  const folder = await openBlobs(`file:${mkdtempSync(join(tmpdir(), 'young-garbage-'))}`);
  const blobs = collectedAfter(folder);
  let most = 0;
  const upload = async function* (): AsyncGenerator<Buffer> {
    for (let at = 0; at < 40 * MEBI; at += BLOCK) {
      yield Buffer.alloc(BLOCK, at);
      most = Math.max(most, process.memoryUsage().arrayBuffers);
    }
  };
  const before = process.memoryUsage().arrayBuffers;
  const { size } = await blobs.put('upload', upload(), { maxBytes: 100 * MEBI });
  expect(size).toBe(40 * MEBI);
  expect(most - before).toBeLessThan(20 * MEBI);
});

it('storage that is an instance of a class keeps its methods', async () => {
  class Stored {
    #checked = 0;
    async put(): Promise<never> {
      throw new Error('nothing is stored here');
    }
    async check(): Promise<number> {
      return ++this.#checked;
    }
  }
  const blobs = collectedAfter(new Stored() as unknown as Blobs);
  expect(await blobs.check()).toBe(1);
  await expect(blobs.put('a', (async function* () {})(), { maxBytes: 1 })).rejects.toThrow('nothing is stored');
});
