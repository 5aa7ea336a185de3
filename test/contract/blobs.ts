/** What src/submissions/blobs.ts promises, on any adapter. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RegistryError } from '../../src/registry/errors.js';
import type { BlobRange, Blobs } from '../../src/submissions/blobs.js';

const MEBI = 1024 * 1024;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** First byte, and the one behind the last. */
const RANGES = [
  [0, 1],
  [5, 5],
  [1000, 250_000],
  [0, 262_144],
  [1, 1_048_577],
  [7, 2_500_000],
  [0, 3_000_000],
  [2_999_999, 3_000_000],
  [3_000_000, 3_000_001],
  [200_000, 9_999_999],
] as const;

/** In blocks of uneven sizes, as a network delivers them. */
export async function* blocks(bytes: Buffer, failAt = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  for (let at = 0, size = 1; at < bytes.length; at += size, size = ((size * 7) % 200_003) + 1) {
    if (at >= failAt) throw new Error('the sender hung up');
    yield bytes.subarray(at, at + size);
  }
}

export async function readAll(stream: Readable | AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const block of stream) parts.push(Buffer.from(block as Buffer));
  return Buffer.concat(parts);
}

export function blobsContract(name: string, open: () => Promise<Blobs>): void {
  describe(`blobs contract on ${name}`, () => {
    let blobs: Blobs;
    beforeEach(async () => {
      blobs = await open();
    });
    afterEach(async () => {
      await blobs.close();
    });
    const put = (key: string, bytes: Buffer, maxBytes = 100 * MEBI) => blobs.put(key, blocks(bytes), { maxBytes });
    /** `blocks` only where the adapter has it. */
    const waysToOpen = () => {
      const asBlocks = blobs.blocks?.bind(blobs);
      const asStream = (key: string, range?: BlobRange): AsyncIterable<Buffer> => blobs.open(key, range);
      return asBlocks ? [asStream, asBlocks] : [asStream];
    };
    const isMissing = async (key: string): Promise<void> => {
      for (const open of waysToOpen()) await expect(readAll(open(key))).rejects.toMatchObject({ code: 'not-found' });
    };
    const expectRange = async (key: string, whole: Buffer, start: number, end: number): Promise<void> => {
      const expected = whole.subarray(start, end);
      const size = whole.length;
      for (const open of waysToOpen()) {
        for (const range of [
          { start, end },
          { start, end, size },
        ])
          expect((await readAll(open(key, range))).equals(expected), `${start} to ${end} of ${size}`).toBe(true);
      }
    };

    it.each([0, 1, 70_000, 256 * 1024, 256 * 1024 + 1, 16 * MEBI + 17])(
      'gives back %i bytes with their size and sums',
      async (size) => {
        const bytes = randomBytes(size);
        const key = randomUUID();
        expect(await put(key, bytes)).toEqual({ key, size, sha256: sha256(bytes), crc32: crc32(bytes) });
        expect(sha256(await readAll(blobs.open(key)))).toBe(sha256(bytes));
        const path = blobs.localPath?.(key);
        if (path !== undefined) expect(readFileSync(path).equals(bytes)).toBe(true);
      },
    );

    it('names what is pending until it is settled, there or not, and no other blob', async () => {
      const [stays, goes, other] = [1, 2, 3].map(() => randomUUID()) as [string, string, string];
      const stored = await blobs.put(stays, blocks(randomBytes(10)), { maxBytes: MEBI, pendingFor: 'Ada “ä”' });
      await blobs.put(goes, blocks(randomBytes(10)), { maxBytes: MEBI, pendingFor: 'bo' });
      await put(other, randomBytes(10));
      await expect(
        blobs.put(randomUUID(), blocks(randomBytes(1000), 60), { maxBytes: MEBI, pendingFor: 'bo' }),
      ).rejects.toThrow('hung up');
      const mine = async (before: number) =>
        (await blobs.pendingFrom(before, 1000)).filter(({ key }) => [stays, goes, other].includes(key));
      const [past, future] = [-60_000, 60_000].map((by) => Date.now() + by) as [number, number];
      expect(await mine(past)).toEqual([]);
      expect(await mine(future)).toHaveLength(2);
      expect(await blobs.pendingFrom(future, 1)).toHaveLength(1);
      expect(await mine(future)).toContainEqual({ key: stays, sha256: stored.sha256, account: 'Ada “ä”' });
      await blobs.settle(stays);
      await blobs.delete(goes);
      expect((await mine(future)).map(({ key }) => key)).toEqual([goes]);
      await blobs.settle(goes);
      await blobs.settle(goes);
      expect(await blobs.pendingFrom(future, 1000)).toEqual([]);
      expect(await readAll(blobs.open(stays))).toHaveLength(10);
    });

    it('names what was stored before a time, pending or not, and nothing else that lies there', async () => {
      const [settled, pending] = [randomUUID(), randomUUID()] as [string, string];
      await put(settled, randomBytes(10));
      await blobs.put(pending, blocks(randomBytes(10)), { maxBytes: MEBI, pendingFor: 'bo' });
      const named = async (time: number): Promise<string[]> => {
        const keys: string[] = [];
        for await (const some of blobs.storedBefore(time)) keys.push(...some);
        return keys.filter((key) => key.includes(settled) || key.includes(pending)).sort();
      };
      expect(await named(Date.now() - 60_000)).toEqual([]);
      expect(await named(Date.now() + 60_000)).toEqual([settled, pending].sort());
      for (const key of [settled, pending]) await blobs.delete(key);
      await blobs.settle(pending);
    });

    it('gives any range of the bytes', async () => {
      const bytes = randomBytes(3_000_000);
      const few = bytes.subarray(0, 1000);
      const [key, short] = [randomUUID(), randomUUID()];
      await put(key, bytes);
      await put(short, few);
      for (const [start, end] of RANGES) {
        await expectRange(key, bytes, start, end);
        await expectRange(short, few, start, end);
      }
      expect((await readAll(blobs.open(key, { start: 123 }))).equals(bytes.subarray(123))).toBe(true);
      expect((await readAll(blobs.open(key, { end: 123 }))).equals(bytes.subarray(0, 123))).toBe(true);
    });

    it('refuses to open a blob that has not the size that it had, before its first byte', async () => {
      const key = randomUUID();
      await put(key, randomBytes(1000));
      const damaged = { code: 'storage.damaged', message: expect.stringContaining('1000') };
      for (const range of [{ size: 1001 }, { size: 999 }, { size: 1001, end: 10 }, { size: 999, start: 10, end: 20 }]) {
        for (const open of waysToOpen()) {
          const first = open(key, range)[Symbol.asyncIterator]().next();
          await expect(first, JSON.stringify(range)).rejects.toMatchObject(damaged);
        }
      }
      expect(await readAll(blobs.open(key, { size: 1000, end: 10 }))).toHaveLength(10);
      expect(await readAll(blobs.open(key, { size: 1000 }))).toHaveLength(1000);
    });

    it('takes a file of exactly the size allowed, and leaves nothing of one that is a byte larger', async () => {
      const bytes = randomBytes(9 * MEBI);
      const [fits, exceeds] = [randomUUID(), randomUUID()];
      expect((await put(fits, bytes, bytes.length)).size).toBe(bytes.length);
      const refusal = await put(exceeds, bytes, bytes.length - 1).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(RegistryError);
      expect(refusal).toMatchObject({
        code: 'file.too-large',
        message: expect.stringContaining(String(bytes.length - 1)),
      });
      await isMissing(exceeds);
    });

    it.each([0, 100, 9 * MEBI])('leaves nothing when the sender hangs up after %i bytes', async (failAt) => {
      const key = randomUUID();
      const upload = blobs.put(key, blocks(randomBytes(failAt + MEBI), failAt), { maxBytes: 100 * MEBI });
      await expect(upload).rejects.toThrow('the sender hung up');
      await isMissing(key);
      const again = randomBytes(1000);
      await put(key, again);
      expect((await readAll(blobs.open(key))).equals(again)).toBe(true);
    });

    it('shows nothing of a blob before it is whole', async () => {
      const key = randomUUID();
      const bytes = randomBytes(10 * MEBI);
      let looked = false;
      async function* looking(): AsyncGenerator<Buffer> {
        yield bytes.subarray(0, 9 * MEBI);
        await isMissing(key);
        looked = true;
        yield bytes.subarray(9 * MEBI);
      }
      await blobs.put(key, looking(), { maxBytes: 100 * MEBI });
      expect(looked).toBe(true);
      expect((await readAll(blobs.open(key))).equals(bytes)).toBe(true);
    });

    it('takes several blobs at once', async () => {
      const all = Array.from({ length: 8 }, () => ({ key: randomUUID(), bytes: randomBytes(200_000) }));
      await Promise.all(all.map(({ key, bytes }) => put(key, bytes)));
      for (const { key, bytes } of all) expect((await readAll(blobs.open(key))).equals(bytes)).toBe(true);
    });

    it('bears a reader that stops half-way', async () => {
      const key = randomUUID();
      await put(key, randomBytes(10 * MEBI));
      for await (const block of blobs.open(key)) {
        expect(block).toBeInstanceOf(Buffer);
        break;
      }
      expect((await readAll(blobs.open(key))).length).toBe(10 * MEBI);
    });

    it('forgets what is deleted, and deleting nothing is no error', async () => {
      const key = randomUUID();
      await put(key, randomBytes(10));
      await blobs.delete(key);
      await isMissing(key);
      await blobs.delete(key);
    });

    it('says that blobs can be stored', async () => {
      await blobs.check();
    });
  });
}
