/** The built `sample-registry` command: as its own process, or as one command of a process that runs many. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ROOT } from './output.js';

export const BIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const HOST = join(ROOT, 'test', 'support', 'command-host.mjs');

export interface CommandOptions {
  /** Settings beside PATH; nothing of the developer's own shell. */
  env?: Record<string, string>;
  cwd?: string;
  /** Standard input. */
  input?: string;
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Each line of standard output as JSON. */
  lines<T = Record<string, unknown>>(): T[];
}

const settings = (env: Record<string, string> = {}) => ({ PATH: process.env.PATH ?? '', ...env });

export function startCommand(args: string[], { env, cwd, input = '' }: CommandOptions = {}): ChildProcess {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: settings(env),
    ...(cwd ? { cwd } : {}),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  return child;
}

/** The program itself, in a process of its own. */
export async function runProgram(args: string[], options: CommandOptions = {}): Promise<Finished> {
  const child = startCommand(args, options);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return finished(code, stdout, stderr);
}

/** Commands of this file's process, which wait for the next one; a process of its own costs 0.25 s of processor each time. */
const idle: CommandHost[] = [];

/** The same command line, environment, folder and streams, in a process that has run others before. */
export async function runCommand(args: string[], options: CommandOptions = {}): Promise<Finished> {
  const host = idle.pop() ?? new CommandHost();
  const done = await host.run(args, options);
  if (host.running) idle.push(host);
  return done;
}

class CommandHost {
  readonly #end = `end of ${randomUUID()}`;
  readonly #child = fork(HOST, [this.#end], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  readonly #out = this.#child.stdout as Readable;
  readonly #err = this.#child.stderr as Readable;

  constructor() {
    for (const stream of [this.#out, this.#err]) stream.setEncoding('utf8');
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async run(words: string[], { env, cwd = ROOT, input = '' }: CommandOptions): Promise<Finished> {
    const code = new Promise<number | null>((resolve) => {
      const answered = ({ code: given }: { code: number }) => {
        this.#child.off('exit', ended);
        resolve(given);
      };
      // A command may end its process itself.
      const ended = (given: number | null) => {
        this.#child.off('message', answered);
        resolve(given);
      };
      this.#child.once('message', answered).once('exit', ended);
    });
    const printed = Promise.all([this.#printed(this.#out), this.#printed(this.#err)]);
    this.#child.send({ words, env: settings(env), cwd, input });
    const [stdout, stderr] = await printed;
    return finished(await code, stdout, stderr);
  }

  /** What comes until the end of this command, or of the process. */
  #printed(stream: Readable): Promise<string> {
    return new Promise((resolve) => {
      let got = '';
      const take = (part: string) => {
        got += part;
        if (got.endsWith(this.#end)) stop();
      };
      const stop = () => {
        stream.off('data', take).off('end', stop);
        resolve(got.endsWith(this.#end) ? got.slice(0, -this.#end.length) : got);
      };
      stream.on('data', take).once('end', stop);
    });
  }
}

const finished = (code: number | null, stdout: string, stderr: string): Finished => ({
  code,
  stdout,
  stderr,
  lines: <T>() =>
    stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as T),
});
