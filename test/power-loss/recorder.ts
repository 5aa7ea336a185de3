/** Built programs under strace: all that they do to the files of a folder is recorded, and what clients were answered, when. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { auditFiles } from '../../src/audit/files.js';
import { type Answer, ApiCaller, type CallOptions } from '../support/api-caller.js';
import { BIN } from '../support/command.js';
import { ROOT } from '../support/output.js';
import { childrenOf, killNow } from '../support/processes.js';
import { type Promised, sha256Of } from './promises.js';
import { type Done, readTraces, straceArguments, type Trace } from './trace.js';

export const TOKEN = 'administrator-of-the-tests';

export interface Recording {
  /** The folder of all files that count. */
  root: string;
  /** Files and folders before; folders are undefined. */
  before: Map<string, Buffer | undefined>;
  done: Done[];
  /** In the order in which it was answered, microseconds since 1970. */
  promised: { at: number; what: Promised }[];
  /** What was done, and from when on. */
  chapters: { at: number; name: string }[];
}

const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export class Recorder {
  readonly #place = mkdtempSync(join(memory, 'registry-power-'));
  readonly root = join(this.#place, 'disk');
  readonly data = join(this.root, 'data');
  readonly #traces: Trace[] = [];
  readonly #promised: Recording['promised'] = [];
  readonly #chapters: Recording['chapters'] = [];
  readonly #running = new Set<ChildProcess>();
  #before: Recording['before'] | undefined;

  constructor() {
    mkdirSync(this.root);
  }

  /** From now on what happens counts; what is there is on the disk. */
  begin(): void {
    this.#before = filesIn(this.root);
    this.#traces.length = 0;
    this.#promised.length = 0;
    this.#chapters.length = 0;
  }

  chapter(name: string): void {
    this.#chapters.push({ at: now(), name });
  }

  promise(what: Promised): void {
    this.#promised.push({ at: now(), what });
  }

  /** The file is there from now on, as it is, until `or` is. */
  promiseFile(path: string, or?: string): void {
    const sha256 = sha256Of(readFileSync(join(this.root, path)));
    this.promise({ kind: 'file', path, sha256, ...(or === undefined ? {} : { or }) });
  }

  /** The built service with its workers. */
  async serve(env: Record<string, string> = {}): Promise<{ api: RecordedApi; stop: () => Promise<void> }> {
    const service = this.#start('the service', [join(ROOT, 'dist', 'src', 'server.js')], {
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: this.data,
      ADMIN_TOKEN: TOKEN,
      LOG_LEVEL: 'info',
      ...env,
    });
    const url = await urlOf(service);
    for (const stream of [service.stdout, service.stderr]) stream?.resume();
    const [file] = auditFiles(join(this.data, 'audit')).slice(-1);
    this.promise({ kind: 'begun', file: file as string });
    const stop = async (): Promise<void> => {
      const ended = once(service, 'close');
      for (const pid of childrenOf(service.pid as number, /server\.js/)) process.kill(pid, 'SIGTERM');
      await ended;
    };
    return { api: new RecordedApi(url, (what) => this.promise(what)), stop };
  }

  /** One of the built commands, to its end; `onLine` hears what it prints. @throws Error when it fails */
  async command(args: string[], env: Record<string, string>, onLine: (line: string) => void = () => undefined) {
    const by = args
      .slice(0, 2)
      .filter((word) => /^[a-z]+$/.test(word))
      .join(' ');
    await this.run(`sample-registry ${by}`, [BIN, ...args], { HOME: this.root, ...env }, onLine);
  }

  /** A program of Node, to its end. */
  async run(by: string, args: string[], env: Record<string, string>, onLine: (line: string) => void = () => undefined) {
    const child = this.#start(by, args, env);
    const ended = once(child, 'close');
    for (const input of [child.stdout, child.stderr] as Readable[]) createInterface({ input }).on('line', onLine);
    const [code] = (await ended) as [number | null];
    // 2: rows were rejected, an end like any other.
    if (code !== 0 && code !== 2) throw new Error(`${by} ended with ${code}`);
  }

  end(): Recording {
    if (this.#before === undefined) throw new Error('Nothing was recorded.');
    return {
      root: this.root,
      before: this.#before,
      done: readTraces(this.#traces, this.root),
      promised: this.#promised,
      chapters: this.#chapters,
    };
  }

  /** A folder for what a power cut leaves, empty. */
  emptied(): string {
    const left = join(this.#place, 'left');
    rmSync(left, { recursive: true, force: true });
    mkdirSync(left);
    return left;
  }

  /** Whatever still runs ends. */
  remove(): void {
    for (const { pid } of this.#running) if (pid !== undefined) killNow([...childrenOf(pid), pid]);
    rmSync(this.#place, { recursive: true, force: true });
  }

  #start(by: string, args: string[], env: Record<string, string>): ChildProcess {
    const file = join(this.#place, `${this.#traces.length}.trace`);
    this.#traces.push({ by, file });
    const child = spawn('strace', [...straceArguments(file), process.execPath, ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.add(child.once('exit', () => this.#running.delete(child)));
    return child;
  }
}

/** Each change that is answered is promised to be in the audit log. */
export class RecordedApi extends ApiCaller {
  constructor(
    url: string,
    readonly promise: (what: Promised) => void,
  ) {
    super(url, TOKEN);
  }

  override async call(path: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await super.call(path, options);
    const requestId = answer.headers.get('x-request-id');
    if (options.method !== undefined && options.method !== 'GET' && answer.status < 400 && requestId !== null)
      this.promise({ kind: 'audit', names: requestId });
    return answer;
  }
}

const now = (): number => (performance.timeOrigin + performance.now()) * 1000;

async function urlOf(service: ChildProcess): Promise<string> {
  let printed = '';
  for await (const text of (service.stdout as Readable).iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    printed += text;
    const found = /listening on (https?:\/\/\S+?)["\s]/.exec(printed)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`The service did not start: ${printed}`);
}

function filesIn(folder: string): Map<string, Buffer | undefined> {
  const files = new Map<string, Buffer | undefined>([[folder, undefined]]);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    files.set(path, entry.isDirectory() ? undefined : readFileSync(path));
  }
  return files;
}
