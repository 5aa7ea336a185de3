/**
 * What holds up a file, or the whole folder: none of it may keep other files back for good, and none turn their order round.
 *
 * @module-tag slow
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchFolder } from '../../src/cli/watch/daemon.js';
import { LeftInInboxError, WatchedFolder } from '../../src/cli/watch/folder.js';
import { Journal } from '../../src/cli/watch/journal.js';
import type { WatchEvent } from '../../src/cli/watch/process-file.js';
import { RegistryClient } from '../../src/client/registry-client.js';
import Database from '../../src/store/sqlite/driver.js';
import { plainSheet } from '../support/plain-sheet.js';
import { SharedServer } from '../support/shared-server.js';
import { Folder } from './folder.js';

let server: SharedServer;
let env: Record<string, string>;
let folder: Folder;
beforeAll(async () => {
  server = await SharedServer.of('held up');
  env = { SAMPLE_REGISTRY_URL: server.url, SAMPLE_REGISTRY_TOKEN: await server.token('ada') };
});
beforeEach(() => {
  folder = new Folder(env);
  mkdirSync(join(folder.root, 'inbox'));
});
afterEach(() => folder.remove());

const SHEET = (tag: string, rows = 3) => plainSheet({ tag, rows });

/** As the account that daemons run under, which root's rights do not help. */
async function withoutRights<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('files of one key space', () => {
  const nights = ['monday', 'tuesday', 'wednesday', 'thursday'];

  it.each([
    [['--key', 'Barcode']],
    [['--key', 'Barcode', '--standing', 'ordered', '--auto-commit', '--max-missing', '100%']],
  ])('have their ends in the order in which they were written: %s', async (flags) => {
    for (const [at, day] of nights.entries()) {
      // The older, the larger: sent together, the newest would be there first.
      const rows = Array.from({ length: 3_000 / 10 ** at }, (_, row) => `s ${row}\tB-${row}\t2020-01-01\t${day}`);
      folder.put(`${day}.tsv`, ['Sample Name\tBarcode\tRelease Date\tCharacteristics[day]', ...rows, ''].join('\n'));
      const written = Date.now() / 1000 - 100 + at;
      utimesSync(join(folder.root, 'inbox', `${day}.tsv`), written, written);
    }
    const { lines } = await folder.runOnce(...flags);
    const said = lines<WatchEvent>().map(({ event, file }) => `${event} ${file}`);
    expect(said).toEqual(
      nights.flatMap((day) => ['taken', 'submitted', 'settled'].map((event) => `${event} ${day}.tsv`)),
    );
  });
});

describe('a file that cannot be read', () => {
  it('stays in the inbox with the reason', async () => {
    const watched = new WatchedFolder(folder.root);
    await watched.prepare();
    folder.put('theirs.tsv', SHEET('theirs'));
    chmodSync(join(watched.inbox, 'theirs.tsv'), 0);
    for (const path of [folder.root, watched.inbox, watched.working]) chmodSync(path, 0o777);
    await withoutRights(() =>
      expect(watched.take({ key: 'k', name: 'theirs.tsv', stage: 'claimed', options: {} })).rejects.toThrow(
        /^theirs\.tsv cannot be taken: EACCES.*inbox/,
      ),
    );
    expect([folder.names('inbox'), folder.names('working')]).toEqual([['theirs.tsv'], []]);
  });
});

describe('a folder that fails for a moment', () => {
  const started = () => {
    const daemon = folder.start('--url', 'http://127.0.0.1:1', '--give-up-after', '0');
    let said = '';
    daemon.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    return { daemon, said: () => said };
  };

  it('is looked into again, also while a file waits for the service', async () => {
    folder.put('before.tsv', SHEET('before'));
    const { daemon, said } = started();
    await expect.poll(said).toMatch(/"waiting".*before\.tsv/);
    renameSync(join(folder.root, 'inbox'), join(folder.root, 'away'));
    await expect.poll(said).toMatch(/"waiting".*ENOENT.*inbox/);
    renameSync(join(folder.root, 'away'), join(folder.root, 'inbox'));
    folder.put('behind.tsv', SHEET('behind'));
    await expect.poll(said).toMatch(/"taken".*behind\.tsv/);
    daemon.kill('SIGTERM');
    expect(await once(daemon, 'exit')).toEqual([0, null]);
    expect(folder.names('working')).toHaveLength(2);
  });

  it('goes on with a file that was moved when that happened', async () => {
    await withoutRights(async () => {
      const root = mkdtempSync(join(tmpdir(), 'watched-'));
      await new WatchedFolder(root).prepare();
      writeFileSync(join(root, 'inbox', 'first.tsv'), SHEET('first'));
      const stop = new AbortController();
      const events: WatchEvent[] = [];
      const reasons = () => events.map(({ event, file, reason = '' }) => `${event} ${file} ${reason}`).join('\n');
      const retry = { firstPauseMs: 1, longestPauseMs: 1, giveUpAfterMs: 0 };
      const watched = watchFolder({
        directory: root,
        client: new RegistryClient({ baseUrl: 'http://127.0.0.1:1', retry, signal: stop.signal }),
        upload: {},
        ...{ stableMs: 0, pollMs: 10, retryPauseMs: 20, concurrency: 4, once: false },
        signal: stop.signal,
        report: (event) => events.push(event),
      });
      await expect.poll(reasons).toMatch(/waiting first\.tsv/);
      // Files can be moved there, and then nobody can open the folder to make that durable.
      chmodSync(join(root, 'working'), 0o300);
      writeFileSync(join(root, 'inbox', 'moved.tsv'), SHEET('moved'));
      await expect.poll(reasons).toMatch(/waiting moved\.tsv EACCES/);
      chmodSync(join(root, 'working'), 0o700);
      await expect.poll(reasons).toMatch(/waiting moved\.tsv .*cannot be reached/);
      stop.abort();
      await watched;
      rmSync(root, { recursive: true });
    });
  });
});

