/** Uploads as any route or command offers them: answered, replayed, refused, cancelled, retried, watched; and the worker's day. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SharedLooks } from '../../src/limits/shared-looks.js';
import { EmbeddedQueue } from '../../src/queue/embedded.js';
import { RegistryError } from '../../src/registry/errors.js';
import { startWorker } from '../../src/submissions/processing/work.js';
import { type NextLook, watchSubmission } from '../../src/submissions/progress.js';
import { Results } from '../../src/submissions/results/results.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import { isSmall, laneOf } from '../../src/submissions/uploads/threshold.js';
import { type UploadDependencies, type UploadRequest, Uploads } from '../../src/submissions/uploads/uploads.js';
import { ROOT } from '../support/output.js';
import { Intake, inOnePiece, requestOf, sheetOf, textOf } from './intake.js';

const SAMPLES = join(ROOT, 'samples-tsv');
const EXAMPLES = readdirSync(SAMPLES).filter((name) => name.endsWith('.tsv') && name !== 'large.tsv');

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

let sheets = 0;
const sheet = (rows = 2, day = '2020-01-01'): string => {
  sheets++;
  return sheetOf(
    ['Sample Name', 'Release Date', 'organism'],
    ...Array.from({ length: rows }, (_, at) => [`u${sheets} ${at}`, day, 'x']),
  );
};
const request = (
  text: string,
  more: Partial<UploadRequest> = {},
  options: Partial<UploadOptions> = {},
): UploadRequest => ({ ...requestOf(text, options), ...more });
const ada = { account: 'ada', admin: false };
/** As a service offers them, with a worker that takes what it is rung for. */
async function served<T>(
  body: (uploads: Uploads, deps: UploadDependencies) => Promise<T>,
  more: Partial<UploadDependencies> = {},
): Promise<T> {
  const queue = new EmbeddedQueue();
  const worker = startWorker(
    { ...intake.processing, queue },
    { name: 'w', concurrency: { small: 1, large: 1 }, lookEveryMs: 60_000 },
  );
  const deps = { ...intake.uploads, queue, waitMs: 20_000, ...more };
  try {
    return await body(new Uploads(deps), deps);
  } finally {
    await worker.stop();
    await worker.stop();
    await queue.close();
  }
}
const blobs = (): number =>
  readdirSync(join(intake.folder, 'blobs'), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.parentPath.endsWith('pending'),
  ).length;

