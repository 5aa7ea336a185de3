import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBlobs } from '../../src/blobs/open.js';
import { S3Blobs } from '../../src/blobs/s3.js';
import { S3Server, type Verdict } from '../many-machines/s3-server.js';
import { blobsContract, blocks, readAll } from './blobs.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-blobs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

blobsContract('files', () => openBlobs(`file:${folder}`));

describe('blobs as files', () => {
  it('leave no temporary file of an upload that failed', async () => {
    const blobs = await openBlobs(`file:${folder}`);
    await expect(blobs.put('failed', blocks(randomBytes(1000), 60), { maxBytes: 5000 })).rejects.toThrow('hung up');
    await expect(blobs.put('large', blocks(randomBytes(1000)), { maxBytes: 500 })).rejects.toThrow('500 bytes');
    expect(readdirSync(join(folder, 'incoming'))).toEqual([]);
  });

  it('remove notes that were not written to their end, a while later', async () => {
    const blobs = await openBlobs(`file:${folder}`);
    const note = join(folder, 'pending', 'torn');
    writeFileSync(note, '{"sha256":');
    expect(await blobs.pendingFrom(Date.now() - 60_000, 10)).toEqual([]);
    expect(readdirSync(join(folder, 'pending'))).toEqual(['torn']);
    expect(await blobs.pendingFrom(Date.now() + 60_000, 10)).toEqual([]);
    expect(readdirSync(join(folder, 'pending'))).toEqual([]);
  });

  it('remove what was left of uploads by processes that are gone, also those of a container whose number is ours or whose name is another', async () => {
    const incoming = join(folder, 'incoming');
    const [twoDays, hour] = [48, 1].map((hours) => new Date(Date.now() - hours * 3600_000)) as [Date, Date];
    const left = (name: string, written: Date): string => {
      writeFileSync(join(incoming, name), '');
      utimesSync(join(incoming, name), written, written);
      return name;
    };
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    left(`${hostname()}_${gone}_a`, hour);
    left(`${hostname()}_${process.pid}_b`, twoDays);
    left('another_1_c', twoDays);
    const kept = [left(`${hostname()}_${process.pid}_d`, hour), left('another_1_e', hour)];
    await openBlobs(`file:${folder}`);
    expect(readdirSync(incoming).sort()).toEqual(kept.sort());
    for (const name of kept) rmSync(join(incoming, name));
  });

  it('are stored whole or refused, wherever the room for them ends: a disk that fills up takes a part of a block', {
    tags: 'slow',
  }, async () => {
    const room = 200 * 1024;
    const sizes = [1, room - 1, room, room + 1, room + 50, room + 4096, room + 70_000];
    const program = `
      import { statSync } from 'node:fs';
      import { openBlobs } from './src/blobs/open.ts';
      const blobs = await openBlobs('file:${folder}');
      const outcomes = [];
      for (const size of ${JSON.stringify(sizes)}) for (const block of [100, 65536, 262144]) {
        const parts = async function* () {
          for (let at = 0; at < size; at += block) yield Buffer.alloc(Math.min(block, size - at), 1);
        };
        const key = 'of-' + size + '-' + block;
        outcomes.push(await blobs.put(key, parts(), { maxBytes: 1e9 }).then(
          ({ size }) => [size, statSync(blobs.localPath(key)).size],
          ({ code }) => [size, code],
        ));
      }
      console.log(JSON.stringify(outcomes));`;
    const limited = `ulimit -f ${room / 1024}; exec '${process.execPath}' --import tsx --input-type=module -e "$0"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', limited, program]);
    expect(JSON.parse(stdout)).toEqual(
      sizes.flatMap((size) => Array.from({ length: 3 }, () => [size, size <= room ? size : 'storage.full'])),
    );
    expect(readdirSync(join(folder, 'incoming'))).toEqual([]);
  });

  it('are read into as much memory as their bytes take, where they are small', async () => {
    const blobs = await openBlobs(`file:${folder}`);
    await blobs.put('small', blocks(randomBytes(700)), { maxBytes: MEBI });
    await readAll(blobs.open('small'));
    // Fewer than set off a collection of what has been read.
    const before = process.memoryUsage().arrayBuffers;
    for (let at = 0; at < 40; at++) await readAll(blobs.open('small'));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * MEBI);
  });
});

describe('on an S3 server', { tags: 'engines' }, () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await S3Server.open();
  });
  afterAll(() => server.close());
  blobsContract('s3', () => openBlobs(server.url()));
});

const MEBI = 1024 * 1024;
const refusal = (status: number, code: string) => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>on purpose</Message></Error>`,
});

describe('S3 storage that misbehaves', { tags: 'engines' }, () => {
  let server: S3Server;
  beforeEach(async () => {
    server = await S3Server.open();
  });
  afterEach(() => server.close());

  it('aborts what was sent of an upload whose sender hung up', async () => {
    const blobs = await openBlobs(server.url());
    const upload = blobs.put('cut', blocks(randomBytes(10 * MEBI), 9 * MEBI), { maxBytes: 100 * MEBI });
    await expect(upload).rejects.toThrow('hung up');
    const parts = server.seen(/PUT .*uploadId=/);
    expect(parts.length).toBeGreaterThan(0);
    const uploadId = /uploadId=([^&]+)/.exec(parts[0]!)?.[1];
    expect(server.seen(/^DELETE /)).toEqual([
      expect.stringMatching(`^DELETE /uploads/kept/cut\\?.*uploadId=${uploadId}`),
    ]);
    await blobs.close();
  });

  it.each([
    ['ExpiredToken', 400, 'service.unavailable', 'on purpose', [3]],
    ['XMinioStorageFull', 507, 'storage.full', 'no room left', [1]],
  ])(
    'says why a part was refused while more was still to come, and aborts the others: %s',
    async (code, status, as, why, parts) => {
      const blobs = await openBlobs(server.url());
      const bytes = randomBytes(26 * MEBI);
      for (const part of parts) {
        server.check = (line) => {
          if (line.startsWith('DELETE')) return { status: 204, body: '' };
          return line.includes(`partNumber=${part}&`) ? refusal(status, code) : 'pass';
        };
        for (const source of [blocks(bytes), Readable.from(blocks(bytes), { objectMode: false })]) {
          await expect(blobs.put('refused', source, { maxBytes: 100 * MEBI }), `part ${part}`).rejects.toMatchObject({
            code: as,
            message: expect.stringContaining(why),
          });
        }
      }
      expect(server.seen(/^POST .*uploadId/)).toEqual([]);
      expect(server.seen(/^DELETE .*uploadId/)).toHaveLength(2 * parts.length);
      await blobs.close();
    },
  );

  it('tries again when it is asked to slow down', async () => {
    const blobs = await openBlobs(server.url());
    let left = 2;
    server.check = (line) => {
      if (!line.startsWith('PUT') || left === 0) return 'pass';
      left -= 1;
      return refusal(503, 'SlowDown');
    };
    const bytes = randomBytes(9 * MEBI);
    await blobs.put('slow', blocks(bytes), { maxBytes: 100 * MEBI });
    expect(left).toBe(0);
    expect((await readAll(blobs.open('slow'))).equals(bytes)).toBe(true);
    await blobs.close();
  });

  it('goes on reading where the connection was cut', async () => {
    const blobs = await openBlobs(server.url());
    const bytes = randomBytes(3 * MEBI);
    await blobs.put('read', blocks(bytes), { maxBytes: 100 * MEBI });
    let cuts = 0;
    server.check = (line) => {
      if (!line.startsWith('GET') || cuts === 4) return 'pass';
      cuts += 1;
      return { cutAfter: 500_000 };
    };
    expect((await readAll(blobs.open('read', { start: 1000 }))).equals(bytes.subarray(1000))).toBe(true);
    expect(cuts).toBe(4);
    await blobs.close();
  });

  it.each([
    ['one request', 1000, /^PUT /, 5],
    ['several parts', 9 * MEBI, /^POST .*uploadId=/, 1],
  ])('has what it has stored although its answers to that are lost: %s', async (_, size, last, lost) => {
    const blobs = await openBlobs(server.url());
    const bytes = randomBytes(size);
    let left = lost;
    server.check = (line) => {
      if (!last.test(line)) return 'pass';
      left -= 1;
      return left >= 0 ? 'lose' : refusal(404, 'NoSuchUpload');
    };
    const put = () => blobs.put('lost', blocks(bytes), { maxBytes: 100 * MEBI });
    expect(await put()).toMatchObject({ key: 'lost', size });
    expect((await readAll(blobs.open('lost'))).equals(bytes)).toBe(true);
    await blobs.close();
  });

  it.each<[string, Verdict, Verdict, number]>([
    ['is refused', refusal(403, 'AccessDenied'), 'pass', 1000],
    ['has no answer, and another size is there', 'drop', 'pass', 2000],
    ['has no answer, and what is there cannot be asked for', 'drop', refusal(403, 'AccessDenied'), 1000],
  ])('is no success, and takes nothing away, where a put over an object %s', async (_, put, asked, size) => {
    const blobs = await openBlobs(server.url());
    const bytes = randomBytes(1000);
    await blobs.put('before', blocks(bytes), { maxBytes: MEBI });
    server.check = (line) => (line.startsWith('PUT') ? put : line.startsWith('HEAD') ? asked : 'pass');
    await expect(blobs.put('before', blocks(randomBytes(size)), { maxBytes: MEBI })).rejects.toMatchObject({
      code: 'service.unavailable',
    });
    server.check = () => 'pass';
    expect((await readAll(blobs.open('before'))).equals(bytes)).toBe(true);
    await blobs.close();
  });

  it.each([0, 1000])('says that it is away when it has said nothing for long, after %i bytes', async (holdAfter) => {
    const blobs = new S3Blobs(server.url(), 2_000);
    await blobs.put('silent', blocks(randomBytes(MEBI)), { maxBytes: 10 * MEBI });
    let answers = 0;
    server.check = (line) => {
      if (!line.startsWith('GET')) return 'pass';
      answers += 1;
      return answers === 1 && holdAfter > 0 ? { cutAfter: holdAfter } : { holdAfter: 0 };
    };
    await expect(readAll(blobs.open('silent'))).rejects.toMatchObject({
      code: 'service.unavailable',
      message: expect.stringContaining('it has said nothing for'),
    });
    expect(answers).toBe(holdAfter > 0 ? 2 : 1);
    await blobs.close();
  });

  it('takes uploads, reads and says that it is there while any number of readers wait', async () => {
    const blobs = await openBlobs(server.url());
    const bytes = randomBytes(MEBI);
    await blobs.put('held', blocks(bytes), { maxBytes: 10 * MEBI });
    await blobs.put('other', blocks(bytes), { maxBytes: 10 * MEBI });
    server.check = (line) => (/^GET .*held/.test(line) ? { holdAfter: 1000 } : 'pass');
    const waiting = Array.from({ length: 60 }, () => blobs.open('held'));
    await Promise.all(waiting.map((stream) => once(stream, 'readable')));
    await blobs.check();
    await blobs.put('small', blocks(randomBytes(100)), { maxBytes: 1000 });
    expect((await readAll(blobs.open('other'))).equals(bytes)).toBe(true);
    for (const stream of waiting) stream.destroy();
    await blobs.close();
  });

  it.each([
    [301, 'it answered 301: the bucket is in another region; set region= in BLOB_URL'],
    [400, 'it answered 400: the region or the key is wrong'],
    [403, 'it answered 403: the key, its secret or its rights are refused'],
    [503, 'it answered 503'],
  ])('says why it cannot be used, of a bucket of which there is nothing but the status %i', async (status, why) => {
    server.check = () => ({ status, body: '' });
    await expect((await openBlobs(server.url())).check()).rejects.toMatchObject({
      code: 'service.unavailable',
      message: expect.stringContaining(`The storage of uploaded files is away: ${why}`),
    });
  });

  it('says that there is no room, and that it is away', async () => {
    const blobs = await openBlobs(server.url());
    server.check = () => refusal(507, 'InsufficientStorage');
    await expect(blobs.put('full', blocks(randomBytes(100)), { maxBytes: 1000 })).rejects.toMatchObject({
      code: 'storage.full',
    });
    await server.close();
    await expect(blobs.put('away', blocks(randomBytes(100)), { maxBytes: 1000 })).rejects.toMatchObject({
      code: 'service.unavailable',
    });
    await expect(blobs.check()).rejects.toMatchObject({ code: 'service.unavailable' });
    await blobs.close();
    server = await S3Server.open();
  });

  it('sweeps up, when it begins to upload, what killed processes left more than a day ago', async () => {
    const began = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const listed = ([key, hours]: [string, number]): string =>
      `<Upload><Key>kept/${key}</Key><UploadId>id-${key}</UploadId><Initiated>${began(hours)}</Initiated></Upload>`;
    const page = `<?xml version="1.0"?><ListMultipartUploadsResult><Bucket>uploads</Bucket><IsTruncated>false</IsTruncated>${(
      [
        ['old', 30],
        ['young', 2],
      ] as [string, number][]
    )
      .map(listed)
      .join('')}</ListMultipartUploadsResult>`;
    const swept = new Promise<void>((resolve) => {
      server.check = (line) => {
        if (/GET .*\?.*uploads/.test(line)) return { status: 200, body: page };
        if (line.startsWith('DELETE')) {
          resolve();
          return { status: 204, body: '' };
        }
        return 'pass';
      };
    });
    const blobs = await openBlobs(server.url());
    await blobs.put('first', blocks(randomBytes(10)), { maxBytes: 100 });
    await swept;
    await blobs.put('second', blocks(randomBytes(10)), { maxBytes: 100 });
    expect(server.seen(/^DELETE/)).toEqual([expect.stringContaining('uploadId=id-old')]);
    expect(server.seen(/GET .*uploads/)[0]).toContain('prefix=kept');
    await blobs.close();
  });

  it('names a bucket that does not exist', async () => {
    const blobs = await openBlobs(server.url().replace('@uploads', '@nowhere'));
    await expect(blobs.check()).rejects.toThrow('"nowhere"');
    await blobs.close();
  });
});

describe('openBlobs', () => {
  it('refuses an address it does not know, and never shows a secret', async () => {
    await expect(openBlobs('ftp://x')).rejects.toThrow('"file:" or "s3://"');
    await expect(openBlobs('s3://KEY:SECRET@bucket/y?endpont=z')).rejects.toThrow(/"endpont"/);
    await expect(openBlobs('s3://KEY:SECRET@Bad_Bucket')).rejects.not.toThrow(/SECRET/);
  });
});
