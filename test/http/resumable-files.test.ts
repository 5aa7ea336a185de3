import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Upload } from '@tus/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ResumableFiles } from '../../src/http/resumable-files.js';

const DAY_MS = 24 * 3600_000;
let folder: string;
let files: ResumableFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resumable-'));
  files = new ResumableFiles(folder, DAY_MS);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function begun(id: string, size: number, ageMs = 0): Promise<void> {
  const creation_date = new Date(Date.now() - ageMs).toISOString();
  await files.create(new Upload({ id, size, offset: 0, creation_date, metadata: {} }));
}

describe('files of resumable uploads', () => {
  it('go when their time is over: empty, unfinished, finished, and those whose pieces are lost already', async () => {
    await begun('empty', 0, 2 * DAY_MS);
    await begun('unfinished', 100, 2 * DAY_MS);
    await begun('lost', 100, 2 * DAY_MS);
    rmSync(join(folder, 'lost'));
    await begun('finished', 3, 2 * DAY_MS);
    await files.write(Readable.from([Buffer.from('abc')]), 'finished', 0);
    await begun('young', 0);
    expect(await files.deleteExpired()).toBe(4);
    expect(await files.configstore.list?.()).toEqual(['young']);
    expect(['empty', 'unfinished', 'finished'].filter((id) => existsSync(join(folder, id)))).toEqual([]);
    expect(existsSync(join(folder, 'young'))).toBe(true);
  });

  it('give their disk space back when they have become a submission, and keep their size for who asks', async () => {
    const size = 1024 * 1024;
    await begun('big', size);
    await files.write(Readable.from([Buffer.alloc(size, 7)]), 'big', 0);
    expect(statSync(join(folder, 'big')).blocks * 512).toBeGreaterThanOrEqual(size);
    await files.markSubmitted('big', 'id-of-the-submission');
    expect(statSync(join(folder, 'big')).blocks * 512).toBeLessThan(16 * 1024);
    const upload = await files.getUpload('big');
    expect(upload).toMatchObject({ size, offset: size, metadata: { submission: 'id-of-the-submission' } });
  });
});
