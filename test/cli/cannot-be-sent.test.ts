/** What no repetition would help is said at once: what is wrong, with what, and what to do. */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { multipartFile } from '../../src/client/multipart.js';
import { RegistryClient } from '../../src/client/registry-client.js';
import { BIN, type CommandOptions, runCommand, startCommand } from '../support/command.js';
import { plainSheet } from '../support/plain-sheet.js';
import { SharedServer } from '../support/shared-server.js';

let server: SharedServer;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  server = await SharedServer.of('cannot-be-sent');
  folder = mkdtempSync(join(tmpdir(), 'unsendable-'));
  env = { HOME: folder, SAMPLE_REGISTRY_URL: server.url, SAMPLE_REGISTRY_TOKEN: await server.token('ada') };
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (args: string[], options: CommandOptions = {}) =>
  runCommand(args, { cwd: folder, ...options, env: { ...env, ...options.env } });
const sheet = (name: string): string => {
  writeFileSync(join(folder, name), plainSheet({ tag: name, rows: 2 }));
  return name;
};

describe('a token', () => {
  it.each([
    ['', 'This needs a token: ', ['upload', 'list', 'watch']],
    ['srt_wrong', 'The token is unknown, revoked or expired; ', ['list']],
  ])('that is %j is asked for in the words of the command', async (token, said, commands) => {
    const watched = mkdtempSync(join(folder, 'watched-'));
    mkdirSync(join(watched, 'inbox'));
    writeFileSync(join(watched, 'inbox', 'w.tsv'), plainSheet({ tag: 'w', rows: 1 }));
    const all = [['upload', sheet('t.tsv')], ['list'], ['watch', watched, '--once', '--stable', '0']];
    for (const args of all.filter(([command = '']) => commands.includes(command))) {
      const { code, stdout, stderr } = await run(args, { env: { SAMPLE_REGISTRY_TOKEN: token } });
      expect(code, args[0]).toBe(4);
      expect(`${stdout}${stderr}`, args[0]).toContain(
        `${said}sign in with \`sample-registry login\`, or set SAMPLE_REGISTRY_TOKEN.`,
      );
    }
  });
});

describe('an address that sends on', () => {
  const redirecting = async (status: number) => {
    const way = createServer((request, response) =>
      response.writeHead(status, { location: `https://samples.example.org${request.url}` }).end(),
    ).listen(0, '127.0.0.1');
    await once(way, 'listening');
    return { url: `http://127.0.0.1:${(way.address() as AddressInfo).port}`, close: () => way.close() };
  };

  it.each([
    [301, 4],
    [308, 4],
    [302, 3],
    [307, 3],
  ])('with %i ends with %i and names where to: for good, or for now', async (status, expected) => {
    const { url, close } = await redirecting(status);
    for (const args of [['list'], ['upload', sheet('r.tsv')]]) {
      const { code, stderr } = await run([...args, '--url', url, '--give-up-after', '0']);
      expect([code, stderr], args[0]).toEqual([
        expected,
        expect.stringContaining(`${url} sends on to https://samples.example.org/submissions`),
      ]);
      expect(stderr).not.toContain('Trying again');
    }
    close();
  });

  it('puts no file of a watched folder into rejected', { tags: 'slow' }, async () => {
    const { url, close } = await redirecting(301);
    const watched = join(folder, 'watched');
    mkdirSync(join(watched, 'inbox'), { recursive: true });
    writeFileSync(join(watched, 'inbox', 'a.tsv'), plainSheet({ tag: 'a', rows: 1 }));
    const args = ['watch', watched, '--json', '--stable', '0', '--poll', '0.05', '--retry', '0.05', '--url', url];
    const daemon = startCommand(args, { env });
    let said = '';
    daemon.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await expect.poll(() => said.match(/"waiting".*sends on to/g)?.length).toBeGreaterThan(1);
    daemon.kill('SIGTERM');
    await once(daemon, 'exit');
    expect(readdirSync(join(watched, 'rejected'))).toEqual([]);
    close();
  });
});

