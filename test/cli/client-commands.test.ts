import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedCommands } from '../docs/documented-commands.js';
import { stopWorkers } from '../faults/kill-at-work.js';
import type { Mapping, StatusDocument } from '../support/api-caller.js';
import { type CommandOptions, runCommand, runProgram } from '../support/command.js';
import { isaDocument } from '../support/isa-document.js';
import { ROOT } from '../support/output.js';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  // A worker that stands still is not taken for dead meanwhile.
  server = await startServer({ env: { LEASE_SECONDS: '120' } });
  folder = mkdtempSync(join(tmpdir(), 'command-'));
  env = { HOME: folder, SAMPLE_REGISTRY_URL: server.url, SAMPLE_REGISTRY_TOKEN: await server.token('ada') };
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const run = (args: string[], options: CommandOptions = {}) =>
  runCommand(args, { cwd: folder, ...options, env: { ...env, ...options.env } });
const example = (name: string): string => join(ROOT, 'samples-tsv', name);
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
function breakOff(socket: Socket): void {
  socket.on('error', () => undefined);
  socket.once('data', () =>
    socket.end(
      'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"submissionId":',
    ),
  );
}

interface Line {
  file: string;
  replayed: boolean;
  submission: StatusDocument;
  problem?: { code: string };
}

describe('upload', () => {
  it('registers a small file and tells its outcome: exit code 0', async () => {
    const { code, stdout } = await run(['upload', example('small.tsv')]);
    expect(stdout).toMatch(/small\.tsv: COMPLETED \(6 created, 0 updated, 0 unchanged, 0 rejected\)/);
    expect(code).toBe(0);
  });

  it('says so when the file was uploaded before', async () => {
    const { code, lines } = await run(['upload', example('small.tsv'), '--json']);
    expect(lines<Line>()).toMatchObject([{ replayed: true, submission: { submissionStatus: 'COMPLETED' } }]);
    expect(code).toBe(0);
    const again = await run(['upload', example('small.tsv'), '--json', '--allow-duplicate']);
    expect(again.lines<Line>()).toMatchObject([{ replayed: false, submission: { counts: { created: 6 } } }]);
  });

  it('tells of rejected rows by line and column: exit code 2', async () => {
    const { code, stdout } = await run(['upload', example('bad-rows.tsv')]);
    expect(stdout).toContain('line 3, Sample Name:');
    expect(code).toBe(2);
    expect((await run(['upload', example('all-rejected.tsv')])).code).toBe(2);
  });

  it('tells why a file cannot be understood: exit code 4', async () => {
    const refused = await run(['upload', example('no-sample-name.tsv')]);
    expect(refused.stderr).toContain('no-sample-name.tsv: ');
    expect(refused.stderr).toContain('Sample Name');
    expect(refused.stderr).toContain(`sample-registry profile guess ${example('no-sample-name.tsv')}`);
    expect(refused.code).toBe(4);
    const json = await run(['upload', example('unclosed-quote.tsv'), '--json']);
    expect(json.lines<Line>()).toMatchObject([{ problem: { code: 'file.quote-unclosed' } }]);
    expect(json.code).toBe(4);
  });

  it('tells of a dry run what would be created, and the command that creates it', { tags: 'slow' }, async () => {
    const sheet = file('dry.tsv', plainSheet({ tag: 'dry', rows: 19 }));
    const { code, stdout } = await run(['upload', sheet, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('19 would be created, 0 would be updated, 0 unchanged, 0 rejected; nothing was written');
    expect(stdout).not.toMatch(/19 created/);
    const [, id = ''] = /sample-registry commit (\S+)/.exec(stdout) ?? [];
    const committed = await run(['commit', id, '--wait']);
    expect(committed.stdout).toContain('19 created, 0 updated');
    const [, commitId = ''] = /submission (\S+)/.exec(committed.stdout) ?? [];
    const undone = await run(['undo', commitId, '--wait', '--json']);
    expect(undone.lines<StatusDocument>()).toMatchObject([{ submissionStatus: 'COMPLETED', counts: { updated: 19 } }]);
    const listed = await run(['list', '--limit', '3', '--json']);
    expect(
      listed
        .lines<StatusDocument>()
        .slice(1)
        .map(({ submissionId }) => submissionId),
    ).toEqual([commitId, id]);
    expect((await run(['list', '--limit', '3'])).stdout).toMatch(
      new RegExp(`^${id}\t.*\t19 rows\tdry run\tdry\\.tsv$`, 'm'),
    );
  });

  it('names its own flags, not the options of the interface', { tags: 'slow' }, async () => {
    await run(['upload', file('other.tsv', plainSheet({ tag: 'other', rows: 2 }))]);
    const other = await run(['upload', join(folder, 'other.tsv'), '--update', 'merge']);
    expect(other.stderr).toContain('--allow-duplicate');
    const reject = await run(['upload', example('unknown-columns.tsv'), '--unknown-columns', 'reject']);
    expect(reject.stderr).toContain('without --unknown-columns reject');
    const undated = await run(['upload', example('no-release-date.tsv')]);
    expect(undated.stderr).toContain('--release-date');
    expect(other.stderr + reject.stderr + undated.stderr).not.toMatch(/duplicate=|unknownColumns|releaseDate/);
  });

  it('says of a folder that it is one, and what to do: exit code 1', { tags: 'slow' }, async () => {
    const { code, stderr } = await run(['upload', folder]);
    expect(stderr).toContain(`${folder} is a folder`);
    expect(stderr).toContain('sample-registry watch');
    expect(code).toBe(1);
  });

  it('is refused without a valid token: exit code 4', async () => {
    const { code, stderr } = await run(['upload', example('small.tsv')], { env: { SAMPLE_REGISTRY_TOKEN: 'wrong' } });
    expect(stderr).toMatch(/token/i);
    expect(code).toBe(4);
  });

  it('gives up on a service that is away: exit code 3', async () => {
    const away = { SAMPLE_REGISTRY_URL: 'http://127.0.0.1:19' };
    const { code, stderr } = await run(['upload', example('small.tsv'), '--give-up-after', '1'], { env: away });
    expect([code, stderr]).toEqual([3, expect.stringMatching(/Trying again in|cannot be reached/)]);
  });

  // In a process of its own: one that others keep alive does not end in the midst.
  it.each([
    ['a way that takes connections and closes them', (socket: Socket) => socket.destroy()],
    ['one that breaks off in the midst of its answer', breakOff],
  ])('gives up on %s, too, as a question does', { tags: 'slow' }, async (_, meet) => {
    const way = createServer(meet).listen(0, '127.0.0.1');
    await once(way, 'listening');
    const { port } = way.address() as AddressInfo;
    for (const args of [
      ['upload', example('small.tsv')],
      ['list', '--json'],
    ]) {
      const { code, stderr } = await runProgram([...args, '--give-up-after', '1'], {
        env: { ...env, SAMPLE_REGISTRY_URL: `http://127.0.0.1:${port}` },
      });
      // The second may be over before the first answer.
      expect([code, stderr], args[0]).toEqual([3, expect.stringMatching(/Trying again in|cannot be reached/)]);
    }
    way.close();
  });

  it('is distinguished from wrong use: exit code 1', async () => {
    expect((await run(['upload', 'nowhere.tsv'])).code).toBe(1);
    expect((await run(['upload'])).code).toBe(1);
    expect((await run(['upload', example('small.tsv'), '--mode', 'some'])).code).toBe(1);
    expect((await run(['upload', example('small.tsv'), '--url', 'nowhere'])).code).toBe(1);
  });

  it('of a large file prints its id, or waits and saves result, mapping and errors', async () => {
    const large = file('large.tsv', plainSheet({ tag: 'large', rows: 1_500, badEvery: 500 }));
    const sent = await run(['upload', large]);
    expect(sent.stdout).toMatch(/submission [\da-f-]{36}/);
    expect(sent.stdout).toContain('--wait');
    expect(sent.code).toBe(0);
    const waited = await run([
      ...['upload', large, '--json', '--wait', '--result', 'r.tsv', '--mapping', 'm.json', '--errors', 'e.tsv'],
    ]);
    expect(waited.lines<Line>()[0]?.submission).toMatchObject({
      submissionStatus: 'COMPLETED_WITH_ERRORS',
      counts: { created: 1_497, rejected: 3 },
    });
    expect(waited.code).toBe(2);
    const mapping = JSON.parse(readFileSync(join(folder, 'm.json'), 'utf8')) as Mapping;
    expect(mapping.sampleNameAccessionPairs).toHaveLength(1_497);
    expect(readFileSync(join(folder, 'r.tsv'), 'utf8')).toContain('RECEIPT END');
    expect(readFileSync(join(folder, 'e.tsv'), 'utf8').trimEnd().split('\n')).toHaveLength(4);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('takes several files, saves their results into a folder and ends with the worst outcome', {
    tags: 'slow',
  }, async () => {
    const out = mkdtempSync(join(folder, 'out-'));
    const { code, lines } = await run([
      'upload',
      example('bom.tsv'),
      example('mixed-line-ends.tsv'),
      example('header-only.tsv'),
      '--result',
      out,
      '--json',
    ]);
    expect(lines<Line>()).toHaveLength(3);
    expect(readdirSync(out).sort()).toEqual(['bom.tsv.result.tsv', 'mixed-line-ends.tsv.result.tsv']);
    expect(code).toBe(4);
  });

  it('names what it saves by the form of the file', { tags: 'slow' }, async () => {
    const out = mkdtempSync(join(folder, 'forms-'));
    const isa = file('study.json', JSON.stringify(isaDocument({ samples: [{ name: 'leaf of a study' }] })));
    const good = { name: 'one as JSON', release: '2020-01-01' };
    const lines = file('samples.ndjson', `${JSON.stringify(good)}\n${JSON.stringify({ ...good, name: '' })}\n`);
    await run(['upload', isa, lines, '--result', out, '--mapping', out, '--errors', out]);
    expect(readdirSync(out).sort()).toEqual([
      'samples.ndjson.errors.ndjson',
      'samples.ndjson.mapping.json',
      'samples.ndjson.result.ndjson',
      'study.json.errors.ndjson',
      'study.json.mapping.json',
      'study.json.result.isa.json',
    ]);
  });

  it('passes its options on', { tags: 'slow' }, async () => {
    const dry = file('dry.tsv', plainSheet({ tag: 'dry', rows: 3 }));
    expect((await run(['upload', dry, '--dry-run', '--json'])).lines<Line>()[0]?.submission).toMatchObject({
      options: { dryRun: true },
      counts: { created: 3 },
    });
    expect((await run(['upload', example('no-release-date.tsv')])).code).toBe(4);
    expect((await run(['upload', example('no-release-date.tsv'), '--release-date', '2025-01-01'])).code).toBe(0);
    expect((await run(['upload', example('cp1252.tsv'), '--encoding', 'windows-1252'])).code).toBe(0);
    expect((await run(['upload', example('unknown-columns.tsv'), '--unknown-columns', 'reject'])).code).toBe(4);
    const atomic = await run([
      'upload',
      file('atomic.tsv', plainSheet({ tag: 'at', rows: 9, badEvery: 5 })),
      '--mode',
      'atomic',
      '--json',
    ]);
    expect(atomic.lines<Line>()[0]?.submission.counts).toMatchObject({ created: 0, rejected: 9 });
  });

  it('with one key is one submission, however often it is run', { tags: 'slow' }, async () => {
    const path = file('keyed.tsv', plainSheet({ tag: 'keyed', rows: 4 }));
    const runs = [
      await run(['upload', path, '--idempotency-key', 'k1', '--json']),
      await run(['upload', path, '--idempotency-key', 'k1', '--json']),
    ];
    const ids = runs.map(({ lines }) => lines<Line>()[0]?.submission.submissionId);
    expect(ids[0]).toBe(ids[1]);
    expect((await run(['upload', example('small.tsv'), '--idempotency-key', 'k1'])).code).toBe(4);
  });
});

describe('status, result, mapping, errors, original, cancel', () => {
  it('tell and fetch what an upload came to', { tags: 'slow' }, async () => {
    const path = file('parts.tsv', plainSheet({ tag: 'parts', rows: 8, badEvery: 4 }));
    const id = (await run(['upload', path, '--json'])).lines<Line>()[0]?.submission.submissionId as string;
    const status = await run(['status', id, '--json', '--wait']);
    expect(status.lines<StatusDocument>()).toMatchObject([{ submissionId: id, counts: { created: 6, rejected: 2 } }]);
    expect(status.code).toBe(2);
    expect((await run(['status', id])).stdout).toContain('COMPLETED_WITH_ERRORS');
    expect((await run(['mapping', id])).stdout).toContain('sampleNameAccessionPairs');
    expect((await run(['result', id, '--wait'])).stdout).toContain('RECEIPT START');
    expect((await run(['errors', id])).stdout.trimEnd().split('\n')).toHaveLength(3);
    expect((await run(['original', id, '-o', 'back.tsv'])).code).toBe(0);
    expect(readFileSync(join(folder, 'back.tsv'))).toEqual(readFileSync(path));
    expect((await run(['cancel', id])).code).toBe(4);
    expect((await run(['status', '00000000-0000-4000-8000-000000000000'])).code).toBe(4);
  });

  it('cancel stops a large submission: exit code 0', { tags: 'slow' }, async () => {
    const path = file('cancel.tsv', plainSheet({ tag: 'cancel', rows: 10_000 }));
    const goOn = await stopWorkers(server);
    try {
      const id = (await run(['upload', path, '--json'])).lines<Line>()[0]?.submission.submissionId as string;
      const { code, lines } = await run(['cancel', id, '--json']);
      expect(lines<StatusDocument>()).toMatchObject([{ submissionStatus: 'CANCELLED' }]);
      expect(code).toBe(0);
    } finally {
      goOn();
    }
  });
});

describe('get and template', () => {
  it('print samples, and sheets to fill in or edit', { tags: 'slow' }, async () => {
    const path = file('get.tsv', plainSheet({ tag: 'get', rows: 2 }));
    const id = (await run(['upload', path, '--json'])).lines<Line>()[0]?.submission.submissionId as string;
    const pairs = (await server.mapping(id)).sampleNameAccessionPairs;
    const accessions = pairs.map(({ sampleAccession }) => sampleAccession);
    const one = await run(['get', accessions[0] as string]);
    expect(JSON.parse(one.stdout)).toMatchObject({ name: 'get_0', accession: accessions[0] });
    expect((await run(['get', ...accessions])).lines()).toMatchObject([{ name: 'get_0' }, { name: 'get_1' }]);
    const missing = await run(['get', 'SAMR999999999']);
    expect(missing.stderr).toContain('SAMR999999999');
    expect(missing.code).toBe(4);
    expect((await run(['template'])).code).toBe(1);
  });
});

describe('login', () => {
  it('keeps a token that works, in a file for its owner alone, and other commands find it', {
    tags: 'slow',
  }, async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    const own = { HOME: home, SAMPLE_REGISTRY_TOKEN: '' };
    const token = await server.token('bo');
    const wrong = await run(['login', '--token-stdin'], { env: own, input: 'srt_wrong\n' });
    expect(wrong.code).toBe(4);
    expect((await run(['login', '--token-stdin'], { env: own, input: `${token}\n` })).code).toBe(0);
    const kept = join(home, '.config', 'sample-registry', 'credentials.json');
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    const path = file('login.tsv', plainSheet({ tag: 'login', rows: 1 }));
    expect((await run(['upload', path], { env: own })).code).toBe(0);
  });

  it('signs in with account and password', { tags: 'slow' }, async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    const own = { HOME: home, SAMPLE_REGISTRY_TOKEN: '' };
    const settings = { DATA_DIR: server.dataDir };
    const made = await run(['account', 'create', 'cy', '--password-stdin'], {
      env: settings,
      input: 'correct horse\n',
    });
    expect(made.code, made.stderr).toBe(0);
    const login = ['login', '--username', 'cy', '--password-stdin'];
    expect((await run(login, { env: own, input: 'wrong wrong wrong\n' })).code).toBe(4);
    const right = await run([...login, '--json'], { env: own, input: 'correct horse\n' });
    expect(right.code, right.stderr).toBe(0);
    expect(right.stdout + right.stderr).not.toContain('correct horse');
  });
});

describe('search', () => {
  it('finds samples by words and filters, page by page', { tags: 'slow' }, async () => {
    await run(['upload', file('found.tsv', plainSheet({ tag: 'needle', rows: 130 })), '--wait']);
    await expect
      .poll(async () => (await run(['search', 'needle_129'])).stdout)
      .toMatch(/^SAMR\d+\tneedle_129\t2024-01-15/);
    const all = await run(['search', '--filter', 'account:ada', '--limit', '120', '--json']);
    expect(new Set(all.lines<{ accession: string }>().map(({ accession }) => accession)).size).toBe(120);
    expect((await run(['search', '--filter', 'name:needle_7'])).stdout).toMatch(/^SAMR\d+\tneedle_7\t\S+\tPUBLIC\n$/);
  });
});

describe('completion', () => {
  it('completes commands, options and files in bash', { tags: 'slow' }, async () => {
    const script = join(folder, 'completion.bash');
    writeFileSync(script, (await run(['completion', 'bash'])).stdout);
    const complete = (line: string): string[] =>
      execFileSync('bash', [
        '-c',
        `. '${script}'; COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _sample_registry; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ])
        .toString()
        .split('\n')
        .filter(Boolean);
    expect(complete('sample-registry up')).toEqual(['upload']);
    expect(complete('sample-registry upload --dry')).toEqual(['--dry-run']);
    expect(complete("sample-registry token ''").sort()).toEqual(expect.arrayContaining(['create', 'list', 'revoke']));
    // Every command that has commands of its own.
    expect(complete("sample-registry samples ''")).toEqual(expect.arrayContaining(['export', 'edit', 'facets']));
    expect(complete("sample-registry profile ''")).toEqual(expect.arrayContaining(['guess', 'list', 'show', 'save']));
    expect(complete('sample-registry account pass')).toEqual(['passwd']);
    expect(complete("sample-registry upload ''")).toEqual([]);
    expect(complete("sample-registry samples export ''")).toEqual([]);
  });

  it.each(['zsh', 'fish'])('names every command in %s', { tags: 'slow' }, async (shell) => {
    const { stdout } = await run(['completion', shell]);
    for (const { name } of documentedCommands().map((words) => ({ name: words.split(' ')[0] as string }))) {
      expect(stdout).toContain(name);
    }
  });
});
