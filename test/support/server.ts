/**
 * The real, built server as its own process in a folder of its own, and the few calls that most tests make on it.
 * Its output is kept in test-output/servers/, so a failed run can be read afterwards.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manyMachines } from '../many-machines/engines.js';
import { type Answer, ApiCaller, type CallOptions } from './api-caller.js';
import { holdToDescription } from './described.js';
import { OUTPUT_DIR, ROOT } from './output.js';
import { childrenOf, isAlive, killNow } from './processes.js';

const entryBelow = (root: string): string => join(root, 'dist', 'src', 'server.js');
const LISTENING = /listening on (https?:\/\/\S+?)["\s]/;
const START_MS = 5 * 60_000;
/** Ends what hangs: how long it takes on a machine with other work is no question of a test. */
const STOP_MS = 5 * 60_000;
/** A small upload has its result in its answer, however long the machine takes for it. */
const SMALL_WAIT_SECONDS = '300';

export interface ServerOptions {
  /** Added to, or with undefined taken from, the settings that every test server gets. */
  env?: Record<string, string | undefined>;
  /** A folder of the caller's, kept on stop; by default a new one that goes with the server. */
  dataDir?: string;
  /** Of another built version of the program; by default this one's. */
  root?: string;
  /** `many` for those of many machines (test/many-machines/engines.ts). */
  engines?: string | undefined;
}

/** A server that runs, whoever started it. */
export class RunningServer extends ApiCaller {
  constructor(
    url: string,
    adminToken: string,
    readonly pid: number,
    store?: string,
  ) {
    super(url, adminToken, store);
  }

  /** Answers of the service itself are held to its description, but for what is out of order (5xx). */
  override async call(path: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await super.call(path, options);
    const below = path.startsWith(this.url) ? path.slice(this.url.length) : path;
    if (below.startsWith('/') && answer.status < 500) holdToDescription(options.method ?? 'GET', below, answer);
    return answer;
  }

  /** The worker processes that the server runs now. */
  workerPids(): number[] {
    return childrenOf(this.pid, /workers[\\/]/);
  }

  /** Those of them that register samples. */
  ingestPids(): number[] {
    return childrenOf(this.pid, /workers[\\/]ingest/);
  }
}

/** Workers of servers that were killed, by the folder in which they may still write: they end by themselves, a moment later. */
const leftBehind = new Map<string, number[]>();

export class TestServer extends RunningServer {
  constructor(
    url: string,
    adminToken: string,
    readonly dataDir: string,
    private readonly child: ChildProcess,
    private readonly ownsFolder: boolean,
    /** Everything that the server has printed. */
    readonly output: () => string,
    store: string,
  ) {
    super(url, adminToken, child.pid as number, store);
  }

  /** True until the server process has ended. */
  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Sends the signal to the server process alone; resolves at once for SIGSTOP and SIGCONT, else when it has ended. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    const ended = this.ended();
    if (signal === 'SIGKILL')
      leftBehind.set(this.dataDir, [...(leftBehind.get(this.dataDir) ?? []), ...this.workerPids()]);
    this.child.kill(signal);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await ended;
  }

  /** Resolves when nobody is left of servers that were killed in this folder; throws when that takes too long. */
  async othersEnded(): Promise<void> {
    const until = Date.now() + STOP_MS;
    for (const pid of leftBehind.get(this.dataDir) ?? []) {
      while (isAlive(pid)) {
        if (Date.now() > until) throw new Error(`Worker ${pid} outlived its server by ${STOP_MS} ms.`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    leftBehind.delete(this.dataDir);
  }

  /** Exit code, or the signal's name, once the process has ended. */
  ended(): Promise<number | NodeJS.Signals> {
    const { child } = this;
    if (!this.running) return Promise.resolve((child.exitCode ?? child.signalCode) as number | NodeJS.Signals);
    return new Promise((resolve) => child.once('exit', (code, signal) => resolve((code ?? signal) as number)));
  }

  /** As Ctrl-C does; throws when the server does not end in time. Leaves no process and, if it was ours, no folder. */
  async stop(): Promise<void> {
    const workers = this.running ? this.workerPids() : [];
    const late = this.running && !(await this.terminated());
    killNow(workers.filter(isAlive));
    await this.othersEnded();
    if (this.ownsFolder) rmSync(this.dataDir, { recursive: true, force: true });
    if (late) throw new Error(`The server did not end within ${STOP_MS} ms of SIGTERM.\n${this.output().slice(-2000)}`);
  }

  private async terminated(): Promise<boolean> {
    const ended = this.ended().then(() => true);
    this.child.kill('SIGTERM');
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), STOP_MS);
    });
    const inTime = await Promise.race([ended, timeout]);
    clearTimeout(timer);
    if (!inTime) this.child.kill('SIGKILL');
    await ended;
    return inTime;
  }
}

/** Starts the built server on a free port and resolves when it takes requests. */
export async function startServer({
  env = {},
  dataDir,
  root = ROOT,
  engines: chosen = process.env.TEST_ENGINES,
}: ServerOptions = {}): Promise<TestServer> {
  const entry = entryBelow(root);
  if (!existsSync(entry)) throw new Error(`${entry} is missing: run \`npm run build\` first (npm test does).`);
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'sample-registry-test-'));
  const adminToken = env.ADMIN_TOKEN ?? randomBytes(24).toString('hex');
  const engines = chosen === 'many' ? await manyMachines(folder) : {};
  const settings = {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    ADMIN_TOKEN: adminToken,
    SMALL_WAIT_SECONDS,
    ...engines,
    ...env,
  };
  const child = spawn(process.execPath, [entry], {
    cwd: root,
    env: { ...inherited(), ...settings } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = record(child);
  const url = await address(child, output);
  return new TestServer(url, adminToken, folder, child, dataDir === undefined, output, env.STORE_URL ?? folder);
}

/** Settings of the developer's own shell must not leak into the server under test. */
function inherited(): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR, NODE_V8_COVERAGE } = process.env;
  return { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...(NODE_V8_COVERAGE && { NODE_V8_COVERAGE }) };
}

function record(child: ChildProcess): () => string {
  const folder = join(OUTPUT_DIR, 'servers');
  mkdirSync(folder, { recursive: true });
  const log = createWriteStream(join(folder, `${Date.now()}-${child.pid}.log`));
  let kept = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log.write(text);
      kept = (kept + text).slice(-200_000);
    });
  }
  child.once('close', () => log.end());
  return () => kept;
}

function address(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const give = (error: Error | undefined, url = '') => {
      clearTimeout(timer);
      child.off('exit', onExit);
      child.stdout?.off('data', look);
      if (error) reject(error);
      else resolve(url);
    };
    const onExit = (code: number | null) =>
      give(new Error(`The server ended with ${code} before it listened:\n${output()}`));
    const look = () => {
      const found = LISTENING.exec(output());
      if (found) give(undefined, found[1]);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      give(new Error(`The server did not listen within ${START_MS} ms:\n${output()}`));
    }, START_MS);
    child.once('exit', onExit);
    child.stdout?.on('data', look);
  });
}