describe('an upload', () => {
  it('that is small is answered when it has ended, and a large one at once', () =>
    served(async (uploads, { queue }) => {
      let foretold = 0;
      (queue as EmbeddedQueue).onForetold('large', () => foretold++);
      const small = await uploads.accept(request(sheet()));
      expect(small).toMatchObject({ replayed: false, small: true, submission: { state: 'COMPLETED', lane: 'small' } });
      const rows = await uploads.accept(request(sheet(200)));
      expect(rows).toMatchObject({
        small: false,
        submission: { state: 'COMPLETED', lane: 'small', counts: { rows: 200 } },
      });
      expect(foretold).toBe(0);
      const large = await uploads.accept(request(sheet(1_500)));
      expect(foretold).toBe(1);
      expect(large).toMatchObject({ replayed: false, small: false, submission: { state: 'ACTIVE', lane: 'large' } });
      const { fileSize, options } = await intake.found(large.submission.id);
      expect(fileSize).toBeGreaterThanOrEqual(20_000);
      expect(options.arePlain).toBe(true);
      const quoted = await uploads.accept(request(sheet(1_500).replace('\n', '\n"quoted"\t2024-01-01\n')));
      expect((await intake.found(quoted.submission.id)).options).not.toHaveProperty('arePlain');
    }));

  it('that is small is answered from the bytes that came, and says what its file says', () =>
    served(async (uploads) => {
      const text = sheet(20);
      const { submission, read } = await uploads.accept(request(text));
      expect(read?.text.toString()).toBe(text);
      const opened: string[] = [];
      const blobs = new Proxy(intake.blobs, {
        get: (of, name) => {
          if (name === 'open') opened.push(name);
          return Reflect.get(of, name);
        },
      });
      const results = new Results({ store: intake.store, blobs, prefix: 'SAMR' });
      const printed = await textOf(results.result(submission, read));
      expect(opened).toEqual([]);
      expect(printed).toBe(await textOf(results.result(submission)));
      expect(opened).toHaveLength(1);
      // What was not read just now, or is read in another way than it came.
      const again = await uploads.accept(request(text));
      expect([again.replayed, again.read]).toEqual([true, undefined]);
      expect((await uploads.accept(request(sheet(1_500)))).read).toBeUndefined();
    }));

  it('of whatever kind of sheet says by the bytes that came what its stored file says', () =>
    served(async (uploads) => {
      const { results } = intake;
      const compared: string[] = [];
      for (const name of EXAMPLES) {
        const source = inOnePiece(readFileSync(join(SAMPLES, name)));
        const sent = request('', { account: name, source }, { releaseDate: Date.UTC(2030, 0, 1) });
        const { submission, read } = await uploads
          .accept(sent)
          .catch(() => ({ submission: undefined, read: undefined }));
        if (submission?.state !== 'COMPLETED') continue;
        expect(await textOf(results.result(submission, read)), name).toBe(await textOf(results.result(submission)));
        if (read) compared.push(name);
      }
      expect(compared.length).toBeGreaterThan(EXAMPLES.length / 2);
      // Read by a profile, in an encoding of its own.
      expect([compared.includes('format-ena.tsv'), compared.includes('utf-16.tsv')]).toEqual([false, true]);
    }));

  it('is waited for no longer than that is allowed', async () => {
    const uploads = new Uploads({ ...intake.uploads, waitMs: 0 });
    const answer = await uploads.accept(request(sheet(), { account: 'patient' }));
    expect(answer).toMatchObject({ small: false, submission: { state: 'ACTIVE' } });
    const asked: number[] = [];
    const waiting = new Uploads({
      ...intake.uploads,
      waitMs: 600,
      queue: {
        ...intake.queue,
        waitFor: async (_, timeoutMs) => {
          asked.push(timeoutMs);
          intake.clock.now += timeoutMs;
          return false;
        },
      },
    });
    expect(await waiting.accept(request(sheet(), { account: 'patient' }))).toMatchObject({
      submission: { state: 'ACTIVE' },
    });
    expect(asked).toEqual([250, 250, 100]);
    for (const { id } of (await intake.store.list({ size: 10, account: 'patient' })) as Submission[])
      await intake.ended(id);
  });

  it('is not waited for when its workers are asked to stop', async () => {
    const workEnds = new AbortController();
    let asked = 0;
    const uploads = new Uploads({
      ...intake.uploads,
      waitMs: 60_000,
      workEnds: workEnds.signal,
      queue: {
        ...intake.queue,
        waitFor: async (_, timeoutMs) => {
          asked++;
          intake.clock.now += timeoutMs;
          workEnds.abort();
          return false;
        },
      },
    });
    const answer = await uploads.accept(request(sheet(), { account: 'early' }));
    expect(answer).toMatchObject({ small: false, submission: { state: 'ACTIVE' } });
    expect(asked).toBe(1);
    expect((await intake.ended(answer.submission.id)).state).toBe('COMPLETED');
  });

  it('that ends between listening and looking is seen', async () => {
    const text = sheet();
    const uploads = new Uploads({
      ...intake.uploads,
      waitMs: 1_000,
      queue: {
        ...intake.queue,
        waitFor: async (id) => {
          await intake.ended(id);
          return new Promise(() => undefined);
        },
      },
      store: { ...intake.store, find: async (id) => intake.ended(id).catch(() => intake.store.find(id)) },
    });
    expect((await uploads.accept(request(text))).submission.state).toBe('COMPLETED');
  });

  it('that fails for its file is answered with the reason, its place and its submission', () =>
    served(async (uploads) => {
      const text = 'Sample Name\tRelease Date\n"never closed\t2020-01-01\n';
      const refused = await uploads.accept(request(text)).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        code: expect.stringMatching(/^file\./),
        detail: { extra: { submissionId: expect.any(String) } },
      });
      const all = await uploads
        .accept(request(sheet(2, 'never'), {}, { maxRejected: '0' }))
        .catch((error: unknown) => error);
      expect(all).toMatchObject({
        code: 'file.too-many-rejected',
        detail: { extra: { line: 3, submissionId: expect.any(String) } },
      });
      const noHeader = await uploads.accept(request('x\ty\n1\t2\n')).catch((error: RegistryError) => error);
      const { extra } = (noHeader as RegistryError).detail;
      expect((await intake.found(extra?.submissionId as string)).problem).toMatchObject({
        code: (noHeader as RegistryError).code,
      });
      const turned = 'Sample Name\tS1\tS2\nRelease Date\t2020-01-01\t2020-01-01\norganism\tMus\tRattus\n';
      await expect(uploads.accept(request(turned, {}, { releaseDate: 0 }))).rejects.toMatchObject({
        code: 'file.wrong-kind',
        message: expect.stringContaining('stand side by side'),
      });
    }));

  it('leaves no file behind where it is refused, or an earlier one is answered', async () => {
    const text = sheet();
    await intake.accept(text, {}, { key: 'k1' });
    const before = blobs();
    expect((await intake.accept(text)).replayed).toBe(true);
    expect((await intake.accept(text, {}, { key: 'k1' })).replayed).toBe(true);
    await expect(intake.accept(sheet(), {}, { key: 'k1' })).rejects.toMatchObject({
      code: 'submission.key-reused',
      message: expect.stringMatching(
        /^This Idempotency-Key came with another file before \(submission [0-9a-f-]{36}\); use a new key for a new file\.$/,
      ),
    });
    await expect(intake.accept(sheet(), { checklist: 'of nobody' })).rejects.toMatchObject({
      code: 'checklist.unknown',
    });
    expect(blobs()).toBe(before);
    const uploads = new Uploads(intake.uploads);
    expect([
      await uploads.knowsKey('ada', 'k1'),
      await uploads.knowsKey('bo', 'k1'),
      await uploads.knowsKey('ada', 'k2'),
    ]).toEqual([true, false, false]);
  });

  it('keeps its file where nobody can say whether it was accepted', async () => {
    const before = blobs();
    const away = new RegistryError('service.unavailable', 'Away.');
    const hasOriginal = () => Promise.reject(away);
    const store = { ...intake.store, accept: () => Promise.reject(away), hasOriginal };
    await expect(new Uploads({ ...intake.uploads, store }).accept(request(sheet()))).rejects.toBe(away);
    expect(blobs()).toBe(before + 1);
    const gone = { ...store, hasOriginal: async () => false };
    await expect(new Uploads({ ...intake.uploads, store: gone }).accept(request(sheet()))).rejects.toBe(away);
    expect(blobs()).toBe(before + 1);
  });

  it('keeps its file where an earlier submission has it now, and the answer to that was lost', async () => {
    const content = sheet();
    const { id, blobKey } = (await intake.accept(content)).submission;
    await intake.ended(id);
    await intake.uploads.blobs.delete(blobKey);
    await intake.store.markOriginalsGone([id]);
    const away = new RegistryError('service.unavailable', 'Away.');
    const accept: typeof intake.store.accept = async (...asked) => {
      await intake.store.accept(...asked);
      throw away;
    };
    const before = blobs();
    const store = { ...intake.store, accept };
    await expect(new Uploads({ ...intake.uploads, store }).accept(request(content))).rejects.toBe(away);
    expect(blobs()).toBe(before + 1);
    const has = await intake.store.find(id);
    expect(has?.blobKey).not.toBe(blobKey);
    expect((await intake.accept(content)).submission.blobKey, 'and needs no other').toBe(has?.blobKey);
    expect(blobs()).toBe(before + 1);
  });

  it('is no less accepted when the bell cannot be rung', async () => {
    const publish = () => Promise.reject(new Error('away'));
    const uploads = new Uploads({ ...intake.uploads, queue: { ...intake.queue, publish } });
    const { submission } = await uploads.accept(request(sheet()));
    expect((await intake.ended(submission.id)).state).toBe('COMPLETED');
  });

  it('that no worker takes is waited for as long as it says, also when the clock is set back all the time', async () => {
    let [time, looks] = [intake.uploads.now(), 0];
    const waitFor = async (): Promise<boolean> => {
      if (++looks > 100) throw new Error('It waits for ever.');
      return false;
    };
    const uploads = new Uploads({
      ...intake.uploads,
      waitMs: 1_000,
      queue: { ...intake.queue, publish: async () => undefined, waitFor },
      now: () => (time -= 3_600_000),
    });
    expect((await uploads.accept(request(sheet()))).small).toBe(false);
    expect(looks).toBe(4);
  });

  it('is counted by its bytes as they come, and let in or not', async () => {
    const reported: unknown[] = [];
    const admit: UploadDependencies['admit'] = async (account, declared) => {
      reported.push([account, declared]);
      if (declared > 100) throw new RegistryError('body.too-large', 'Too much today.');
      return { count: (bytes) => void reported.push(bytes), end: () => void reported.push('end') };
    };
    const uploads = new Uploads({ ...intake.uploads, admit });
    const text = sheet();
    await uploads.accept(request(text, { declared: 50 }));
    await uploads.accept(request(sheet()));
    await expect(uploads.accept(request('no sheet'))).rejects.toMatchObject({ code: expect.stringMatching(/^file\./) });
    await expect(uploads.accept(request(sheet(), { declared: 101 }))).rejects.toThrow('Too much today.');
    expect(reported).toEqual([
      ['ada', 50],
      text.length,
      'end',
      ['ada', 0],
      expect.any(Number),
      'end',
      ['ada', 0],
      8,
      'end',
      ['ada', 101],
    ]);
  });
});

