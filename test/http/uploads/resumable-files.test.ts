import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Upload } from '@tus/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ResumableFiles } from '../../../src/http/uploads/resumable-files.js';

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
  it('have their folder before the first of them, or are refused at once where there can be none', () => {
    const below = join(folder, 'new', 'folder');
    expect(new ResumableFiles(below, DAY_MS) && existsSync(below)).toBe(true);
    writeFileSync(join(folder, 'file'), '');
    expect(() => new ResumableFiles(join(folder, 'file', 'below'), DAY_MS)).toThrow('ENOTDIR');
  });

  it('are not taken for absent while they cannot be looked at', async () => {
    await begun('a', 10);
    await files.write(Readable.from([Buffer.from('abc')]), 'a', 0);
    rmSync(join(folder, 'a.kept'));
    expect((await files.getUpload('a')).offset).toBe(3);
    mkdirSync(join(folder, 'a.kept'));
    await expect(files.getUpload('a')).rejects.toMatchObject({ code: 'EISDIR' });
    symlinkSync(join(folder, 'b'), join(folder, 'b'));
    expect(await files.deleteExpired()).toBe(0);
    expect(readdirSync(folder)).toContain('b');
  });

  it('do not stay for as long as the clock was ahead when they were begun, and hold no place of their account', async () => {
    await begun('a month ahead', 100, -30 * DAY_MS);
    await begun('an hour ahead', 100, -3_600_000);
    expect(await files.promisedTo('')).toBe(200);
    expect(await files.deleteExpired()).toBe(1);
    expect(await files.promisedTo('')).toBe(100);
    expect(readdirSync(folder).sort()).toEqual(['an hour ahead', 'an hour ahead.json', 'an hour ahead.kept']);
  });

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

  it.each(['without', 'with'])(
    '%s a checksum are as long as what is on the disk, whatever a power cut leaves behind it',
    async (how) => {
      const write = (id: string, text: string, offset: number): Promise<number> => {
        const value = createHash('sha256').update(text).digest('base64');
        const piece = Readable.from([Buffer.from(text)]);
        return files.declared.run(how === 'with' ? { algorithm: 'sha256', value } : undefined, () =>
          files.write(piece, id, offset),
        );
      };
      await begun('cut', 9);
      expect((await files.getUpload('cut')).offset).toBe(0);
      expect(await write('cut', 'abc', 0)).toBe(3);
      // The length of a file may come to the disk before its bytes.
      truncateSync(join(folder, 'cut'), 9);
      files = new ResumableFiles(folder, DAY_MS);
      expect((await files.getUpload('cut')).offset).toBe(3);
      expect(await write('cut', 'defghi', 3)).toBe(9);
      expect((await files.getUpload('cut')).offset).toBe(9);
      expect(readFileSync(join(folder, 'cut'), 'utf8')).toBe('abcdefghi');
      await files.remove('cut');
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('are 200 of an account at most, also when they begin at the same moment, and a place is free again when one goes', async () => {
    const begin = (id: number, account: string) =>
      files.create(new Upload({ id: `u${id}`, size: 5, offset: 0, metadata: { account } }));
    const begun = await Promise.allSettled(Array.from({ length: 220 }, (_, id) => begin(id, 'lab-1')));
    const refused = begun.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(20);
    expect(refused[0]?.reason).toMatchObject({ code: 'rate.limited', detail: { extra: { retryAfter: 600 } } });
    expect(refused[0]?.reason.message).toMatch(/^There are 200 unfinished uploads of this account, and 200 of all; /);
    await expect(files.promisedTo('lab-1')).rejects.toThrow('There are 200 unfinished uploads');
    expect(await files.promisedTo('lab-2')).toBe(0);
    await files.remove('u0');
    expect(await files.promisedTo('lab-1')).toBe(199 * 5);
  });

  it('count only while they are begun: one that could not be written down takes no place', async () => {
    expect(await files.promisedTo('lab-1')).toBe(0);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    const metadata = { account: 'lab-1' };
    await expect(files.create(new Upload({ id: 'lost', size: 5, offset: 0, metadata }))).rejects.toThrow();
    expect(await files.promisedTo('lab-1')).toBe(0);
  });

  it('keep what has arrived of a piece that breaks off, and nothing of one that is not what its checksum says', async () => {
    await begun('broken', 9);
    const breaks = Readable.from(
      (async function* () {
        yield Buffer.from('abc');
        throw new Error('the connection is gone');
      })(),
    );
    await expect(files.write(breaks, 'broken', 0)).rejects.toMatchObject({ status_code: 500 });
    expect((await files.getUpload('broken')).offset).toBe(3);
    const wrong = { algorithm: 'sha256', value: 'AAAA' } as const;
    const sent = () => files.write(Readable.from([Buffer.from('def')]), 'broken', 3);
    await expect(files.declared.run(wrong, sent)).rejects.toMatchObject({ status_code: 460 });
    expect((await files.getUpload('broken')).offset).toBe(3);
  });

  it('of earlier versions, of which is only known how long they are, go on from there', async () => {
    await begun('earlier', 9);
    await files.write(Readable.from([Buffer.from('abc')]), 'earlier', 0);
    rmSync(join(folder, 'earlier.kept'));
    expect((await files.getUpload('earlier')).offset).toBe(3);
    expect(await files.write(Readable.from([Buffer.from('def')]), 'earlier', 3)).toBe(6);
    expect((await files.getUpload('earlier')).offset).toBe(6);
  });

  it('are known, and whole, to who asks while they become a submission', async () => {
    const size = 64 * 1024;
    await begun('asked', size);
    await files.write(Readable.from([Buffer.alloc(size, 7)]), 'asked', 0);
    let marked = false;
    const marking = files.markSubmitted('asked', 'id').finally(() => {
      marked = true;
    });
    const asking = Array.from({ length: 8 }, async () => {
      while (!marked) expect(await files.getUpload('asked')).toMatchObject({ size, offset: size });
    });
    await Promise.all([marking, ...asking]);
    expect(readdirSync(folder).sort()).toEqual(['asked', 'asked.json', 'asked.kept']);
    writeFileSync(join(folder, 'asked.json.new'), '{');
    await files.remove('asked');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are whole also to who asks while they become one between two looks', async () => {
    const size = 64 * 1024;
    await begun('between', size);
    await files.write(Readable.from([Buffer.alloc(size, 7)]), 'between', 0);
    const { configstore } = files;
    const get = configstore.get.bind(configstore);
    let looks = 0;
    configstore.get = async (id) => {
      const known = await get(id);
      if (looks++ === 0) await files.markSubmitted(id, 'id');
      return known;
    };
    expect(await files.getUpload('between')).toMatchObject({ size, offset: size, metadata: { submission: 'id' } });
  });

  it('keep all that is remembered of one at once', async () => {
    await begun('both', 1);
    const asked = [1, 2, 3].map((n) => files.remember('both', { [`more${n}`]: 'x' }));
    await Promise.all([files.markSubmitted('both', 'an id'), ...asked]);
    expect((await files.getUpload('both')).metadata).toEqual({
      submission: 'an id',
      more1: 'x',
      more2: 'x',
      more3: 'x',
    });
    expect(await files.remember('none', {})).toBe(false);
  });

  it('give their disk space back when they have become a submission, and keep their size for who asks', async () => {
    const size = 1024 * 1024;
    await begun('big', size);
    await files.write(Readable.from([Buffer.alloc(size, 7)]), 'big', 0);
    expect(statSync(join(folder, 'big')).blocks * 512).toBeGreaterThanOrEqual(size);
    await files.markSubmitted('big', 'id-of-the-submission');
    expect(statSync(join(folder, 'big')).blocks * 512).toBeLessThan(16 * 1024);
    const known = { size, offset: size, metadata: { submission: 'id-of-the-submission' } };
    expect(await files.getUpload('big')).toMatchObject(known);
    // As earlier versions left it, and as a kill between two steps did.
    for (const length of [size, 0]) {
      truncateSync(join(folder, 'big'), length);
      expect(await files.getUpload('big')).toMatchObject(known);
    }
  });
});
