/** What is read of a submission is what was stored: its upload, or the text that was made of it and can be made again. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFilesystemBlobs } from '../../src/blobs/filesystem.js';
import type { Blobs } from '../../src/submissions/blobs.js';
import { IsaDocuments } from '../../src/submissions/isa-json/open.js';
import {
  faultOfSource,
  openRepeatedly,
  openSource,
  type StoredSource,
  sourceOf,
  tableKey,
} from '../../src/submissions/reading/stored-source.js';
import type { UploadOptions } from '../../src/submissions/submission.js';
import { ensureTable, storeTable } from '../../src/submissions/uploads/workbook-table.js';
import { WorkbookReader } from '../../src/workbooks/reader.js';
import { isaDocument } from '../support/isa-document.js';

const TEXT = Buffer.from('Sample Name\torganism\n'.repeat(20_000));
const folder = mkdtempSync(join(tmpdir(), 'stored-text-'));
let blobs: Blobs;
beforeAll(async () => {
  blobs = await openFilesystemBlobs(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function* of(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

const put = (key: string, bytes: Buffer) => blobs.put(key, of(bytes), { maxBytes: 1e9 });
const pathOf = (key: string): string => blobs.localPath?.(key) as string;

/** `earlier`: as a version before kept it, which knew its SHA-256 alone. */
type Form = 'plain' | 'packed' | 'earlier';

async function stored(form: Form, text = TEXT, size = text.length): Promise<StoredSource> {
  const key = randomUUID();
  if (form === 'packed') return { key, size, packed: (await put(key, gzipSync(text))).size };
  const { sha256, crc32 } = await put(key, text);
  return form === 'earlier' ? { key, size, sha256 } : { key, size, sha256, crc32 };
}

const read = (source: StoredSource, range?: { end: number }): Promise<Buffer> =>
  whole(openSource(blobs, source, range));

async function whole(blocks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const block of blocks) all.push(block);
  return Buffer.concat(all);
}

const flip = ({ key }: StoredSource, at: number): void => {
  const bytes = readFileSync(pathOf(key));
  bytes[at < 0 ? bytes.length + at : at] = 0xa5;
  writeFileSync(pathOf(key), bytes);
};
const cut = ({ key }: StoredSource): void => truncateSync(pathOf(key), readFileSync(pathOf(key)).length - 3);

