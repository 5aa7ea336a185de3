import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openBlobs } from '../../src/blobs/open.js';
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
