/** Whole results that are kept: whose they are, their file in parts, and how they end. */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBlobs } from '../../../src/blobs/open.js';
import { sweepEnded } from '../../../src/exports/make-kept.js';
import type { CallOptions } from '../../support/api-caller.js';
import { ADMIN_TOKEN, type Service, startService } from '../service.js';

const HOUR = 3600_000;
const ROOM = 4_000;

let ahead = 0;
let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService({
    clockAhead: () => ahead,
    env: { KEPT_EXPORTS_OF_ONE: '3', KEPT_EXPORTS_BYTES_OF_ONE: String(ROOM), KEPT_EXPORTS_HOURS: '1' },
  });
  token = await service.token('keeper');
  for (const [name, release] of [
    ['one', '2020-01-01'],
    ['two', '2999-01-01'],
  ])
    await service.send('POST', '/samples', { name, release }, { token });
});
afterAll(() => service.stop());

interface Kept {
  exportId: string;
  state: string;
  phase: string;
  samples: number;
  bytes: number;
  sha256: string;
  problem?: { code: string; message: string };
  expires: string;
  _links: { file?: { href: string } };
}

const order = (query: string, by: string | null = token) =>
  service.call(`/samples/exports?${query}`, { method: 'POST', token: by });
async function ended(id: string, by = token): Promise<Kept> {
  const path = `/samples/exports/${id}`;
  await expect
    .poll(async () => (await service.get(path, { token: by })).json<Kept>().phase, { interval: 20 })
    .toBe('DONE');
  return (await service.get(path, { token: by })).json<Kept>();
}
async function made(query: string, by = token): Promise<Kept> {
  const answer = await order(query, by);
  expect(answer.status, answer.text).toBe(202);
  return ended(answer.json<Kept>().exportId, by);
}
const file = (id: string, headers: Record<string, string> = {}, options: CallOptions = {}) =>
  service.call(`/samples/exports/${id}/file`, { token, headers, ...options });
const listed = async (by = token): Promise<string[]> =>
  (await service.get('/samples/exports', { token: by }))
    .json<{ _embedded: { exports: Kept[] } }>()
    ._embedded.exports.map(({ exportId }) => exportId);
const blobs = (): string[] =>
  readdirSync(join(service.folder, 'blobs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.export'),
  );
const removeAll = async () => {
  for (const id of await listed(ADMIN_TOKEN))
    expect((await service.call(`/samples/exports/${id}`, { method: 'DELETE', token: ADMIN_TOKEN })).status).toBe(204);
};

