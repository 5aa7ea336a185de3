/** The built service under strace: all that it and its workers do to files is recorded, and what clients were answered, when. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiCaller } from '../support/api-caller.js';
import { ROOT } from '../support/output.js';
import { childrenOf } from '../support/processes.js';
import { type Done, readTrace, straceArguments } from './trace.js';

const TOKEN = 'the-token-of-the-recorded-service';

/** What was answered, and must be there ever after. */
export type Promised =
  | { kind: 'submission'; id: string; ended: boolean }
  | { kind: 'sample'; accession: string; note: string };

export interface Recording {
  /** Files and folders before; folders are undefined. */
  before: Map<string, Buffer | undefined>;
  done: Done[];
  /** In the order in which it was answered, microseconds since 1970. */
  promised: { at: number; what: Promised }[];
}

export type Keep = (what: Promised) => void;

/** Runs `work` on a service over the files of `folder`, which is stopped then. */
export async function record(
  folder: string,
  trace: string,
  work: (api: ApiCaller, promise: Keep) => Promise<void>,
): Promise<Recording> {
  const before = filesIn(folder);
  const promised: Recording['promised'] = [];
  const service = spawn(
    'strace',
    [...straceArguments(trace), process.execPath, join(ROOT, 'dist', 'src', 'server.js')],
    {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        HOST: '127.0.0.1',
        DATA_DIR: folder,
        ADMIN_TOKEN: TOKEN,
        LOG_LEVEL: 'info',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const api = new ApiCaller(await urlOf(service), TOKEN);
  await work(api, (what) => promised.push({ at: (performance.timeOrigin + performance.now()) * 1000, what }));
  const ended = once(service, 'exit');
  for (const pid of childrenOf(service.pid as number, /server\.js/)) process.kill(pid, 'SIGTERM');
  await ended;
  return { before, done: readTrace(trace, folder), promised };
}

/** A service that runs once and stops: its folder, as it is with nothing in it. */
export async function prepare(folder: string, trace: string): Promise<void> {
  await record(folder, trace, async () => undefined);
}

async function urlOf(service: ChildProcess): Promise<string> {
  let printed = '';
  for await (const text of service.stdout as AsyncIterable<Buffer>) {
    printed += text;
    const found = /listening on (https?:\/\/\S+?)["\s]/.exec(printed)?.[1];
    if (found === undefined) continue;
    return found;
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