describe('the submissions of an account', () => {
  it('do not exist for others, and an administrator sees all', async () => {
    const uploads = new Uploads(intake.uploads);
    const { submission } = await intake.accept(sheet(), {}, { account: 'own' });
    const search = { size: 10, dryRuns: true };
    expect((await uploads.find(submission.id, { account: 'own', admin: false })).id).toBe(submission.id);
    expect((await uploads.find(submission.id, { account: 'root', admin: true })).id).toBe(submission.id);
    for (const id of [submission.id, '00000000-0000-4000-8000-000000000000']) {
      await expect(uploads.find(id, ada)).rejects.toMatchObject({
        code: 'submission.not-found',
        message: `There is no submission ${id} of yours.`,
      });
      await expect(uploads.cancel(id, ada)).rejects.toMatchObject({ code: 'submission.not-found' });
      await expect(uploads.retry(id, ada)).rejects.toMatchObject({ code: 'submission.not-found' });
      await expect(uploads.commit(id, ada)).rejects.toMatchObject({ code: 'submission.not-found' });
      await expect(uploads.undo(id, ada)).rejects.toMatchObject({ code: 'submission.not-found' });
    }
    const listed = async (reader: { account: string; admin: boolean }, more = {}) =>
      (await uploads.list(reader, { ...search, ...more })).submissions.map(({ account }) => account);
    expect(await listed({ account: 'own', admin: false })).toEqual(['own']);
    expect(await listed({ account: 'own', admin: false }, { account: 'own' })).toEqual(['own']);
    expect(await listed(ada, { account: 'own' })).toEqual([]);
    expect(await listed({ account: 'root', admin: true }, { account: 'own' })).toEqual(['own']);
    expect(new Set(await listed({ account: 'root', admin: true }, { size: 100 })).size).toBeGreaterThan(1);
    expect(await uploads.queuePosition(submission.id)).toBeTypeOf('number');
    const cancelled = await uploads.cancel(submission.id, { account: 'own', admin: false });
    expect([cancelled.state, intake.announced.at(-1)]).toEqual(['CANCELLED', submission.id]);
  });

  it('go on when they are retried for a reason that passes, and not otherwise', async () => {
    const uploads = new Uploads(intake.uploads);
    const done = await intake.send(sheet());
    await expect(uploads.retry(done.id, ada)).rejects.toMatchObject({
      code: 'submission.final',
      message: `Submission ${done.id} is COMPLETED and cannot go on; fix the file and upload it again.`,
    });
    const { submission } = await intake.accept(sheet());
    const full = () => Promise.reject(new RegistryError('storage.full', 'Full.'));
    await intake.work({ ...intake.processing, store: { ...intake.store, applyBatch: full } });
    expect((await intake.found(submission.id)).state).toBe('FAILED');
    intake.rung.length = 0;
    expect((await uploads.retry(submission.id, ada)).state).toBe('ACTIVE');
    expect(intake.rung).toEqual([submission.id]);
    expect((await intake.ended(submission.id)).state).toBe('COMPLETED');
  });

  it('say by which undo they were taken back, and by which commit they were carried out', () =>
    served(async (uploads) => {
      const done = await intake.send(sheet());
      expect((await uploads.followedBy([done]))(done).undoneBy).toBeUndefined();
      const undo = await uploads.undo(done.id, ada);
      expect(undo).toMatchObject({
        replayed: false,
        small: true,
        submission: { state: 'COMPLETED', options: { undoOf: done.id } },
      });
      expect((await uploads.followedBy([done]))(done).undoneBy).toBe(undo.submission.id);
      expect((await uploads.followedBy([undo.submission]))(undo.submission).undoneBy).toBeUndefined();
      expect(await uploads.undo(done.id, ada)).toMatchObject({
        replayed: true,
        submission: { id: undo.submission.id },
      });
      const dry = await intake.send(sheet(), { dryRun: true });
      expect((await uploads.followedBy([dry]))(dry).undoneBy).toBeUndefined();
      const commit = await uploads.commit(dry.id, ada);
      expect(commit).toMatchObject({
        replayed: false,
        small: true,
        submission: { state: 'COMPLETED', options: { commitOf: { submissionId: dry.id } } },
      });
      expect((await uploads.followedBy([dry]))(dry).committedBy).toBe(commit.submission.id);
      expect((await uploads.followedBy([commit.submission]))(commit.submission).committedBy).toBeUndefined();
      await uploads.undo(commit.submission.id, ada);
      expect((await uploads.followedBy([dry]))(dry).committedBy).toBe(commit.submission.id);
      const refused = await intake.send(sheet(2, 'never'));
      expect((await uploads.followedBy([refused]))(refused).undoneBy).toBeUndefined();
      const shown = await intake.send(sheet(3), { dryRun: true });
      expect((await uploads.followedBy([shown]))(shown).committedBy).toBeUndefined();
    }));
});