describe('a kept export', () => {
  it('is ordered, made, and is the file that GET /samples/export sends', async () => {
    const answer = await order('filter=account:keeper&format=ndjson&applyCurations=false&text=');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([202, '2']);
    const { exportId } = answer.json<Kept>();
    expect(answer.headers.get('location')).toBe(`${service.url}/samples/exports/${exportId}`);
    const kept = await ended(exportId);
    const now = await service.get('/samples/export?filter=account:keeper&format=ndjson&applyCurations=false', {
      token,
    });
    const whole = await file(exportId);
    expect(whole.text).toBe(now.text);
    expect(kept).toMatchObject({
      account: 'keeper',
      state: 'COMPLETED',
      format: 'ndjson',
      filter: ['account:keeper'],
      applyCurations: false,
      samples: 2,
      bytes: whole.bytes.length,
      sha256: createHash('sha256').update(whole.bytes).digest('hex'),
      _links: { file: { href: `${service.url}/samples/exports/${exportId}/file` } },
    });
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      etag: `"${kept.sha256}"`,
      'accept-ranges': 'bytes',
      'content-length': String(kept.bytes),
      'samples-count': '2',
      'content-type': 'application/x-ndjson',
      'content-disposition': expect.stringMatching(/samples-[\d-]+\.ndjson/),
    });
    const head = await file(exportId, { range: 'bytes=0-1' }, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.text]).toEqual([200, String(kept.bytes), '']);
    expect((await file(exportId, { 'if-none-match': `"${kept.sha256}"` })).status).toBe(304);
    expect(await listed()).toEqual([exportId]);
  });

  it('is sent in parts, as long as the client means this file', async () => {
    const [id = ''] = await listed();
    const { text, headers } = await file(id);
    const size = Buffer.byteLength(text);
    const etag = headers.get('etag') as string;
    const part = async (range: string, more: Record<string, string> = {}) => {
      const answer = await file(id, { range, ...more });
      return [answer.status, answer.headers.get('content-range'), answer.headers.get('content-length'), answer.text];
    };
    const sent = (start: number, end: number) => [
      206,
      `bytes ${start}-${end}/${size}`,
      String(end - start + 1),
      text.slice(start, end + 1),
    ];
    const whole = [200, null, String(size), text];
    expect(await part('bytes=0-0')).toEqual(sent(0, 0));
    expect(await part('bytes=5-9')).toEqual(sent(5, 9));
    expect(await part('bytes=7-')).toEqual(sent(7, size - 1));
    expect(await part('Bytes= 7-9')).toEqual(sent(7, 9));
    expect(await part(`bytes=0-${size - 1}`)).toEqual(sent(0, size - 1));
    expect(await part(`bytes=${size - 1}-`)).toEqual(sent(size - 1, size - 1));
    expect(await part('bytes=-1')).toEqual(sent(size - 1, size - 1));
    expect(await part('bytes=-5')).toEqual(sent(size - 5, size - 1));
    expect(await part(`bytes=${size - 1}-${size + 50}`)).toEqual(sent(size - 1, size - 1));
    expect(await part(`bytes=-${size + 50}`)).toEqual(whole);
    expect(await part('bytes=7-', { 'if-range': etag })).toEqual(sent(7, size - 1));
    for (const held of ['"another"', `W/${etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT'])
      expect(await part('bytes=7-', { 'if-range': held })).toEqual(whole);
    expect(await part(`bytes=-${size}`)).toEqual(whole);
    const unread = [
      'bytes=0-1,5-6',
      'lines=1-2',
      'bytes',
      'bytes=x-y',
      'bytes=-',
      'bytes=9-5',
      'xbytes=1-2',
      'bytes=1-2x',
    ];
    for (const other of unread) expect([other, ...(await part(other))]).toEqual([other, ...whole]);
    for (const beyond of [`bytes=${size}-`, `bytes=${size}-${size + 9}`, 'bytes=-0']) {
      const refused = await file(id, { range: beyond });
      expect([refused.status, refused.headers.get('content-range'), refused.json()]).toEqual([
        416,
        `bytes */${size}`,
        expect.objectContaining({
          code: 'range.unsatisfiable',
          detail: `Range: ${beyond} begins behind the end of the file, which has ${size} bytes.`,
          size,
        }),
      ]);
      for (const gone of ['etag', 'accept-ranges', 'content-disposition'])
        expect(refused.headers.has(gone)).toBe(false);
    }
  });

  it('is there for its account and administrators alone, and asked for as administrator for them alone', async () => {
    const [id = ''] = await listed();
    const other = await service.token('other');
    const unknown = await service.get('/samples/exports/00000000-0000-4000-8000-000000000000', { token: other });
    for (const path of [`/samples/exports/${id}`, `/samples/exports/${id}/file`, '/samples/exports/nonsense']) {
      const { status, text } = await service.get(path, { token: other });
      expect([status, text.replaceAll(id, '')]).toEqual([
        404,
        expect.stringMatching(/There is no export .*of yours; GET/),
      ]);
    }
    expect(unknown.status).toBe(404);
    expect((await service.call(`/samples/exports/${id}`, { method: 'DELETE', token: other })).status).toBe(404);
    expect(await listed(other)).toEqual([]);
    expect((await file(id, {}, { token: null })).status).toBe(401);
    expect((await file(id, {}, { token: ADMIN_TOKEN })).status).toBe(200);
    expect((await file(id, {}, { token: await service.token('keeper', ['read']) })).status).toBe(200);

    const { text: asAdmin } = await service.tokens.issue({ account: 'keeper', name: 'a', scopes: ['read', 'admin'] });
    const all = await made('format=ndjson', asAdmin);
    expect(all).toMatchObject({ account: 'keeper', samples: 2 });
    expect((await file(all.exportId)).status).toBe(404);
    expect(await listed()).not.toContain(all.exportId);
    expect(await listed(asAdmin)).toContain(all.exportId);
  });

  it('goes when it is taken away, and nothing of it is left', async () => {
    await removeAll();
    const { exportId } = await made('');
    expect(blobs()).toHaveLength(1);
    expect((await service.call(`/samples/exports/${exportId}`, { method: 'DELETE', token })).status).toBe(204);
    expect(blobs()).toEqual([]);
    expect((await file(exportId)).status).toBe(404);
    expect(readdirSync(join(service.folder, 'exports'))).toEqual([]);
  });

  it('expires', async () => {
    const { exportId, expires } = await made('');
    expect(Date.parse(expires) - Date.now() - ahead).toBeGreaterThan(HOUR - 120_000);
    ahead += HOUR;
    expect((await file(exportId)).status).toBe(404);
    expect(await listed()).toEqual([]);
    const storage = await openBlobs(service.config.BLOB_URL);
    await sweepEnded({ store: service.store, blobs: storage, now: () => Date.now() + ahead });
    await storage.close();
    expect(blobs()).toEqual([]);
    expect(await service.store.keptBytes('keeper')).toEqual({ ofAccount: 0, inAll: 0 });
  });

  it('is refused beyond what an account may keep, with what to do', async () => {
    await removeAll();
    for (const text of ['a', 'b', 'c']) expect((await order(`text=${text}`)).status).toBe(202);
    const fourth = await order('text=d');
    expect([fourth.status, fourth.text]).toEqual([
      409,
      expect.stringContaining('The account keeps 3 whole results, the most that it may; take away one'),
    ]);
    for (const id of await listed()) await ended(id);
    await removeAll();
    const long = 'x'.repeat(ROOM);
    await service.send(
      'POST',
      '/samples',
      { name: 'long', release: '2020-01-01', characteristics: { a: [{ text: long }] } },
      { token },
    );
    const failed = await made('filter=name:long');
    expect(failed).toMatchObject({
      state: 'FAILED',
      problem: { code: 'storage.full', message: expect.stringContaining('larger than what may still be kept') },
    });
    const none = await file(failed.exportId);
    expect([none.status, none.text]).toEqual([409, expect.stringContaining('FAILED and has no file')]);
    expect(blobs()).toEqual([]);
  });

  it('is refused where what is asked has no meaning', async () => {
    for (const [query, words] of [
      ['format=pdf', 'format=pdf must be one of'],
      ['size=3', 'size= has no meaning here'],
      ['filter=colour:blue', 'colour:blue'],
    ]) {
      const answer = await order(query as string);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(words as string)]);
    }
    expect((await order('', null)).status).toBe(401);
  });

  it.each([
    ['JSON', 'application/json', '{"filter":["name:one"],"format":"ndjson"}'],
    ['a form', 'application/x-www-form-urlencoded', 'filter=name:one&format=ndjson'],
    ['much JSON', 'application/json', `{"text":"${'long '.repeat(1_000)}"}`],
    ['a list', 'application/json', '[]'],
  ])('that is asked for in a body, %s, is refused: its file would hold all samples', async (_, type, body) => {
    const send = async (what: string | ReadableStream, chunked = {}) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': type };
      const asked = { method: 'POST', headers, body: what, ...chunked };
      const answer = await fetch(`${service.url}/samples/exports`, asked);
      return { status: answer.status, text: await answer.text() };
    };
    const before = await listed();
    const refused = { status: 400, text: expect.stringContaining('reads no body') as string };
    expect(await send(body)).toEqual(refused);
    expect(await send(new Blob([body]).stream(), { duplex: 'half' })).toEqual(refused);
    expect(await listed()).toEqual(before);
    for (const nothing of ['', ' {} \n']) expect((await send(nothing)).status).toBe(202);
    await removeAll();
  });

  it('whose file a restored backup lacks says so', async () => {
    await removeAll();
    const { exportId } = await made('filter=name:one');
    const found = await service.store.findExport(exportId, Date.now() + ahead);
    for (const name of blobs()) rmSync(join(service.folder, 'blobs', name));
    expect(found?.state).toBe('COMPLETED');
    const gone = await file(exportId);
    expect([gone.status, gone.text]).toEqual([404, expect.stringContaining('is not there any more')]);
  });
});
