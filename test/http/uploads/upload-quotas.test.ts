/** Quotas hold whatever way the bytes come: declared, chunked, in pieces, or many at once. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UploadQuotas } from '../../../src/limits/quotas.js';
import { type Service, startService } from '../service.js';

const QUOTA = 100_000;
let service: Service;
beforeAll(async () => {
  service = await startService({ env: { QUOTA_BYTES_PER_DAY: String(QUOTA) } });
});
afterAll(() => service.stop());

const sheetOf = (bytes: number): string => {
  const row = 'name of a sample\t2020-01-01\tHomo sapiens\n';
  return `Sample Name\tRelease Date\tCharacteristics[organism]\n${row.repeat(Math.ceil(bytes / row.length))}`;
};

/** Without a length: pieces of 10 000 bytes. */
function chunked(path: string, body: string, token: string, type: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type, 'transfer-encoding': 'chunked' },
    });
    sending.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sending.once('error', reject);
    for (let at = 0; at < body.length; at += 10_000) sending.write(body.slice(at, at + 10_000));
    sending.end();
  });
}

const form = (text: string): string =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename="a.tsv"\r\n\r\n${text}\r\n--b--\r\n`;

const begin = (bytes: number, token: string) =>
  service.call('/files', {
    method: 'POST',
    token,
    headers: { 'tus-resumable': '1.0.0', 'upload-length': String(bytes) },
  });

describe('a quota of bytes', () => {
  it.each(['/submissions', '/Submissions', '/SUBMISSIONS/'])('is not passed by chunks sent to %s', async (path) => {
    const token = await service.token(`chunks of ${path}`);
    expect(await chunked(path, sheetOf(629_000), token, 'text/tab-separated-values')).toBe(429);
    expect(await chunked(path, form(sheetOf(629_000)), token, 'multipart/form-data; boundary=b')).toBe(429);
    expect((await service.get('/submissions', { token })).json()).not.toHaveProperty('_embedded');
  });

  it('counts what is promised to resumable uploads, until they are given up', async () => {
    const token = await service.token('pieces');
    const [first, second] = [await begin(60_000, token), await begin(60_000, token)];
    expect([first.status, second.status]).toEqual([201, 429]);
    expect(second.json()).toMatchObject({ code: 'rate.limited' });
    expect(second.text).toContain(
      'Resumable uploads of the account that have not ended keep 60000 of them: finish or delete',
    );
    expect((await begin(100_001, await service.token('no pieces'))).text).not.toContain('Resumable uploads');
    const headers = { 'tus-resumable': '1.0.0' };
    expect(
      (await service.call(first.headers.get('location') as string, { method: 'DELETE', token, headers })).status,
    ).toBe(204);
    expect((await begin(60_000, token)).status).toBe(201);
    expect((await begin(60_000, await service.token('others'))).status).toBe(201);
  });

  it('bounds the number of unfinished uploads of an account', { tags: 'slow' }, async () => {
    const token = await service.token('many');
    const statuses = new Set<number>();
    for (let n = 0; n < 201; n += 1) statuses.add((await begin(1, token)).status);
    expect([...statuses]).toEqual([201, 429]);
  });
});

describe('uploads at the same time', () => {
  const store = { sentSince: async () => ({ submissions: 0, bytes: 0 }), countWaiting: async () => 0 };
  const quotas = (limits: object) =>
    new UploadQuotas(store, { submissionsPerDay: 0, bytesPerDay: 0, waiting: 0, ...limits });

  it('share the bytes of their account, and give back what came to nothing', async () => {
    const shared = quotas({ bytesPerDay: 100 });
    const [one, two] = [await shared.admit('ada', 0), await shared.admit('ada', 0)];
    one.count(60);
    expect(() => two.count(60)).toThrow('more than what is left');
    two.end();
    const three = await shared.admit('ada', 40);
    three.count(40);
    await expect(shared.admit('ada', 1)).rejects.toMatchObject({ code: 'rate.limited' });
    await expect(shared.admit('bo', 100)).resolves.toBeDefined();
  });

  it.each(['submissionsPerDay', 'waiting'])('are counted for %s where they begin at once', async (limit) => {
    const shared = quotas({ [limit]: 2 });
    const begun = await Promise.allSettled(Array.from({ length: 5 }, () => shared.admit('ada', 0)));
    expect(begun.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected']);
  });

  it('ask the store for nothing that is not limited', async () => {
    const asked: string[] = [];
    const answer = async <T>(question: string, is: T): Promise<T> => {
      asked.push(question);
      return is;
    };
    const asking = (limits: object) =>
      new UploadQuotas(
        {
          sentSince: () => answer('sent', { submissions: 0, bytes: 0 }),
          countWaiting: () => answer('waiting', 0),
        },
        { submissionsPerDay: 0, bytesPerDay: 0, waiting: 0, ...limits },
      ).admit('ada', 0);
    for (const limits of [{}, { waiting: 9 }, { bytesPerDay: 9 }, { submissionsPerDay: 9 }]) {
      await asking(limits);
      asked.push('|');
    }
    expect(asked.join(' ')).toBe('| waiting | sent | sent |');
  });

  it.each(['submissionsPerDay', 'waiting'])('count for %s before the store knows of them', async (limit) => {
    let refused = 0;
    const shared = quotas({ [limit]: 2 });
    shared.onRefused = () => {
      refused += 1;
    };
    const first = await shared.admit('ada', 0);
    await shared.admit('ada', 0);
    await expect(shared.admit('ada', 0)).rejects.toMatchObject({ code: 'rate.limited' });
    first.end();
    await expect(shared.admit('ada', 0)).resolves.toBeDefined();
    expect(refused).toBe(1);
  });
});
