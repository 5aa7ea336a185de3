/** The package as npm makes it, installed in an empty folder: with what it ships and its production packages alone. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiCaller } from '../support/api-caller.js';
import { resultRows } from '../support/invariants.js';
import { ROOT } from '../support/output.js';
import { plainSheet } from '../support/plain-sheet.js';

const TOKEN = 'administrator-of-the-package';
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

let folder: string;
let installed: string;
const running: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  installed = join(folder, 'node_modules', 'sample-registry');
  const [{ filename } = { filename: '' }] = JSON.parse(
    ran('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], ROOT),
  ) as { filename: string }[];
  mkdirSync(installed, { recursive: true });
  ran('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1'], folder);
  linkProductionPackages();
});
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function ran(program: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Instead of the network: what npm would put beside the package, without the packages of development. */
function linkProductionPackages(): void {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  const present = new Set(readdirSync(join(ROOT, 'node_modules'), { recursive: false }).map(String));
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    if (!name || dev || !present.has(name.split('/')[0] as string)) continue;
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, path), link);
  }
}

const command = (): string => join(installed, 'dist', 'src', 'cli', 'main.js');

/** `sample-registry serve` in the empty folder. */
async function serve(): Promise<{ api: ApiCaller; stop: () => Promise<unknown> }> {
  const child = spawn(process.execPath, [command(), 'serve'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', ADMIN_TOKEN: TOKEN, DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const found = /listening on (http:\S+)/.exec(printed)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${printed}`)));
  });
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    return (await ended)[0];
  };
  return { api: new ApiCaller(url, TOKEN), stop };
}

describe('the installed package', () => {
  it('holds what runs: no source maps, no benchmark, no tests', () => {
    const files = readdirSync(installed, { recursive: true }).map(String);
    expect(files).toContain('dist/workers/ingest.js');
    expect(files).toContain('web/dist/index.html');
    expect(files.filter((file) => /\.map$|\.tsx?$|^(?:dist\/)?(?:bench|test)\//.test(file))).toEqual([]);
  });

  it('says its version', () => {
    expect(ran(process.execPath, [command(), '--version'], folder).trim()).toBe(version);
  });

  it('serves interface and page, takes an upload, and has it after a restart', async () => {
    const first = await serve();
    expect((await first.api.get('/health/live')).json()).toEqual({ status: 'up', version });
    expect((await first.api.get('/page/')).text).toContain('<div id="root">');
    const { answer, status } = await first.api.uploadAndSettle(plainSheet({ tag: 'packed', rows: 20 }));
    expect(status.counts).toMatchObject({ created: 20, rejected: 0 });
    const [accession] = resultRows(answer.text).accessions;
    expect(await first.stop()).toBe(0);
    const second = await serve();
    expect((await second.api.get(`/samples/${accession}`)).json()).toMatchObject({ name: 'packed_0' });
    expect(await second.stop()).toBe(0);
  });
});