describe.each<Form>(['plain', 'packed', 'earlier'])('a %s text', (form) => {
  it.each([0, 1, 70_000, TEXT.length - 1, TEXT.length, TEXT.length + 1])('is read up to byte %i', async (end) => {
    expect((await read(await stored(form), { end })).equals(TEXT.subarray(0, end))).toBe(true);
  });

  it('is read whole, as often as it is asked for', async () => {
    const source = await stored(form);
    for (let times = 0; times < 2; times++) expect((await read(source)).equals(TEXT)).toBe(true);
    expect([await faultOfSource(blobs, source, false), await faultOfSource(blobs, source, true)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['cut off', cut],
    ['another in one byte', (source: StoredSource) => flip(source, -9)],
  ])('that is %s never passes for a whole one', async (_, damage) => {
    const source = await stored(form);
    damage(source);
    expect(await faultOfSource(blobs, source, true)).toBe('damaged');
    await expect(read(source)).rejects.toMatchObject({ code: 'storage.damaged' });
    const message = `The stored file ${source.key} `;
    if (form !== 'packed') await expect(read(source)).rejects.toThrow(message);
    // What can be made again from the upload is taken away, so that it is.
    else await expect(read(source)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('that is not there is said to be missing', async () => {
    const source = await stored(form);
    await blobs.delete(source.key);
    expect([await faultOfSource(blobs, source, false), await faultOfSource(blobs, source, true)]).toEqual([
      'missing',
      'missing',
    ]);
    await expect(read(source)).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe.each<Form>(['plain', 'packed', 'earlier'])('a %s text that one reader begins several times', (form) => {
  const short = TEXT.subarray(0, 100_000);
  const counting = () => {
    const opened: string[] = [];
    const open: Blobs['open'] = (key, range) => {
      opened.push(key);
      return blobs.open(key, range);
    };
    return { opened, from: { open, delete: (key: string) => blobs.delete(key) } };
  };

  it.each([
    ['short', short, 1],
    ['long', TEXT, 4],
    ['empty', Buffer.alloc(0), 1],
  ])('and that is %s is the same each time', async (_, text, times) => {
    const { opened, from } = counting();
    const open = openRepeatedly(from, await stored(form, text));
    expect((await whole(open({ end: 1_000 }))).equals(text.subarray(0, 1_000))).toBe(true);
    for (let again = 0; again < 2; again++) expect((await whole(open())).equals(text)).toBe(true);
    expect((await whole(open({ end: 2 ** 30 }))).equals(text)).toBe(true);
    expect(opened).toHaveLength(times);
  });

  it('is not read where its reader has it', async () => {
    const { opened, from } = counting();
    const open = openRepeatedly(from, await stored(form, short), short);
    expect((await whole(open({ end: 1_000 }))).equals(short.subarray(0, 1_000))).toBe(true);
    expect((await whole(open())).equals(short)).toBe(true);
    expect(opened).toEqual([]);
  });

  it('never passes for a whole one where it is damaged, nor the second time', async () => {
    const source = await stored(form, short);
    flip(source, -5);
    const open = openRepeatedly(blobs, source);
    for (let again = 0; again < 2; again++) {
      await expect(whole(open())).rejects.toMatchObject({ code: 'storage.damaged' });
    }
  });
});

describe('faults that are found', () => {
  it('by the size alone, without reading the file', async () => {
    const [shorter, other] = [await stored('plain'), await stored('plain')];
    cut(shorter);
    flip(other, -9);
    expect(await faultOfSource(blobs, shorter, false)).toBe('damaged');
    expect(await faultOfSource(blobs, other, false)).toBeUndefined();
    expect((await read(other, { end: 10 })).toString()).toBe('Sample Nam');
  });

  it('by reading it, of a text that is packed in another number of bytes than before', async () => {
    const again = await stored('packed');
    expect(await faultOfSource(blobs, { ...again, packed: 1 }, false)).toBeUndefined();
    cut(again);
    expect(await faultOfSource(blobs, again, false)).toBe('damaged');
    expect(readFileSync(pathOf(again.key)).length).toBeGreaterThan(0);
  });

  it.each([-1, 1])('by the end of a text that is %i bytes longer than it was', async (more) => {
    const source = await stored('packed', TEXT, TEXT.length - more);
    await expect(read(source)).rejects.toThrow(
      `The stored file ${source.key} is not the file that was stored: tell the operators, who can restore it from a backup.`,
    );
    await expect(read(source)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('by the SHA-256, while a reader compares the CRC-32 where there is one', async () => {
    const [source, { crc32: _, ...earlier }] = [await stored('plain'), await stored('plain')];
    const other = { ...source, crc32: (source.crc32 as number) ^ 1 };
    await expect(read(other)).rejects.toMatchObject({ code: 'storage.damaged' });
    expect(await faultOfSource(blobs, other, true)).toBeUndefined();
    for (const text of [source, earlier]) {
      expect(await faultOfSource(blobs, { ...text, sha256: '00' }, true)).toBe('damaged');
    }
    await expect(read({ ...earlier, sha256: '00' })).rejects.toMatchObject({ code: 'storage.damaged' });
  });

  it('are no news of a service that is away', async () => {
    const away = { open: () => openAway(), delete: blobs.delete } as unknown as Blobs;
    await expect(faultOfSource(away, await stored('plain'), true)).rejects.toThrow('no route to the store');
  });
});

// biome-ignore lint/correctness/useYield: It fails before its first byte.
async function* openAway(): AsyncGenerator<Buffer> {
  throw new Error('no route to the store');
}

describe('the text of an ISA-JSON document', () => {
  const workbooks = new IsaDocuments(new WorkbookReader(), 'SAMR');
  const samples = Array.from({ length: 30 }, (_, at) => ({ name: `leaf ${at}` }));
  const document = Buffer.from(JSON.stringify(isaDocument({ samples, publicReleaseDate: '2024-05-01' })));

  async function uploaded() {
    const blobKey = randomUUID();
    const { size, sha256 } = await put(blobKey, document);
    const draft = { blobKey, fileSize: size, sha256, account: 'ada' };
    const table = await storeTable({ blobs, workbooks }, draft, {});
    return { table, submission: { ...draft, options: { readAs: table.readAs } as UploadOptions } };
  }

  it('is kept packed beside it, and begins with its first lines', async () => {
    const { table, submission } = await uploaded();
    const text = await read(sourceOf(submission));
    expect(
      text
        .toString()
        .split('\n')
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { name: string }).name),
    ).toEqual(samples.map(({ name }) => name));
    expect(table.head.equals(text)).toBe(true);
    expect(table.readAs).toEqual({
      sheet: 'ISA-JSON',
      isa: true,
      bytes: text.length,
      packed: readFileSync(pathOf(tableKey(submission.blobKey))).length,
    });
    expect(table.readAs.packed).toBeLessThan(text.length);
  });

  it.each([
    ['was lost', (key: string) => rmSync(pathOf(key))],
    ['is damaged', (key: string) => truncateSync(pathOf(key), 12)],
    ['is as it was', () => undefined],
  ])('is there for the next reader where it %s', async (_, damage) => {
    const { submission } = await uploaded();
    const text = await read(sourceOf(submission));
    damage(tableKey(submission.blobKey));
    await ensureTable({ blobs, workbooks }, submission);
    expect((await read(sourceOf(submission))).equals(text)).toBe(true);
  });

  it('is kept unpacked where an older version kept it so', async () => {
    const { submission } = await uploaded();
    const text = await read(sourceOf(submission));
    const { packed: _, ...readAs } = submission.options.readAs as NonNullable<UploadOptions['readAs']>;
    const before = { ...submission, options: { readAs } as UploadOptions };
    await ensureTable({ blobs, workbooks }, before);
    expect(readFileSync(pathOf(tableKey(before.blobKey))).equals(text)).toBe(true);
  });

  it('is made again of the document alone that was uploaded', async () => {
    const { submission } = await uploaded();
    rmSync(pathOf(tableKey(submission.blobKey)));
    flip({ key: submission.blobKey, size: 0 }, -2);
    await expect(ensureTable({ blobs, workbooks }, submission)).rejects.toMatchObject({ code: 'storage.damaged' });
    rmSync(pathOf(submission.blobKey));
    await expect(ensureTable({ blobs, workbooks }, submission)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('is not taken where it came out otherwise than the first time', async () => {
    const { submission } = await uploaded();
    const readAs = { ...(submission.options.readAs as NonNullable<UploadOptions['readAs']>), bytes: 5 };
    rmSync(pathOf(tableKey(submission.blobKey)));
    await expect(
      ensureTable({ blobs, workbooks }, { ...submission, options: { readAs } as UploadOptions }),
    ).rejects.toThrow(/^The text of the workbook came out as \d+ bytes and had 5: tell the operators\.$/);
  });
});
