/** What is read of a submission is what was stored: its upload, or the text that was made of it and can be made again. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFilesystemBlobs } from '../../src/blobs/filesystem.js';
import { RegistryError } from '../../src/registry/errors.js';
import { type Blobs, fileTooLarge } from '../../src/submissions/blobs.js';
import { IsaDocuments } from '../../src/submissions/isa-json/open.js';
import {
  faultOfSource,
  KEPT_BYTES,
  openRepeatedly,
  openSource,
  type StoredSource,
  sourceOf,
  tableKey,
} from '../../src/submissions/reading/stored-source.js';
import type { UploadOptions } from '../../src/submissions/submission.js';
import { HEAD_BYTES } from '../../src/submissions/uploads/upload-head.js';
import {
  ensureTable,
  storeTable,
  type WorkbookSheet,
  type Workbooks,
} from '../../src/submissions/uploads/workbook-table.js';
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

  it('is held to what was stored by who reads up to its last byte, too', async () => {
    const source = await stored(form);
    // Of a packed text its checksum, behind all of its bytes.
    flip(source, form === 'packed' ? -6 : -9);
    await expect(read(source, { end: source.size })).rejects.toMatchObject({
      code: 'storage.damaged',
      ...(form === 'packed' && { cause: expect.any(Error) }),
    });
  });

  it('is let go of by who reads no further', async () => {
    const source = await stored(form);
    const opened: { destroyed: boolean }[] = [];
    const open: Blobs['open'] = (...asked) => {
      const stream = blobs.open(...asked);
      opened.push(stream);
      return stream;
    };
    for await (const _ of openSource({ open, delete: blobs.delete.bind(blobs) }, source)) break;
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
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

describe('what is read of a submission', () => {
  const submission = { blobKey: 'k', fileSize: 5, sha256: 'ab' };
  const of = (readAs?: object, more: object = {}) =>
    Object.entries(sourceOf({ ...submission, ...more, options: { readAs } as UploadOptions }));

  it('is its upload, or the text of its sheet, by the sums that are known', () => {
    const own = Object.entries({ key: 'k', size: 5, sha256: 'ab' });
    expect(of()).toEqual(own);
    expect(of(undefined, { crc32: 7 })).toEqual([...own, ['crc32', 7]]);
    const table = Object.entries({ key: 'k.table', size: 9 });
    expect(of({ bytes: 9 }, { crc32: 7 })).toEqual(table);
    expect(of({ bytes: 9, packed: 3 })).toEqual([...table, ['packed', 3]]);
  });

  it('may be of no known sum, and comes in blocks of memory that is used again for who is done with each', async () => {
    const { key, size } = await stored('plain');
    expect((await read({ key, size })).equals(TEXT)).toBe(true);
    const asked: unknown[] = [];
    const from = {
      open: blobs.open.bind(blobs),
      delete: blobs.delete.bind(blobs),
      blocks: (...range: unknown[]) => {
        asked.push(range);
        return inOneBlock();
      },
    };
    async function* inOneBlock() {
      yield TEXT;
    }
    for (const passing of [true, false, undefined])
      expect(
        (await whole(openSource(from, { key, size }, { ...(passing !== undefined && { passing }) }))).equals(TEXT),
      ).toBe(true);
    expect((await whole(openSource(from, { key, size }))).equals(TEXT)).toBe(true);
    expect(asked).toEqual([[key, { size }]]);
    const { blocks: _, ...bare } = from;
    expect((await whole(openSource(bare, { key, size }, { passing: true }))).equals(TEXT)).toBe(true);
  });

  it('is kept by who reads it several times where it is as long as may be', async () => {
    const source = await stored('plain', Buffer.alloc(KEPT_BYTES, 'a\n'));
    let opened = 0;
    const open: Blobs['open'] = (...asked) => {
      opened++;
      return blobs.open(...asked);
    };
    const again = openRepeatedly({ open, delete: blobs.delete.bind(blobs) }, source);
    for (let times = 0; times < 2; times++) expect((await whole(again())).length).toBe(KEPT_BYTES);
    expect(opened).toBe(1);
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
    const busy = new RegistryError('service.unavailable', 'Busy.');
    const refusing = {
      open: () => {
        throw busy;
      },
    } as unknown as Blobs;
    await expect(faultOfSource(refusing, await stored('plain'), true)).rejects.toBe(busy);
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

describe('the text of a sheet of a workbook', () => {
  const opened: unknown[] = [];
  let ended: string[] = [];
  const workbooksOf = (pieces: readonly (Buffer | Error)[], of: Partial<WorkbookSheet> = {}): Workbooks => ({
    isWorkbook: () => true,
    open: async ({ path, bytes, account }, wanted) => {
      opened.push([path, (await whole(bytes())).toString(), account, wanted]);
      const tsv = async function* () {
        try {
          for (const piece of pieces) {
            if (piece instanceof Error) throw piece;
            yield piece;
          }
        } finally {
          ended.push('read');
        }
      };
      return { sheetName: 'S', tsv: tsv(), close: () => void ended.push('closed'), ...of };
    },
  });
  const storedOf = async (
    workbooks: Workbooks,
    more: { blobs?: Blobs; form?: 'packed' | 'plain'; options?: { sheet?: string } } = {},
  ) => {
    opened.length = 0;
    ended = [];
    const blobKey = randomUUID();
    await put(blobKey, Buffer.from('workbook'));
    const draft = { blobKey, fileSize: 8, account: 'ada' };
    return {
      blobKey,
      ...(await storeTable({ blobs: more.blobs ?? blobs, workbooks }, draft, more.options ?? {}, more.form)),
    };
  };

  it('is asked for by the file, its account and the sheet that is wanted, and closed when it is kept', async () => {
    const text = [Buffer.from('a\n'), Buffer.from('b\n')];
    const { blobKey, readAs, head, ...others } = await storedOf(workbooksOf(text));
    expect(opened).toEqual([[pathOf(blobKey), 'workbook', 'ada', {}]]);
    expect(Object.keys((opened[0] as unknown[])[3] as object)).toEqual([]);
    expect(ended).toEqual(['read', 'closed']);
    expect([Object.keys(readAs), Object.keys(others)]).toEqual([['sheet', 'bytes', 'packed'], []]);
    expect([readAs, head.toString(), others]).toEqual([
      { sheet: 'S', bytes: 4, packed: expect.any(Number) },
      'a\nb\n',
      {},
    ]);
    const elsewhere = { put: blobs.put.bind(blobs), open: blobs.open.bind(blobs) } as unknown as Blobs;
    const plain = await storedOf(workbooksOf(text), { blobs: elsewhere, options: { sheet: 'Plate 2' }, form: 'plain' });
    expect(Object.keys(plain.readAs)).toEqual(['sheet', 'bytes']);
    expect(opened).toEqual([[undefined, 'workbook', 'ada', { sheet: 'Plate 2' }]]);
  });

  it('comes with what is known of it', async () => {
    const beside = { struck: { rows: 1, first: 2, last: 2 } };
    const long = 'x'.repeat(300);
    const { readAs, release } = await storedOf(
      workbooksOf([Buffer.from('a')], {
        tables: ['S', 'T', long],
        archived: true,
        title: 'Study',
        release: 5,
        notes: () => ({ beside }),
      }),
    );
    expect(release).toBe(5);
    expect(readAs).toEqual({
      sheet: 'S',
      bytes: 1,
      packed: expect.any(Number),
      archived: true,
      notRead: ['T', expect.stringMatching(/^x{20,200}…?$/)],
      beside,
      title: 'Study',
    });
    const plain = await storedOf(workbooksOf([Buffer.from('a')], { tables: ['S'], notes: () => undefined }));
    expect(plain.readAs).toEqual({ sheet: 'S', bytes: 1, packed: expect.any(Number) });
  });

  it('is held in memory to the end of its head alone', async () => {
    const pieces = ['a', 'b', 'c'].map((letter) => Buffer.alloc(HEAD_BYTES - 100, letter));
    const { head, readAs } = await storedOf(workbooksOf(pieces));
    expect(head.equals(Buffer.concat(pieces).subarray(0, HEAD_BYTES))).toBe(true);
    expect(readAs.bytes).toBe(3 * (HEAD_BYTES - 100));
  });

  const refusing = (error: Error, asked: unknown[] = []): Blobs =>
    ({
      open: blobs.open.bind(blobs),
      put: async (key: string, source: AsyncIterable<Buffer>, options: object) => {
        asked.push(key, options);
        for await (const _ of source) throw error;
      },
    }) as unknown as Blobs;

  it('that is far larger than its file is refused with what to do, and no longer read', async () => {
    const asked: unknown[] = [];
    const tooLarge = fileTooLarge(1);
    const pieces = Array.from({ length: 40 }, () => randomBytes(128 * 1024));
    const refused = storedOf(workbooksOf(pieces), { blobs: refusing(tooLarge, asked) });
    const error = await refused.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'file.too-large', cause: tooLarge });
    expect((error as Error).message).toMatch(
      /^The text of the sheet \(more than [0-4] MiB\) is far larger than the file that holds it\. Save the sheet as tab-separated text \(\.tsv\) and upload that, or split it\.$/,
    );
    expect(asked[1]).toEqual({ maxBytes: 8 * 1024 * 1024 + 64 });
    await expect.poll(() => ended.toSorted()).toEqual(['closed', 'read']);
    const plain: unknown[] = [];
    await storedOf(workbooksOf(pieces), { blobs: refusing(tooLarge, plain), form: 'plain' }).catch(() => {});
    expect(plain[1]).toEqual({ maxBytes: Number.MAX_SAFE_INTEGER });
  });

  it('that cannot be read or kept is refused as its reader or the store says', async () => {
    const away = new Error('no route to the store');
    for (const error of [away, new RegistryError('storage.full', 'Full.')])
      await expect(storedOf(workbooksOf([TEXT]), { blobs: refusing(error) })).rejects.toBe(error);
    for (const error of [away, fileTooLarge(5), new RegistryError('file.not-understood', 'Odd.')])
      for (const form of ['packed', 'plain'] as const) {
        await expect(storedOf(workbooksOf([TEXT, error]), { form })).rejects.toBe(error);
        expect(ended).toEqual(['read', 'closed']);
      }
  });

  it('is made again of the same sheet, only where it is not there', async () => {
    const workbooks = workbooksOf([Buffer.from('a\n')]);
    const { blobKey, readAs } = await storedOf(workbooks);
    const { size: fileSize, ...sums } = await put(blobKey, Buffer.from('workbook'));
    const submission = { blobKey, fileSize, ...sums, account: 'ada', options: { readAs } as UploadOptions };
    opened.length = 0;
    await ensureTable({ blobs, workbooks }, submission);
    await ensureTable({ blobs, workbooks }, { ...submission, options: {} as UploadOptions });
    rmSync(pathOf(tableKey(blobKey)));
    await ensureTable({ blobs }, submission);
    expect(opened).toEqual([]);
    const full = new RegistryError('storage.full', 'Full.');
    expect(opened).toEqual([]);
    for (const error of [full, new Error('no route to the store')]) {
      const open: Blobs['open'] = (key, range) => {
        if (key === tableKey(blobKey)) throw error;
        return blobs.open(key, range);
      };
      const failing = { put: blobs.put.bind(blobs), open } as unknown as Blobs;
      await expect(ensureTable({ blobs: failing, workbooks }, submission)).rejects.toBe(error);
    }
    const odd = { ...submission, fileSize: 7 };
    await expect(storeTable({ blobs, workbooks }, odd, {})).rejects.toMatchObject({ code: 'storage.damaged' });
    opened.length = 0;
    await ensureTable({ blobs, workbooks }, submission);
    expect(opened).toEqual([[pathOf(blobKey), 'workbook', 'ada', { sheet: 'S' }]]);
    const other = { ...readAs, bytes: 5 };
    rmSync(pathOf(tableKey(blobKey)));
    await expect(
      ensureTable({ blobs, workbooks }, { ...submission, options: { readAs: other } as UploadOptions }),
    ).rejects.toMatchObject({ code: 'storage.damaged' });
  });
});