const WRITTEN_TO = /was written to while it was sent: it had \d+ bytes and has \d+\. Send it once/;

describe('a file that is written to while it is sent', () => {
  it.each([
    ['grows', (path: string, text: string) => writeFileSync(path, text, { flag: 'a' }), WRITTEN_TO],
    ['becomes shorter', (path: string) => truncateSync(path, 100), WRITTEN_TO],
    ['is written over', (path: string, text: string) => writeFileSync(path, text), WRITTEN_TO],
    ['is taken away', (path: string) => rmSync(path), /\.tsv was taken away, or given another name, before all of it/],
  ])('that %s: nothing of it is registered, and then all of it', async (what, change, said) => {
    const text = plainSheet({ tag: `written ${what}`, rows: 4_000 });
    const path = join(folder, `${what}.tsv`);
    writeFileSync(path, text);
    utimesSync(path, 1, 1);
    const client = new RegistryClient({ baseUrl: server.url, token: await server.token('bea') });
    let changed = false;
    const sent = client.upload({
      path,
      onBytes: () => {
        if (!changed) change(path, text);
        changed = true;
      },
    });
    await expect(sent).rejects.toThrow(said);
    writeFileSync(path, text);
    const { submission, replayed } = await client.upload({ path });
    expect([replayed, (await client.wait(submission.submissionId)).counts.created]).toEqual([false, 4_000]);
  });

  it('that is taken away before its first byte is sent', async () => {
    const path = join(folder, sheet('early.tsv'));
    const pieces = (await multipartFile(path, {})).open()[Symbol.asyncIterator]();
    await pieces.next();
    rmSync(path);
    await expect(pieces.next()).rejects.toThrow(/early\.tsv was taken away, or given another name, before all of it/);
  });
});

describe('what is given wrongly', () => {
  const quick = expect.not.stringContaining('Trying again');

  it('is a token or key that no header carries: it is not shown, and nothing is tried again', {
    tags: 'slow',
  }, async () => {
    for (const [args, said] of [
      [['list', '--token', '“srt_secret”'], 'The token has the character "“"'],
      [['list', '--token', 'srt_se\ncret'], 'The token has the character "\\n"'],
      [['upload', sheet('k.tsv'), '--idempotency-key', 'płyta'], 'The idempotency key has the character "ł"'],
    ] as const) {
      const { code, stderr } = await run([...args]);
      expect([code, stderr, stderr]).toEqual([1, expect.stringContaining(said), quick]);
      expect(stderr).not.toContain('secret');
    }
  });

  it('is an address with a password, which is not shown', async () => {
    for (const args of [['list'], ['mirror', 'http://lab:hidden@127.0.0.1:9']]) {
      const { code, stderr } = await run(args, { env: { SAMPLE_REGISTRY_URL: 'http://lab:hidden@127.0.0.1:9' } });
      expect([code, stderr]).toEqual([1, expect.stringContaining('leave them out')]);
      expect(stderr).not.toContain('hidden');
    }
  });

  it('is an address that is none; blanks around one and an empty variable are', { tags: 'slow' }, async () => {
    for (const url of ['samples.example.org', 'http://', 'http://a b', 'http://h/?x=1', 'http://h/#x']) {
      expect(await run(['list', '--url', url]), url).toMatchObject({ code: 1, stderr: quick });
    }
    expect((await run(['list'], { env: { SAMPLE_REGISTRY_URL: ` ${server.url}/\r\n` } })).code).toBe(0);
    const unset = await run(['list', '--give-up-after', '0'], { env: { SAMPLE_REGISTRY_URL: '' } });
    expect([unset.code, unset.stderr]).toEqual([3, expect.stringContaining('http://127.0.0.1:8080 cannot be reached')]);
  });

  it('is a password that nobody can be asked for', { tags: 'slow' }, async () => {
    for (const args of [['login'], ['login', '--username', 'ada'], ['account', 'create', 'eve']]) {
      const { code, stderr } = await run(args, { env: { DATA_DIR: join(folder, 'data') } });
      expect([code, stderr], args.join(' ')).toEqual([1, expect.stringContaining('--password-stdin')]);
    }
  });

  it('is a file of changes that is no JSON; the mark of an editor is no fault', { tags: 'slow' }, async () => {
    writeFileSync(join(folder, 'changes.json'), '\uFEFF[{"set": "tissue", "values": [{"text": "liver"}]}]');
    const read = await run(['samples', 'edit', '--all', '--dry-run', '--changes', 'changes.json']);
    // Of others, where there are any: the service is one for all suites.
    expect(read.stderr).toContain('The search finds');
    writeFileSync(join(folder, 'changes.json'), '[{"set": }]');
    const { code, stderr } = await run(['samples', 'edit', '--all', '--changes', 'changes.json']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^changes\.json is no JSON document: .*batch-edits/)]);
  });
});

