/**
 * An S3-speaking server (s3rver) behind a gate that writes down every request and can refuse or cut some: s3rver
 * itself neither lists nor aborts multipart uploads, so that these are seen at the gate.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './local-process.js';

/** How long the gate waits for an object to be on the disk. */
const WRITTEN_MS = 120_000;

interface S3rver {
  run(): Promise<unknown>;
  close(): Promise<void>;
}
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: Record<string, unknown>) => S3rver;

/**
 * What the gate does with a request: `pass` it on, `drop` it, `lose` its answer, answer it with `status` and a body, `cut` the answer after so
 * many bytes, or `hold` it there, with the connection open.
 */
export type Verdict =
  | 'pass'
  | 'drop'
  | 'lose'
  | { status: number; body: string }
  | { cutAfter: number }
  | { holdAfter: number };

export class S3Server {
  readonly requests: string[] = [];
  /** Bytes of the parts of each multipart upload. */
  private readonly parts = new Map<string, number>();
  /** That hold a file of ours. */
  private readonly folders = new Set<string>();
  check: (request: string) => Verdict = () => 'pass';

  private constructor(
    private readonly server: S3rver,
    private readonly gate: Server,
    private readonly gatePort: number,
    private readonly folder: string,
  ) {}

  static async open(): Promise<S3Server> {
    const folder = mkdtempSync(join(tmpdir(), 'registry-s3-'));
    const port = await freePort();
    const server = new S3rver({
      port,
      address: '127.0.0.1',
      silent: true,
      directory: folder,
      configureBuckets: [{ name: 'uploads' }],
    });
    await server.run();
    const gate = createServer();
    gate.listen(0, '127.0.0.1');
    await once(gate, 'listening');
    const { port: gatePort } = gate.address() as { port: number };
    const made = new S3Server(server, gate, gatePort, folder);
    gate.on('request', (incoming, answer) => made.forward(port, incoming, answer));
    return made;
  }

  url(prefix = 'kept'): string {
    const endpoint = encodeURIComponent(`http://127.0.0.1:${this.gatePort}`);
    return `s3://S3RVER:S3RVER@uploads/${prefix}?endpoint=${endpoint}&pathStyle=true`;
  }

  /** Keys of the objects under a prefix. */
  async keys(prefix: string): Promise<string[]> {
    const { S3Client, ListObjectsV2Command } = await import('@aws-sdk/client-s3');
    const client = new S3Client({
      endpoint: `http://127.0.0.1:${this.gatePort}`,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    });
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'uploads', Prefix: `${prefix}/` }));
    client.destroy();
    return Contents.map(({ Key }) => Key ?? '').sort();
  }

  /** Requests that match, in order. */
  seen(pattern: RegExp): string[] {
    return this.requests.filter((line) => pattern.test(line));
  }

  async close(): Promise<void> {
    this.gate.closeAllConnections();
    this.gate.close();
    await this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private forward(port: number, incoming: IncomingMessage, answer: ServerResponse): void {
    const line = `${incoming.method} ${incoming.url}`;
    this.requests.push(line);
    const verdict = this.check(line);
    if (verdict === 'drop') return void incoming.destroy();
    if (typeof verdict !== 'string' && 'status' in verdict) {
      incoming.resume();
      answer.writeHead(verdict.status, { 'content-type': 'application/xml' }).end(verdict.body);
      return;
    }
    const { method, url, headers } = incoming;
    if (method === 'PUT') this.keepFolderOf(url);
    const onward = request({ port, host: '127.0.0.1', method, path: url, headers }, async (reply) => {
      if (reply.statusCode === 200) await this.written(incoming);
      if (verdict === 'lose') return void answer.destroy();
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      if (verdict === 'pass') reply.pipe(answer);
      else if ('cutAfter' in verdict) cut(reply, answer, verdict.cutAfter);
      else hold(reply, answer, verdict.holdAfter);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }

  /**
   * s3rver takes a folder away with the last object in it, also while another object is about to be written there, and then fails outside
   * of the request: a file of our own, which it lists nowhere, holds the folder.
   */
  private keepFolderOf(url = ''): void {
    const folder = dirname(this.fileOf(new URL(url, 'http://gate').pathname));
    if (this.folders.has(folder)) return;
    this.folders.add(folder);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '.held'), '');
  }

  private fileOf(pathname: string): string {
    return join(this.folder, decodeURIComponent(pathname));
  }

  /**
   * s3rver answers before what it was sent is on the disk, and then says that there is no such object; storage proper
   * gives what it has acknowledged. Resolves once the object, whole or of parts, has its size.
   */
  private async written({ method, url = '', headers }: IncomingMessage): Promise<void> {
    const { pathname, searchParams } = new URL(url, 'http://gate');
    const upload = searchParams.get('uploadId');
    const sent = Number(headers['x-amz-decoded-content-length'] ?? headers['content-length'] ?? 0);
    if (method === 'PUT' && upload !== null) this.parts.set(upload, (this.parts.get(upload) ?? 0) + sent);
    const size = upload === null ? sent : this.parts.get(upload);
    if (!(upload === null ? method === 'PUT' : method === 'POST') || size === undefined) return;
    const file = `${this.fileOf(pathname)}._S3rver_object`;
    const end = Date.now() + WRITTEN_MS;
    while ((statSync(file, { throwIfNoEntry: false })?.size ?? -1) < size && Date.now() < end) await pause(2);
  }
}

function cut(reply: IncomingMessage, answer: ServerResponse, after: number): void {
  let left = after;
  reply.on('data', (block: Buffer) => {
    if (left <= 0) return;
    answer.write(block.subarray(0, left), () => left <= 0 && answer.destroy());
    left -= block.length;
  });
}

function hold(reply: IncomingMessage, answer: ServerResponse, after: number): void {
  let left = after;
  reply.on('data', (block: Buffer) => {
    if (left > 0) answer.write(block.subarray(0, left));
    left -= block.length;
  });
}
