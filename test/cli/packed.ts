/** The package as npm makes it, in an empty folder, and its service there. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ApiCaller } from '../support/api-caller.js';
import { ROOT } from '../support/output.js';

const TOKEN = 'administrator-of-the-package';

/** @throws Error with what the program printed when it ends badly. */
export function ran(program: string, args: string[], cwd: string, env = process.env): string {
  const options = { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** `npm pack` of a built clone. @returns the packed file's path */
export function pack(root: string, into: string): string {
  const printed = ran('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', into], root);
  const [{ filename } = { filename: '' }] = JSON.parse(printed) as { filename: string }[];
  return join(into, filename);
}

export class EmptyFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'package-'));
  readonly data = join(this.path, 'data');
  readonly installed = join(this.path, 'node_modules', 'sample-registry');
  readonly command = join(this.installed, 'dist', 'src', 'cli', 'main.js');
  readonly #running = new Set<ChildProcess>();

  /** Over an earlier one, too. Instead of the network: what npm would put beside the package of that clone is linked, no other. */
  link(file: string, clone: string): void {
    rmSync(join(this.path, 'node_modules'), { recursive: true, force: true });
    mkdirSync(this.installed, { recursive: true });
    ran('tar', ['-xzf', file, '-C', this.installed, '--strip-components=1'], this.path);
    const { packages } = JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean }>;
    };
    const present = new Set(readdirSync(join(ROOT, 'node_modules')));
    for (const [path, { dev }] of Object.entries(packages)) {
      const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
      if (!name || dev || !present.has(name.split('/')[0] as string)) continue;
      const beside = join(this.path, 'node_modules', name);
      mkdirSync(dirname(beside), { recursive: true });
      symlinkSync(join(ROOT, path), beside);
    }
  }

  /** By npm itself, from the network, over an earlier one too. */
  install(file: string): void {
    ran('npm', ['install', '--no-audit', '--no-fund', file], this.path);
  }

  /** `sample-registry serve`, with its data in this folder. `stop` resolves to its exit code. */
  async serve(): Promise<{ api: ApiCaller; stop: () => Promise<unknown> }> {
    const child = spawn(process.execPath, [this.command, 'serve'], {
      cwd: this.path,
      env: { PATH: process.env.PATH, PORT: '0', ADMIN_TOKEN: TOKEN, DATA_DIR: this.data },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#running.add(child);
    const ended = once(child, 'exit');
    let printed = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const found = /listening on (http:\S+)/.exec(printed)?.[1];
        if (found) resolve(found);
      });
      ended.then(([code]) => reject(new Error(`ended with ${code}: ${printed}`)));
    });
    const stop = async () => {
      child.kill('SIGTERM');
      return (await ended)[0];
    };
    return { api: new ApiCaller(url, TOKEN), stop };
  }

  remove(): void {
    for (const child of this.#running) child.kill('SIGKILL');
    rmSync(this.path, { recursive: true, force: true });
  }
}
