import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { saveToken } from '../../src/cli/credentials.js';
import { watchFolder } from '../../src/cli/watch/daemon.js';
import { WatchedFolder } from '../../src/cli/watch/folder.js';
import { Inbox } from '../../src/cli/watch/inbox.js';
import { Journal, type JournalEntry } from '../../src/cli/watch/journal.js';
import { LateWrites } from '../../src/cli/watch/late-writes.js';
import type { WatchEvent } from '../../src/cli/watch/process-file.js';
import { RegistryClient } from '../../src/client/registry-client.js';
import Database from '../../src/store/sqlite/driver.js';
import { stopWorkers } from '../faults/kill-at-work.js';
import type { Mapping } from '../support/api-caller.js';
import { runCommand } from '../support/command.js';
import { OUTPUT_DIR } from '../support/output.js';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';
import { Folder, kill } from './folder.js';

let server: TestServer;
let env: Record<string, string>;
let folder: Folder;
beforeAll(async () => {
  // A worker that stands still is not taken for dead meanwhile.
  server = await startServer({ env: { LEASE_SECONDS: '120' } });
  env = { SAMPLE_REGISTRY_URL: server.url, SAMPLE_REGISTRY_TOKEN: await server.token('ada') };
});
afterAll(() => server.stop());
beforeEach(() => {
  folder = new Folder(env);
  mkdirSync(join(folder.root, 'inbox'));
});
afterEach(() => folder.remove());

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const statusOf = (sample: { status: string }): string => sample.status;
/** As its owner sees it, once the commit of its sheet has ended. */
async function tube(key: number): Promise<{ status: string }> {
  const token = env.SAMPLE_REGISTRY_TOKEN as string;
  const listed = (await server.get('/submissions?size=1', { token })).json<{
    _embedded: { submissions: { submissionId: string }[] };
  }>();
  await server.settled(listed._embedded.submissions[0]?.submissionId as string, token);
  return (await server.get(`/samples/by-key/lims/B-${key}`, { token })).json<{ status: string }>();
}
const SHEET = (tag: string, rows = 3) => plainSheet({ tag, rows });