describe('a file', () => {
  const limits = { bytes: 100, rows: 10 };
  it.each([
    [99, 9, 'small', true],
    [100, 9, 'large', false],
    [99, 10, 'small', false],
  ])(
    'of %i bytes and %i rows waits in the lane %s and is answered with its result: %s',
    (fileSize, rows, lane, small) => {
      expect(laneOf(fileSize, limits)).toBe(lane);
      expect(isSmall({ fileSize, counts: { rows, created: 0, updated: 0, unchanged: 0, rejected: 0 } }, limits)).toBe(
        small,
      );
    },
  );
});

describe('a worker', () => {
  it('takes what waits when it starts, what it is rung for, and nothing when it has stopped', async () => {
    const queue = new EmbeddedQueue();
    const before = await intake.accept(sheet());
    const worker = startWorker(
      { ...intake.processing, queue },
      { name: 'w', concurrency: { small: 1, large: 1 }, lookEveryMs: 60_000 },
    );
    await expect.poll(async () => (await intake.found(before.submission.id)).state).toBe('COMPLETED');
    const rung = await intake.accept(sheet());
    await queue.publish({ submissionId: rung.submission.id, lane: 'small', account: 'ada' });
    await expect.poll(async () => (await intake.found(rung.submission.id)).state).toBe('COMPLETED');
    await worker.stop();
    const late = await intake.accept(sheet());
    await queue.publish({ submissionId: late.submission.id, lane: 'small', account: 'ada' }).catch(() => undefined);
    expect((await intake.found(late.submission.id)).attempts).toBe(0);
    await queue.close();
    await intake.ended(late.submission.id);
  });

  it('looks by itself where no bell rings', async () => {
    const worker = startWorker(intake.processing, { name: 'w', concurrency: { small: 1, large: 1 }, lookEveryMs: 20 });
    const { submission } = await intake.accept(sheet());
    await expect.poll(async () => (await intake.found(submission.id)).state).toBe('COMPLETED');
    await worker.stop();
  });

  it('gives what may have ended workers to a process of its own, one at a time', async () => {
    const alone: string[] = [];
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { submission } = await intake.accept(sheet());
    const suspected = {
      ...intake.store,
      claimNext: async (asked: Parameters<typeof intake.store.claimNext>[0]) => {
        const claim = await intake.store.claimNext(asked);
        return claim && { ...claim, alone: true };
      },
    };
    const worker = startWorker(
      { ...intake.processing, store: suspected },
      {
        name: 'w',
        concurrency: { small: 2, large: 1 },
        lookEveryMs: 20,
        processAlone: async (claim) => {
          alone.push(claim.submission.id);
          await ended;
        },
      },
    );
    await expect.poll(() => alone).toEqual([submission.id]);
    const second = await intake.accept(sheet());
    let stopped = false;
    const stopping = worker.stop().then(() => {
      stopped = true;
    });
    expect([stopped, alone.includes(second.submission.id)]).toEqual([false, false]);
    end();
    await stopping;
    expect((await intake.found(submission.id)).state).toBe('ACTIVE');
    intake.clock.now += 120_000;
    await intake.store.cancel(submission.id);
    await intake.ended(second.submission.id);
  });
});