describe('a file that somebody takes away while it waits for the service', () => {
  it('is gone, keeps no place and no other file back, and the run ends; one whose folder is away for a moment is not', async () => {
    const watched = new WatchedFolder(folder.root);
    await watched.prepare();
    const names = ['one.tsv', 'two.tsv', 'three.tsv', 'four.tsv'];
    for (const name of names) folder.put(name, SHEET(name));
    const events: WatchEvent[] = [];
    const [away, kept] = [join(folder.root, 'away'), watched.working];
    const said = () => events.map(({ event, file, reason = '' }) => `${event} ${file} ${reason}`);
    const stop = new AbortController();
    const running = watchFolder({
      directory: folder.root,
      client: new RegistryClient({
        baseUrl: 'http://127.0.0.1:1',
        retry: { firstPauseMs: 1, longestPauseMs: 1, giveUpAfterMs: 0 },
        signal: stop.signal,
      }),
      upload: {},
      ...{ stableMs: 0, pollMs: 10, retryPauseMs: 20, concurrency: names.length, once: false },
      signal: stop.signal,
      report: (event) => events.push(event),
    });
    await expect
      .poll(() => names.every((name) => said().some((line) => line.startsWith(`waiting ${name}`))))
      .toBe(true);
    renameSync(kept, away);
    await expect.poll(() => said().some((line) => /^waiting .*taken away/.test(line))).toBe(true);
    renameSync(away, kept);
    expect(said().some((line) => line.startsWith('gone'))).toBe(false);
    rmSync(kept, { recursive: true });
    mkdirSync(kept);
    await expect.poll(() => said().filter((line) => line.startsWith('gone')).length).toBe(names.length);
    stop.abort();
    await running;
    expect(folder.names('working')).toEqual([]);
    const journal = new Journal(watched.journalPath);
    expect(journal.unsettled()).toEqual([]);
    journal.close();
  });
});