describe('the watch folder', () => {
  it('puts a file into done with its papers beside it', async () => {
    folder.put('plate.tsv', plainSheet({ tag: 'plate', rows: 10, badEvery: 5 }));
    const { code, stderr } = await folder.runOnce();
    // As `upload` says that rows were rejected.
    expect(code, stderr).toBe(2);
    expect(folder.names('done')).toEqual([
      'plate.tsv',
      'plate.tsv.errors.tsv',
      'plate.tsv.mapping.json',
      'plate.tsv.receipt.json',
      'plate.tsv.result.tsv',
    ]);
    expect(folder.receipts()).toMatchObject([
      { file: 'plate.tsv', outcome: 'done', submission: { counts: { created: 8, rejected: 2 } } },
    ]);
    const mapping = JSON.parse(folder.text('done', 'plate.tsv.mapping.json')) as Mapping;
    expect(mapping.sampleNameAccessionPairs).toHaveLength(8);
    expect(folder.text('done', 'plate.tsv.errors.tsv').trimEnd().split('\n')).toHaveLength(3);
    expect([...folder.names('inbox'), ...folder.names('working')]).toEqual([]);
  });

  it('keeps a standing sheet, night after night, with one line of flags', { tags: 'slow' }, async () => {
    const flags = ['--key', 'Barcode', '--standing', 'lims', '--missing', 'withdraw', '--auto-commit'];
    const sheet = (keys: readonly number[]) =>
      ['Sample Name\tBarcode\tRelease Date', ...keys.map((key) => `tube ${key}\tB-${key}\t2020-01-01`), ''].join('\n');
    const nights = [upTo(20), upTo(19), upTo(9), upTo(20)];
    const outcomes: object[] = [];
    for (const [night, keys] of nights.entries()) {
      folder.put(`night ${night}.tsv`, sheet(keys));
      const { code, stderr } = await folder.runOnce(...flags);
      outcomes.push([code, statusOf(await tube(19))]);
      expect(stderr).not.toContain('Error');
    }
    // Half an export is stopped by its ceiling, and nothing of it withdrawn.
    expect(outcomes).toEqual([
      [0, 'PUBLIC'],
      [0, 'WITHDRAWN'],
      [5, 'WITHDRAWN'],
      [0, 'PUBLIC'],
    ]);
    expect(statusOf(await tube(15))).toBe('PUBLIC');
  });

  it('takes no plan that waits for its commit for done, and says how to carry it out', async () => {
    const flags = ['--key', 'Sample Name', '--standing', 'by-hand'];
    const night = async (file: string) => {
      folder.put(file, SHEET('by-hand'));
      const { code, lines } = await folder.runOnce(...flags);
      const [end] = lines<WatchEvent>().filter(({ event }) => event === 'settled');
      return { code, outcome: end?.outcome, reason: end?.reason };
    };
    const first = await night('first.tsv');
    const plan = folder.receipts()[0]?.submission?.submissionId;
    expect(first).toEqual({
      code: 0,
      outcome: 'rejected',
      reason: `Nothing was registered: the plan waits (3 would be created, 0 updated, 0 of 0 samples are missing). Carry it out with: sample-registry commit ${plan}`,
    });
    expect(folder.names('rejected')).toEqual(['first.tsv', 'first.tsv.receipt.json']);
    expect((await runCommand(['commit', `${plan}`, '--wait'], { env })).code).toBe(0);
    expect(await night('same.tsv')).toEqual({ code: 0, outcome: 'done', reason: undefined });
  });

  it('names the papers of a JSON file by its form', { tags: 'slow' }, async () => {
    const good = { name: 'json of a folder', release: '2020-01-01' };
    folder.put('plate.ndjson', `${JSON.stringify(good)}\n${JSON.stringify({ ...good, name: '' })}\n`);
    await folder.runOnce();
    expect(folder.names('done')).toEqual([
      'plate.ndjson',
      'plate.ndjson.errors.ndjson',
      'plate.ndjson.mapping.json',
      'plate.ndjson.receipt.json',
      'plate.ndjson.result.ndjson',
    ]);
  });

  it('puts a file that registers nothing into rejected, with the reason', async () => {
    folder.put('picture.tsv', 'no table at all\n');
    folder.put('all-bad.tsv', plainSheet({ tag: 'bad', rows: 3, badEvery: 1 }));
    const { code, lines } = await folder.runOnce('--json');
    expect(code).toBe(4);
    const ends = lines<{ event: string; file: string; code: number; reason: string }>().filter(
      ({ event }) => event === 'settled',
    );
    expect(Object.fromEntries(ends.map(({ file, code }) => [file, code]))).toEqual({
      'picture.tsv': 4,
      'all-bad.tsv': 2,
    });
    const said = Object.fromEntries(ends.map(({ file, reason }) => [file, reason]));
    expect(said['picture.tsv']).toMatch(/Sample Name/);
    expect(said['all-bad.tsv']).toMatch(/^3 rows \(lines 2, 3, 4\), Sample Name: The row has no/);
    expect((await folder.runOnce()).code, 'of a run that found nothing').toBe(0);
    expect(folder.names('rejected')).toEqual([
      'all-bad.tsv',
      'all-bad.tsv.errors.tsv',
      'all-bad.tsv.receipt.json',
      'picture.tsv',
      'picture.tsv.receipt.json',
    ]);
    expect(folder.receipts().find(({ file }) => file === 'picture.tsv')?.problem?.code).toMatch(/^file\./);
    expect(folder.names('done')).toEqual([]);
  });

  it('prints one line for each event, whatever stands in names and cells', async () => {
    const forged = '2026-01-01T00:00:00.000Z other.tsv settled (outcome: done, code: 0)';
    folder.put(`a\n${forged}`, `Sample Name\tRelease Date\nx\t"soon\n${forged}"\n`);
    const args = folder.args('--once').filter((arg) => arg !== '--json');
    const { stdout, code } = await runCommand(args, { env: { HOME: folder.root, ...env } });
    const lines = stdout.trimEnd().split('\n');
    expect([code, lines.map((line) => /Z a .* (taken|submitted|settled)(?: \(|$)/.exec(line)?.[1])]).toEqual([
      2,
      ['taken', 'submitted', 'settled'],
    ]);
    expect(lines[2]).toContain('"soon 2026-01-01');
  });

  it('goes on with the journal of an earlier release', { tags: 'slow' }, () => {
    const path = join(folder.root, 'journal');
    const old = new Database(path);
    old.exec(`create table file (key text primary key, name text not null, stage text not null, options text not null,
      submission text, outcome text, place text, changed integer not null) strict`);
    const add = old.prepare(`insert into file values (?, ?, 'settling', '{}', null, ?, ?, ?)`);
    for (const outcome of ['done', 'rejected'])
      add.run(outcome, `${outcome}.tsv`, outcome, `${outcome}.tsv`, Date.now());
    old.close();
    for (let opened = 0; opened < 2; opened++) {
      const journal = new Journal(path);
      const [done, rejected] = journal.unsettled();
      expect([done?.end, rejected?.end]).toEqual([
        { outcome: 'done', code: 0 },
        { outcome: 'rejected', code: 4, ...(opened === 0 ? {} : { reason: 'why' }) },
      ]);
      journal.settling(rejected as JournalEntry, { outcome: 'rejected', code: 4, reason: 'why' }, 'rejected.tsv');
      journal.close();
    }
  });

  it('leaves a file alone while it grows, unless .ready says that it is complete', { tags: 'slow' }, async () => {
    const [half, whole] = [10, 20].map((lines) =>
      SHEET('growing', 20)
        .split('\n')
        .slice(0, lines + 1)
        .join('\n'),
    );
    folder.put('growing.tsv', half as string);
    const daemon = folder.start('--stable', '1000');
    folder.put('first.tsv', SHEET('first'));
    folder.put('first.tsv.ready', '');
    await expect.poll(() => folder.receipts().length).toBe(1);
    folder.put('growing.tsv', `${whole}\n`);
    await kill(daemon);
    expect(folder.names('inbox')).toEqual(['growing.tsv']);
    await folder.runOnce();
    expect(folder.receipts().find(({ file }) => file === 'growing.tsv')?.submission?.counts.rows).toBe(20);
    folder.put('now.tsv', SHEET('now'));
    folder.put('now.tsv.ready', '');
    folder.put('.hidden.tsv', 'x');
    folder.put('half.tsv.part', 'x');
    expect((await folder.runOnce('--stable', '1000')).code).toBe(0);
    expect(folder.names('done')).toContain('now.tsv');
    expect(folder.names('inbox')).toEqual(['.hidden.tsv', 'half.tsv.part']);
  });

  it('takes a file for complete when it was seen unchanged for that long, and not a moment sooner', {
    tags: 'slow',
  }, async () => {
    const inbox = new Inbox(join(folder.root, 'inbox'), 150);
    let now = 1_000;
    for (let lines = 1; lines <= 5; lines++) {
      folder.put('growing.tsv', 'line\n'.repeat(lines));
      expect(await inbox.look(now), 'it has grown').toMatchObject({ complete: [], growing: 1 });
      now += 149;
      expect(await inbox.look(now), 'it may grow').toMatchObject({ complete: [], growing: 1 });
    }
    expect(await inbox.look(now + 1)).toMatchObject({ complete: [{ name: 'growing.tsv' }], growing: 0 });
  });

  it('waits twelve times as long for what is written into an empty file', { tags: 'slow' }, async () => {
    const inbox = new Inbox(join(folder.root, 'inbox'), 150);
    folder.put('slow.tsv', '');
    for (const [now, seen] of [
      [1_000, { complete: [], growing: 1 }],
      [2_799, { complete: [], growing: 1 }],
      [2_800, { complete: [{ name: 'slow.tsv' }], growing: 0 }],
    ] as const)
      expect(await inbox.look(now)).toMatchObject(seen);
    folder.put('slow.tsv.ready', '');
    expect(await inbox.look(2_801)).toMatchObject({ complete: [{ name: 'slow.tsv' }] });
  });

  it('takes a .ready that came behind its file for that one, and not for the next of its name', {
    tags: 'slow',
  }, async () => {
    const inbox = new Inbox(join(folder.root, 'inbox'), 150);
    const at = (name: string, second: number) => utimesSync(join(folder.root, 'inbox', name), second, second);
    folder.put('nightly.tsv.ready', '');
    at('nightly.tsv.ready', 1_000);
    folder.put('nightly.tsv', 'Sample Name\n');
    at('nightly.tsv', 1_001);
    expect(await inbox.look(0)).toMatchObject({ complete: [], growing: 1 });
    expect(await inbox.look(150)).toMatchObject({ complete: [{ name: 'nightly.tsv' }], growing: 0 });
    for (const [file, ready, second] of [
      ['nightly.tsv', 'nightly.tsv.ready', 1_002],
      ['same.tsv', 'same.tsv.ready', 1_000],
    ] as const) {
      folder.put(file, 'Sample Name\nwhole\n');
      folder.put(ready, '');
      at(file, 1_000);
      at(ready, second);
      expect((await inbox.look(151)).complete.map(({ name }) => name)).toContain(file);
    }
  });

  it.each([
    ['a letter that steers terminals', 'plate \u001b[31m 7.tsv'],
    ['a bell and a quote', 'plate\u0007 "7".tsv'],
    ['a line break', 'plate\n7.tsv'],
    ['what deletes', 'plate\u007f.tsv'],
  ])('registers a file whose name holds %s', { tags: 'slow' }, async (_what, name) => {
    folder.put(name, SHEET(name.replace(/\W/g, '')));
    const { code, stdout } = await folder.runOnce();
    expect(code, stdout).toBe(0);
    expect(folder.names('done')).toContain(name);
  });

  it('takes many files that lie there without a look at all of them for each', async () => {
    const [files, gone] = [10, 5];
    for (const n of upTo(files)) {
      folder.put(`${n}.tsv`, SHEET(`many-${n}`, 1));
      folder.put(`${n}.tsv.ready`, '');
      utimesSync(join(folder.root, 'inbox', `${n}.tsv`), 1_000 + n, 1_000 + n);
    }
    const looks = vi.spyOn(Inbox.prototype, 'look');
    const { SAMPLE_REGISTRY_URL: baseUrl = '', SAMPLE_REGISTRY_TOKEN: token } = env;
    const events: string[] = [];
    await watchFolder({
      directory: folder.root,
      client: new RegistryClient({ baseUrl, token }),
      upload: {},
      stableMs: 600_000,
      pollMs: 600_000,
      concurrency: 2,
      retryPauseMs: 1_000,
      once: true,
      signal: new AbortController().signal,
      report: ({ event, file }) => {
        // What is taken away or written to while it waits for its turn is not taken by what it was.
        if (events.length === 0) rmSync(join(folder.root, 'inbox', `${gone}.tsv`));
        if (event !== 'submitted') events.push(`${event} ${file}`);
      },
    });
    const sent = upTo(files).filter((n) => n !== gone);
    expect(events.filter((event) => event.startsWith('taken'))).toEqual(sent.map((n) => `taken ${n}.tsv`));
    expect(events.sort()).toEqual(sent.flatMap((n) => [`settled ${n}.tsv`, `taken ${n}.tsv`]).sort());
    expect(looks.mock.calls.length).toBeLessThan(6);
    looks.mockRestore();
  });

  it('says of folders and links that they are not taken, and of none in which there is nothing to take', async () => {
    const inbox = join(folder.root, 'inbox');
    for (const name of ['2026-11-28', 'empty', '.snapshots', 'coming.part']) mkdirSync(join(inbox, name));
    for (const name of ['2026-11-28', '.snapshots', 'coming.part']) folder.put(`${name}/plate.tsv`, SHEET('below'));
    folder.put('empty/.gitkeep', '');
    symlinkSync(join(inbox, '2026-11-28'), join(inbox, 'latest'));
    symlinkSync(join(inbox, '2026-11-28', 'plate.tsv'), join(inbox, 'plate.tsv'));
    symlinkSync(join(inbox, 'nowhere'), join(inbox, 'gone.tsv'));
    symlinkSync(join(inbox, 'nowhere'), join(inbox, '.#open.tsv'));
    execFileSync('mkfifo', [join(inbox, 'pipe.tsv')]);
    const { complete, growing, untaken } = await new Inbox(inbox, 0).look();
    expect([complete, growing]).toEqual([[], 0]);
    expect([...untaken].map(([name, why]) => `${name}: ${why.slice(0, 19)}`).sort()).toEqual([
      '2026-11-28: It is a folder, and',
      'gone.tsv: It is a link that l',
      'latest: It is a folder, and',
      'pipe.tsv: It is a pipe, a soc',
      'plate.tsv: It is a link to a f',
    ]);
  });

  it('says of a link to a file, or a folder, that it is not taken, and does not end as if all were well', {
    tags: 'slow',
  }, async () => {
    writeFileSync(join(folder.root, 'elsewhere.tsv'), SHEET('linked'));
    symlinkSync(join(folder.root, 'elsewhere.tsv'), join(folder.root, 'inbox', 'link.tsv'));
    mkdirSync(join(folder.root, 'inbox', 'a folder'));
    folder.put('a folder/plate.tsv', SHEET('below'));
    folder.put('good.tsv', SHEET('no-link'));
    const { code, lines } = await folder.runOnce('--json');
    expect(code).toBe(4);
    const said = lines<{ event: string; file: string; reason?: string }>();
    const waiting = said.filter(({ event }) => event === 'waiting').sort((a, b) => (a.file < b.file ? -1 : 1));
    expect(waiting).toEqual([
      expect.objectContaining({ file: 'a folder', reason: expect.stringContaining('Put its files') }),
      expect.objectContaining({ file: 'link.tsv', reason: expect.stringContaining('Put the file itself') }),
    ]);
    expect(folder.names('done')).toContain('good.tsv');
  });

  it('takes no file for gone that it cannot look at for a moment', { tags: 'slow' }, async () => {
    const watched = new WatchedFolder(folder.root);
    await watched.prepare();
    const entry = { key: 'k', name: 'plate.tsv' } as Parameters<WatchedFolder['settle']>[0];
    const place = join(watched.working, entry.key);
    // As a share that is away: whatever is asked of what lies there fails.
    symlinkSync(place, place);
    await expect(watched.settle(entry, 'done', entry.name)).rejects.toMatchObject({ code: 'ELOOP' });
    await expect(watched.found()).rejects.toMatchObject({ code: 'ELOOP' });
    expect(folder.names('working')).toEqual([entry.key]);
    rmSync(place);
    mkdirSync(place);
    writeFileSync(join(place, entry.name), 'x');
    writeFileSync(join(watched.working, 'stray'), 'no folder');
    expect(await watched.found()).toEqual([{ key: entry.key, name: entry.name }]);
    await watched.settle(entry, 'done', entry.name);
    expect([folder.names('done'), folder.names('working')]).toEqual([[entry.name], ['stray']]);
  });

  it('looks for a while at what lies in done, and at nothing that was put there by others', {
    tags: 'slow',
  }, async () => {
    const watched = new WatchedFolder(folder.root);
    await watched.prepare();
    const late = new LateWrites(watched);
    const place = (name: string) => join(folder.root, 'done', name);
    const add = (name: string, now: number) => {
      writeFileSync(place(name), 'four');
      const end = { outcome: 'done', code: 0 } as const;
      return late.add({ key: name, name, stage: 'settling', options: {}, end, place: name }, 4, now);
    };
    for (const name of ['same', 'grown', 'cut', 'gone', 'other', 'old']) await add(name, name === 'old' ? 0 : 1_000);
    for (const name of ['grown', 'old']) writeFileSync(place(name), 'four and more', { flag: 'a' });
    writeFileSync(place('cut'), 'x');
    rmSync(place('gone'));
    writeFileSync(place('new'), 'longer than four');
    renameSync(place('new'), place('other'));
    const grown = async (now: number) => (await late.take(now)).map(({ entry }) => entry.name);
    expect(await grown(600_000)).toEqual(['grown']);
    writeFileSync(place('same'), 'and more', { flag: 'a' });
    expect(await grown(600_001)).toEqual(['same']);
    for (let at = 0; at < 201; at++) await add(`of many ${at}`, 1_000);
    for (let at = 0; at < 201; at++) writeFileSync(place(`of many ${at}`), 'x', { flag: 'a' });
    expect(await grown(2_000)).toHaveLength(200);
    expect(await grown(2_000)).toEqual([]);
  });

  describe('a file that is written on after it was taken', () => {
    const rejected = ['slow.tsv', 'slow.tsv.mapping.json', 'slow.tsv.receipt.json', 'slow.tsv.result.tsv'];
    const halves = (tag: string) => {
      const [head = '', ...rows] = SHEET(tag, 9).trimEnd().split('\n');
      return { first: `${[head, ...rows.slice(0, 4)].join('\n')}\n`, rest: `${rows.slice(4).join('\n')}\n` };
    };
    const isRejected = ({ first, rest }: ReturnType<typeof halves>) => {
      expect([folder.names('rejected'), folder.names('done'), folder.names('working')]).toEqual([rejected, [], []]);
      expect(folder.text('rejected', 'slow.tsv')).toBe(first + rest);
      expect(folder.receipts()).toMatchObject([
        {
          file: 'slow.tsv',
          outcome: 'rejected',
          submission: { counts: { created: 4 } },
          problem: {
            code: 'file.changed',
            detail: expect.stringContaining(
              `${first.length} bytes were sent, and it has ${first.length + rest.length}`,
            ),
          },
        },
      ]);
    };

    it('is rejected with what is registered of it, where that happens before its end', { tags: 'slow' }, async () => {
      const sheet = halves('late before');
      const token = env.SAMPLE_REGISTRY_TOKEN as string;
      const goOn = await stopWorkers(server);
      const writer = openSync(join(folder.root, 'inbox', 'slow.tsv'), 'w');
      writeSync(writer, sheet.first);
      const run = folder.runOnce('--json');
      try {
        await expect.poll(async () => (await server.get('/submissions?size=1', { token })).text).toContain('slow.tsv');
        writeSync(writer, sheet.rest);
      } finally {
        closeSync(writer);
        goOn();
      }
      const { code, lines } = await run;
      expect(code).toBe(4);
      const changed = lines<{ event: string; reason: string }>().filter(({ event }) => event === 'changed');
      expect(changed).toMatchObject([{ reason: expect.stringContaining('written to after it had been taken') }]);
      isRejected(sheet);
    });

    it('is taken out of done, where it lies there already', { tags: 'slow' }, async () => {
      const sheet = halves('late behind');
      const writer = openSync(join(folder.root, 'inbox', 'slow.tsv'), 'w');
      writeSync(writer, sheet.first);
      const daemon = folder.start();
      await expect.poll(() => folder.names('done')).toContain('slow.tsv');
      writeSync(writer, sheet.rest);
      closeSync(writer);
      await expect.poll(() => [folder.names('rejected'), folder.names('working')]).toEqual([rejected, []]);
      daemon.kill('SIGTERM');
      expect(await once(daemon, 'exit')).toEqual([0, null]);
      isRejected(sheet);
      // Nothing of it is sent again.
      expect((await folder.runOnce()).code).toBe(0);
      isRejected(sheet);
    });
  });

  it('measures that with no clock that may be set back, and passes over what could not be taken', {
    tags: 'slow',
  }, async () => {
    const inbox = new Inbox(join(folder.root, 'inbox'), 0);
    folder.put('plate.tsv', 'x');
    const ofDay = Date.now;
    await inbox.look();
    try {
      Date.now = () => ofDay() - 3_600_000;
      expect(await inbox.look()).toMatchObject({ complete: [{ name: 'plate.tsv' }] });
    } finally {
      Date.now = ofDay;
    }
    const now = performance.now();
    inbox.putOff('plate.tsv', 100, now);
    expect(await inbox.look(now + 99)).toMatchObject({ complete: [], growing: 1 });
    expect(await inbox.look(now + 100)).toMatchObject({ complete: [{ name: 'plate.tsv' }], growing: 0 });
  });

  it('gives files their papers however long their names are', { tags: 'slow' }, async () => {
    // Letters of one, two, three and four bytes; a file system allows a name 255 bytes.
    for (const letter of ['x', 'é', '様', '🧪']) {
      const length = Math.floor(251 / Buffer.byteLength(letter));
      const name = `${letter.repeat(length)}.tsv`;
      for (const round of [1, 2]) {
        folder.put(name, plainSheet({ tag: `long${round}${Buffer.byteLength(letter)}`, rows: 2, badEvery: 2 }));
        expect((await folder.runOnce('--stable', '0')).code).toBe(2);
      }
      const receipts = folder.receipts().filter(({ file }) => file === name);
      expect(receipts, letter).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }]);
    }
    const names = folder.names('done');
    expect(names.filter((name) => name.endsWith('.errors.tsv'))).toHaveLength(8);
    for (const name of names.filter((one) => /^[^.]*(\.[0-9a-f]{8})?\.tsv$/.test(one)))
      for (const ending of ['receipt.json', 'result.tsv', 'mapping.json', 'errors.tsv'])
        expect(names).toContain(`${name}.${ending}`);
    expect([...folder.names('inbox'), ...folder.names('working')]).toEqual([]);
  });

  it('waits for a file that cannot be moved, says why, and takes the others meanwhile', { tags: 'slow' }, async () => {
    // A disk of its own, as a share that is mounted there, cannot give away files by renaming them.
    const { dev } = statSync(folder.root);
    const other = ['/dev/shm', OUTPUT_DIR].find((place) => statSync(place, { throwIfNoEntry: false })?.dev !== dev);
    const shared = mkdtempSync(join(other as string, 'inbox-'));
    rmSync(join(folder.root, 'inbox'), { recursive: true });
    symlinkSync(shared, join(folder.root, 'inbox'));
    folder.put('stuck.tsv', SHEET('stuck'));
    const daemon = folder.start('--stable', '0');
    let said = '';
    daemon.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await expect.poll(() => said.match(/"waiting".*stuck\.tsv.*different disks/g)?.length).toBeGreaterThan(1);
    expect([folder.names('inbox'), folder.names('working')]).toEqual([['stuck.tsv'], []]);
    rmSync(join(folder.root, 'inbox'));
    mkdirSync(join(folder.root, 'inbox'));
    folder.put('free.tsv', SHEET('free'));
    await expect.poll(() => folder.names('done')).toContain('free.tsv');
    daemon.kill('SIGTERM');
    expect(await once(daemon, 'exit')).toEqual([0, null]);
    rmSync(shared, { recursive: true });
  });

  it('says of a file whose name is not in UTF-8 that it cannot be taken, and does not end as if all were well', {
    tags: 'slow',
  }, async () => {
    const name = Buffer.concat([
      Buffer.from(join(folder.root, 'inbox', 'Pr')),
      Buffer.from([0xf6]),
      Buffer.from('be.tsv'),
    ]);
    writeFileSync(name, SHEET('misnamed'));
    folder.put('good.tsv', SHEET('named'));
    const { code, lines } = await folder.runOnce('--json');
    expect(code).toBe(4);
    const said = lines<{ event: string; file: string; reason?: string }>();
    expect(said.filter(({ file }) => file === 'Pr\ufffdbe.tsv')).toEqual([
      expect.objectContaining({ event: 'waiting', reason: expect.stringContaining('not in UTF-8') }),
    ]);
    expect(folder.names('done')).toContain('good.tsv');
    rmSync(name);
  });

  it('ends in order while a paper cannot be saved', { tags: 'slow' }, async () => {
    folder.put('a.tsv', SHEET('paper'));
    const daemon = folder.start('--stable', '0');
    let said = '';
    for (const stream of [daemon.stdout, daemon.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        // Where the paper is to be lies a folder of that name.
        const key = /"taken".*"key":"([^"]+)"/.exec(said)?.[1];
        if (key) mkdirSync(join(folder.root, 'working', key, 'a.tsv.result.tsv'), { recursive: true });
      });
    await expect.poll(() => said).toMatch(/"waiting".*EISDIR/);
    daemon.kill('SIGTERM');
    expect([await once(daemon, 'exit'), said]).toEqual([[0, null], expect.not.stringContaining('Unhandled')]);
  });

  it('keeps files of one name apart', { tags: 'slow' }, async () => {
    for (const tag of ['one', 'two', 'three']) {
      folder.put('same.tsv', SHEET(tag));
      await folder.runOnce();
    }
    const tables = folder
      .names('done')
      .filter((name) => name.endsWith('.tsv') && !/\.(result|errors)\.tsv$/.test(name));
    expect(tables).toHaveLength(3);
    expect(folder.receipts()).toHaveLength(3);
  });

  it('takes a result file that was edited and dropped in again as an update', async () => {
    folder.put('x.tsv', SHEET('edit'));
    await folder.runOnce();
    folder.put('x.tsv.result.tsv', folder.text('done', 'x.tsv.result.tsv').replace('first', 'second'));
    await folder.runOnce();
    const update = folder.receipts().find(({ file }) => file === 'x.tsv.result.tsv');
    expect(update?.submission?.counts).toMatchObject({ updated: 1, unchanged: 2, created: 0, rejected: 0 });
  });

  it('is watched by one process at a time', async () => {
    const first = folder.start();
    folder.put('a.tsv', SHEET('lock'));
    await expect.poll(() => folder.receipts().length).toBe(1);
    const second = await folder.runOnce();
    expect(second.stderr).toContain('Another process watches');
    expect(second.code).toBe(4);
    await kill(first);
    expect((await folder.runOnce()).code).toBe(0);
  });

  it('waits while the service is away or its token is refused, and goes on afterwards', { tags: 'slow' }, async () => {
    const away = new Folder({ ...env, SAMPLE_REGISTRY_TOKEN: 'srt_wrong' });
    mkdirSync(join(away.root, 'inbox'));
    away.put('patient.tsv', SHEET('patient'));
    const daemon = away.start();
    let said = '';
    daemon.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    // It has tried again, and goes on trying.
    await expect.poll(() => said.match(/"event":"waiting"/g)?.length).toBeGreaterThan(1);
    expect(away.names('working')).toHaveLength(1);
    expect(away.receipts()).toEqual([]);
    await kill(daemon);
    const right = new Folder(env);
    rmSync(right.root, { recursive: true });
    renameSync(away.root, right.root);
    expect((await right.runOnce()).code).toBe(0);
    expect(right.names('done')).toContain('patient.tsv');
    right.remove();
  });

  it('goes on with the token of a new sign-in when that of the old one has ended', async () => {
    const kept = join(folder.root, '.config', 'sample-registry', 'credentials.json');
    await saveToken(server.url, 'srt_ended', kept);
    const own = new Folder({ ...env, HOME: folder.root, SAMPLE_REGISTRY_TOKEN: '' });
    mkdirSync(join(own.root, 'inbox'));
    own.put('overnight.tsv', SHEET('overnight'));
    const daemon = own.start();
    let said = '';
    daemon.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await expect.poll(() => said).toMatch(/"waiting".*token is unknown, revoked or expired/);
    await saveToken(server.url, env.SAMPLE_REGISTRY_TOKEN as string, kept);
    await expect.poll(() => own.names('done')).toContain('overnight.tsv');
    daemon.kill('SIGTERM');
    expect(await once(daemon, 'exit')).toEqual([0, null]);
    own.remove();
  });

  it('ends by itself on SIGTERM, with the work where it was', async () => {
    // Nothing that it uploads ends before it does.
    const goOn = await stopWorkers(server);
    try {
      const daemon = folder.start();
      folder.put('large.tsv', SHEET('large', 3_000));
      await expect.poll(() => folder.names('working').length).toBe(1);
      daemon.kill('SIGTERM');
      const [code] = await once(daemon, 'exit');
      expect(code).toBe(0);
      expect(folder.receipts()).toEqual([]);
    } finally {
      goOn();
    }
    await folder.runOnce();
    expect(folder.receipts()).toMatchObject([{ outcome: 'done', submission: { counts: { created: 3_000 } } }]);
  });
});
