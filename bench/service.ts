/** The built service in a folder of its own, as a user starts it, and the calls that the bench times. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const TOKEN = 'bench-token-bench-token';
const ENTRY = fileURLToPath(new URL('../src/server.js', import.meta.url));

export interface Status {
  submissionId: string;
  submissionStatus: string;
  counts: { rows: number; created: number; updated: number; unchanged: number; rejected: number };
  problem?: unknown;
}

export class Service {
  private constructor(
    readonly url: string,
    readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(
    env: Record<string, string> = {},
    folder = mkdtempSync(join(tmpdir(), 'bench-')),
    entry = ENTRY,
  ): Promise<Service> {
    const child = spawn(process.execPath, [entry], {
      env: { ...process.env, PORT: '0', DATA_DIR: folder, ADMIN_TOKEN: TOKEN, LOG_LEVEL: 'error', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout?.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        const found = /listening on (http:\S+?)["\s]/.exec(text);
        if (found) resolve(found[1] as string);
      });
      child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${text}`)));
    });
    return new Service(url, folder, child);
  }

  get pid(): number {
    return this.child.pid as number;
  }

  readonly token = TOKEN;

  /** Its folder stays. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }

  async stop(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Streams a file as the request's body. */
  upload(path: string, query = ''): Promise<{ status: number; id: string }> {
    return new Promise((resolve, reject) => {
      const post = request(
        `${this.url}/submissions${query}`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${TOKEN}`,
            'content-type': 'text/tab-separated-values',
            'content-length': statSync(path).size,
          },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          answer.on('end', () => {
            const id = /\/submissions\/([^/?#]+)$/.exec(answer.headers.location ?? '')?.[1];
            if (id) resolve({ status: answer.statusCode ?? 0, id });
            else reject(new Error(`upload answered ${answer.statusCode}: ${text}`));
          });
        },
      );
      post.on('error', reject);
      createReadStream(path, { highWaterMark: 1 << 18 }).pipe(post);
    });
  }

  async get<T>(path: string): Promise<T> {
    const answer = await fetch(this.url + path, {
      headers: { authorization: `Bearer ${TOKEN}`, accept: 'application/json' },
    });
    if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Until the search index has taken everything in. */
  async indexed(): Promise<void> {
    while ((await this.get<{ searchIndex: { lag: number } }>('/operations')).searchIndex.lag > 0) await delay(100);
  }

  /** Until the submission has ended; throws unless it is COMPLETED. */
  async completed(id: string): Promise<Status> {
    for (;;) {
      const status = await this.get<Status>(`/submissions/${id}`);
      if (status.submissionStatus !== 'ACTIVE') {
        if (status.submissionStatus !== 'COMPLETED') throw new Error(JSON.stringify(status));
        return status;
      }
      await delay(15);
    }
  }
}