describe('a single run that cannot go on', () => {
  it.each([
    ['the token is refused', ['--token', 'srt_revoked'], 4, /revoked/],
    ['the service is away', ['--url', 'http://127.0.0.1:1', '--give-up-after', '0'], 3, /cannot be reached/],
  ])('ends with the code of an upload where %s, and the next one goes on, in order', async (_, flags, code, why) => {
    const key = ['--key', 'Sample Name', '--key-space', `once-${code}`];
    for (const [at, name] of ['old.tsv', 'new.tsv'].entries()) {
      folder.put(name, plainSheet({ tag: `once-${code}`, rows: 3, note: name }));
      const written = Date.now() / 1000 - 100 + at;
      utimesSync(join(folder.root, 'inbox', name), written, written);
    }
    const first = await folder.runOnce(...flags, ...key);
    expect(first.code).toBe(code);
    expect(first.lines<WatchEvent>().map(({ event, file }) => `${event} ${file}`)).toEqual([
      'taken old.tsv',
      'waiting old.tsv',
    ]);
    expect(first.lines<WatchEvent>()[1]).toMatchObject({ code, reason: expect.stringMatching(why) });
    expect([folder.names('inbox'), folder.names('working').length]).toEqual([['new.tsv'], 1]);
    const second = await folder.runOnce(...key);
    expect(second.code).toBe(0);
    expect(folder.receipts().map(({ submission }) => submission?.counts)).toEqual([
      expect.objectContaining({ updated: 3 }),
      expect.objectContaining({ created: 3 }),
    ]);
  });

  it('takes the others where one cannot be moved', async () => {
    const watched = new WatchedFolder(folder.root);
    await watched.prepare();
    for (const name of ['stuck.tsv', 'free.tsv']) folder.put(name, SHEET(name));
    const take = watched.take.bind(watched);
    vi.spyOn(WatchedFolder.prototype, 'take').mockImplementation((entry) =>
      entry.name === 'stuck.tsv' ? Promise.reject(new LeftInInboxError(entry.name, new Error('held'))) : take(entry),
    );
    const events: WatchEvent[] = [];
    await watchFolder({
      directory: folder.root,
      client: new RegistryClient({ baseUrl: server.url, token: env.SAMPLE_REGISTRY_TOKEN as string }),
      upload: {},
      ...{ stableMs: 0, pollMs: 10, retryPauseMs: 10, concurrency: 1, once: true },
      signal: new AbortController().signal,
      report: (event) => events.push(event),
    });
    vi.restoreAllMocks();
    expect(events.filter(({ file }) => file === 'stuck.tsv')).toEqual([
      expect.objectContaining({ event: 'waiting', code: 4, reason: 'stuck.tsv cannot be taken: held.' }),
    ]);
    expect([folder.names('inbox'), folder.names('done')[0]]).toEqual([['stuck.tsv'], 'free.tsv']);
  });

  it('says which journal it cannot write', () => {
    const path = join(folder.root, 'journal.db');
    writeFileSync(path, 'no database, and longer than the hundred bytes with which one begins. '.repeat(20));
    expect(() => new Journal(path)).toThrow(`${path} cannot be opened: file is not a database.`);
    expect(() => new Journal(join(folder.root, 'nowhere', 'journal.db'))).toThrow(join(folder.root, 'nowhere'));
    const kept = new Journal(join(folder.root, 'kept.db'));
    const entry = kept.claim({ key: 'k', name: 'plate.tsv', options: {} });
    const full = vi.spyOn(Database.prototype, 'prepare').mockImplementation(() => {
      throw new Error('database or disk is full');
    });
    for (const write of [
      () => kept.claim({ key: 'l', name: 'plate.tsv', options: {} }),
      () => kept.submitted(entry, 's'),
      () => kept.settling(entry, { outcome: 'done', code: 0 }, 'plate.tsv'),
      () => kept.settled(entry),
      () => kept.forget('k'),
    ])
      expect(write).toThrow(`${join(folder.root, 'kept.db')} cannot be written: database or disk is full.`);
    full.mockRestore();
    kept.close();
  });
});

describe('a file that is taken away after it was accepted', () => {
  it('has its end as the service knows it, and its papers', async () => {
    const watched = new WatchedFolder(folder.root);
    await watched.prepare();
    folder.put('accepted.tsv', SHEET('accepted'));
    const client = new RegistryClient({ baseUrl: server.url, token: env.SAMPLE_REGISTRY_TOKEN as string });
    const journal = new Journal(watched.journalPath);
    const entry = journal.claim({ key: randomUUID(), name: 'accepted.tsv', options: {} });
    await watched.take(entry);
    const sent = await client.upload({ path: watched.workFile(entry), options: {}, idempotencyKey: entry.key });
    journal.submitted(entry, sent.submission.submissionId);
    journal.close();
    rmSync(join(watched.working, entry.key), { recursive: true });
    const { code, lines } = await folder.runOnce();
    expect(lines<WatchEvent>().map(({ event }) => event)).toEqual(['settled']);
    expect([code, folder.names('done'), folder.names('working')]).toEqual([
      0,
      ['mapping.json', 'receipt.json', 'result.tsv'].map((paper) => `accepted.tsv.${paper}`),
      [],
    ]);
  });
});

describe('a submission that the service does not know any more', () => {
  it('is rejected with what to do, and keeps nobody back', async () => {
    const watched = new WatchedFolder(folder.root);
    await watched.prepare();
    const journal = new Journal(watched.journalPath);
    // As many as are worked on at once.
    for (let at = 0; at < 4; at++) {
      const entry = journal.claim({ key: randomUUID(), name: `lost ${at}.tsv`, options: {} });
      folder.put(entry.name, SHEET(entry.name));
      await watched.take(entry);
      journal.submitted(entry, randomUUID());
    }
    journal.close();
    folder.put('next.tsv', SHEET('next'));
    expect((await folder.runOnce()).code).toBe(4);
    expect(folder.names('done')).toContain('next.tsv');
    expect(folder.receipts().filter(({ outcome }) => outcome === 'rejected')).toEqual(
      Array.from({ length: 4 }, () =>
        expect.objectContaining({
          problem: expect.objectContaining({
            code: 'submission.not-found',
            detail: expect.stringMatching(/There is no submission .* put the file into the inbox again/),
          }),
        }),
      ),
    );
    // As it says.
    renameSync(join(folder.root, 'rejected', 'lost 0.tsv'), join(watched.inbox, 'lost 0.tsv'));
    expect((await folder.runOnce()).code).toBe(0);
    expect(folder.names('done')).toContain('lost 0.tsv');
  });
});