describe('whoever watches a submission', () => {
  const shared = new SharedLooks((id: string) => intake.store.find(id));
  const looks: NextLook = (...look) => shared.next(...look);

  it('sees it now and after each change, to its end', async () => {
    const { submission } = await intake.accept(sheet(5), {}, { account: 'watched' });
    const states: string[] = [];
    for await (const present of watchSubmission(looks, submission.id, new AbortController().signal)) {
      states.push(`${present.state} ${present.cursor}`);
      if (present.state === 'ACTIVE') await intake.ended(submission.id);
    }
    expect(states).toEqual(['ACTIVE 0', 'COMPLETED 6']);
  });

  it('sees nothing of what is not there, and no more when it stops', async () => {
    const seen: Submission[] = [];
    for await (const present of watchSubmission(
      looks,
      '00000000-0000-4000-8000-000000000000',
      new AbortController().signal,
    ))
      seen.push(present);
    const { submission } = await intake.accept(sheet(), {}, { account: 'watched' });
    const stopping = new AbortController();
    for await (const present of watchSubmission(looks, submission.id, stopping.signal)) {
      seen.push(present);
      stopping.abort();
    }
    expect(seen.map(({ state }) => state)).toEqual(['ACTIVE']);
    await intake.ended(submission.id);
  });
});