describe('files to upload', () => {
  it('are all looked at before the first is sent', async () => {
    const good = sheet('good.tsv');
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const [bad, said] of [
      ['absent.tsv', 'there is no such file'],
      [join(good, 'x.tsv'), 'ENOTDIR'],
      ['pipe', 'is no file but a pipe'],
    ] as const) {
      const { code, stderr } = await run(['upload', good, bad]);
      expect([code, stderr], bad).toEqual([1, expect.stringContaining(said)]);
    }
    expect((await run(['list', '--limit', '99'])).stdout).not.toContain('good.tsv');
  });

  // The one who may read everything is not kept from it.
  it.runIf(process.getuid?.() === 0)(
    'may be unreadable, which is no fault of the service',
    { tags: 'slow' },
    async () => {
      const secret = sheet('secret.tsv');
      chmodSync(join(folder, secret), 0o000);
      chmodSync(folder, 0o755);
      const words = [process.execPath, BIN, 'upload', secret];
      const { status, stderr } = spawnSync('setpriv', ['--reuid', '65534', '--clear-groups', ...words], {
        cwd: folder,
        env: { ...env, PATH: process.env.PATH ?? '' },
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([1, expect.stringMatching(/^EACCES: permission denied.*secret\.tsv/)]);
    },
  );

  it('are saved under names of their own, whatever folders they come from', { tags: 'slow' }, async () => {
    const tags = ['one', 'two', 'three'];
    for (const tag of tags) {
      mkdirSync(join(folder, tag));
      writeFileSync(join(folder, tag, 'plate.tsv'), plainSheet({ tag, rows: 2 }));
    }
    mkdirSync(join(folder, 'out'));
    expect((await run(['upload', ...tags.map((tag) => join(tag, 'plate.tsv')), '--result', 'out'])).code).toBe(0);
    const results = readdirSync(join(folder, 'out')).map((name) => readFileSync(join(folder, 'out', name), 'utf8'));
    expect(tags.map((tag) => results.filter((text) => text.includes(`${tag}_1`)).length)).toEqual([1, 1, 1]);
  });

  it('have a place for their results before they are sent, a folder or a name in one', { tags: 'slow' }, async () => {
    const lone = sheet('lone.tsv');
    for (const option of ['--result', '--mapping', '--errors']) {
      for (const [files, place] of [
        [[lone], join('nowhere', 'x.tsv')],
        [[lone], ''],
        [[lone, sheet('other.tsv')], 'nowhere'],
      ] as const) {
        const { code, stderr } = await run(['upload', ...files, option, place]);
        expect([code, stderr], `${option} ${place}`).toEqual([1, expect.stringContaining(`${option} ${place}`.trim())]);
      }
    }
    expect((await run(['list', '--limit', '99'])).stdout).not.toContain('lone.tsv');
    mkdirSync(join(folder, 'place'));
    expect((await run(['upload', lone, '--result', 'place', '--mapping', join('place', 'm.json')])).code).toBe(0);
    expect(readdirSync(join(folder, 'place')).sort()).toEqual(['lone.tsv.result.tsv', 'm.json']);
  });
});
