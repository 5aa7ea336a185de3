/** The built `sample-registry` command as its own process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from './output.js';

export const BIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');

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

export function startCommand(args: string[], { env = {}, cwd, input = '' }: CommandOptions = {}): ChildProcess {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    ...(cwd ? { cwd } : {}),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  return child;
}

export async function runCommand(args: string[], options: CommandOptions = {}): Promise<Finished> {
  const child = startCommand(args, options);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return {
    code,
    stdout,
    stderr,
    lines: <T>() =>
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as T),
  };
}
