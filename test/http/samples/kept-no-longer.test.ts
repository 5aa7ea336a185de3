/** Files that come again after what was kept of their first upload was removed, as the settings for keeping say. */
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFilesystemBlobs } from '../../../src/blobs/filesystem.js';
import type { Submission } from '../../../src/submissions/submission.js';
import { findOrphans } from '../../../src/upkeep/orphans.js';
import { type Purged, purge } from '../../../src/upkeep/purge.js';
import { submissionIdOf } from '../../support/api-caller.js';
import { type Service, startService } from '../service.js';
import { sheet } from '../uploads/forms.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab-1');
});
afterAll(() => service.stop());

/** Two days after, those are kept for one day. */
async function passes(days: { originals?: number; ledgers?: number }, after = 2): Promise<Purged> {
  const blobs = await openFilesystemBlobs(join(service.folder, 'blobs'));
  const none = { originals: 0, ledgers: 0, idempotencyKeys: 0, webhookDeliveries: 0, audit: 0 };
  return purge(
    { store: service.store, blobs, expireAudit: () => [], now: Date.now() + after * 86_400_000 },
    { ...none, ...days },
  );
}
/** Of the place; no upload. */
const MARK = 'registry-place';
const stored = (): string[] =>
  readdirSync(join(service.folder, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .filter((name) => name !== MARK)
    .sort();
const large = (): string =>
  `Sample Name\tRelease Date\n${Array.from({ length: 250 }, (_, at) => `row ${Math.random()} ${at}\t2024-01-01`).join('\n')}\n`;

it('a file that nothing notes and no submission has is named a day later, and removed where that is asked for', async () => {
  const blobs = await openFilesystemBlobs(join(service.folder, 'blobs'));
  const put = async (key: string): Promise<string> => {
    const source = async function* () {
      yield Buffer.from(sheet());
    };
    return (await blobs.put(key, source(), { maxBytes: 1000 })).key;
  };
  const first = await service.upload(sheet(), { token });
  const { blobKey } = (await service.store.find(submissionIdOf(first))) as Submission;
  await put(`${blobKey}.table`);
  const [one, other] = [randomUUID(), randomUUID()].sort() as [string, string];
  const orphans = [await put(one), await put(`${one}.table`), await put(other)];
  await put(`${one}-1.export`);
  await put('notes-of-somebody');
  const kept = stored().filter((name) => !orphans.includes(name));
  const after = (days: number, remove = false) =>
    findOrphans({ store: service.store, blobs, now: Date.now() + days * 86_400_000 }, remove);
  expect(await after(0.9, true)).toEqual([]);
  expect(await after(1.1)).toEqual(orphans);
  expect(stored()).toEqual([...kept, ...orphans].sort());
  expect(await after(1.1, true)).toEqual(orphans);
  expect(stored()).toEqual(kept);
  for (const key of [`${blobKey}.table`, `${one}-1.export`, 'notes-of-somebody']) await blobs.delete(key);
});

it('a file that was stored and never became a submission is removed, and none that did or may yet', async () => {
  const blobs = await openFilesystemBlobs(join(service.folder, 'blobs'));
  const content = sheet();
  const source = async function* () {
    yield Buffer.from(content);
  };
  const first = await service.upload(content, { token });
  const { blobKey } = (await service.store.find(submissionIdOf(first))) as Submission;
  const kept = stored();
  // As one whose process was killed right before its note was taken away, and one that was killed before that.
  await blobs.put(blobKey, source(), { maxBytes: 1000, pendingFor: 'lab-1' });
  await blobs.put('left', source(), { maxBytes: 1000, pendingFor: 'lab-1' });
  await blobs.put('left.table', source(), { maxBytes: 1000 });
  expect((await passes({}, 0)).unaccepted).toBe(0);
  expect(stored()).toContain('left');
  expect((await passes({})).unaccepted).toBe(1);
  expect(stored()).toEqual(kept);
});

describe('a file whose stored copy was removed', () => {
  it('is answered as the first time when it comes again, and stored again', async () => {
    const content = sheet();
    const options = { token };
    const first = await service.upload(content, options);
    expect(first.status, first.text).toBe(201);
    const before = stored();
    await passes({ originals: 1 });
    expect(stored().length).toBeLessThan(before.length);
    const address = `/submissions/${submissionIdOf(first)}`;
    expect((await service.get(`${address}/original`, { token })).status).toBe(404);
    for (const times of [2, 3]) {
      const again = await service.upload(content, options);
      expect([again.status, again.text], `time ${times}`).toEqual([201, first.text]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect((await service.get(`${address}/result`, { token })).text).toBe(first.text);
    }
    const original = await service.get(`${address}/original`, { token });
    expect(original.bytes.equals(Buffer.from(content))).toBe(true);
    const kept = stored();
    await passes({ originals: 1 });
    expect(stored(), 'and removed again').toHaveLength(0);
    expect(kept).toHaveLength(1);
  });

  it('has its result again when it is a large one', async () => {
    const content = large();
    const first = await service.upload(content, { token });
    expect(first.status).toBe(202);
    const address = `/submissions/${submissionIdOf(first)}`;
    await expect
      .poll(async () => (await service.get(address, { token })).json<{ submissionStatus: string }>().submissionStatus)
      .toBe('COMPLETED');
    const { text } = await service.get(`${address}/result`, { token });
    await passes({ originals: 1 });
    expect((await service.get(`${address}/result`, { token })).status).toBe(404);
    expect(submissionIdOf(await service.upload(content, { token }))).toBe(submissionIdOf(first));
    expect((await service.get(`${address}/result`, { token })).text).toBe(text);
  });

  it('is stored again under its Idempotency-Key, too', async () => {
    const content = sheet();
    const headers = { 'idempotency-key': 'night 1' };
    const first = await service.upload(content, { token, headers });
    await passes({ originals: 1 });
    const again = await service.upload(content, { token, headers });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(stored()).toHaveLength(1);
  });
});

describe('a file whose outcomes were removed', () => {
  it('is not registered twice, and hears what to do', async () => {
    const content = sheet();
    const first = await service.upload(content, { token });
    await passes({ ledgers: 1 });
    const again = await service.upload(content, { token });
    expect(again.status).toBe(409);
    expect(again.json()).toMatchObject({ code: 'conflict', submissionId: submissionIdOf(first) });
    expect(again.json<{ detail: string }>().detail).toMatch(
      /uploaded before, on \d{4}.*find them by their names.*duplicate=allow/,
    );
    const address = `/submissions/${submissionIdOf(first)}`;
    for (const part of ['result', 'mapping', 'errors']) {
      const answer = await service.get(`${address}/${part}`, { token });
      expect([answer.status, answer.json<{ code: string }>().code], part).toEqual([410, 'submission.outcomes-gone']);
    }
    const asked = await service.upload(content, { token, headers: { accept: 'application/json' } });
    expect(asked.json()).toMatchObject({ submissionStatus: 'COMPLETED', counts: { created: 2 } });
    const fresh = await service.upload(content, { token, options: { duplicate: 'allow' } });
    expect(fresh.status, fresh.text).toBe(201);
  });

  it('ends at once what would need them, with the same words', async () => {
    const content = `Sample Name\tRelease Date\n${Math.random()}\t2024-01-01\n${Math.random()}\t\n`;
    await service.upload(content, { token });
    await passes({ ledgers: 1 });
    const dryRun = { releaseDate: '2024-01-01', dryRun: 'true' };
    const answer = await service.upload(content, { token, options: dryRun });
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([410, 'submission.outcomes-gone']);
    const { submissionId } = answer.json<{ submissionId: string }>();
    expect((await service.get(`/submissions/${submissionId}`, { token })).json()).toMatchObject({
      submissionStatus: 'FAILED',
      attempts: 1,
      problem: { code: 'submission.outcomes-gone', retryable: false },
    });
  });
});
