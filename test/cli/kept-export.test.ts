/**
 * `samples export --keep` over connections that break, and after it was killed itself: what came is not fetched again.
 *
 * @module-tag slow
 */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { runCommand, startCommand } from '../support/command.js';
import { startServer, type TestServer } from '../support/server.js';

const ROWS = 2_000;
const rows = Array.from({ length: ROWS }, (_, at) => `s${at}\t2020-01-01\t${'x'.repeat(500)}${at}`);

let server: TestServer;
let folder: string;
let between: Server;
let env: Record<string, string>;
/** Bytes after which the connection of the next answers with a file breaks, or stands still for those below zero. */
let breaks: number[] = [];
/** First byte that each request for a file asked for. */
let asked: number[] = [];

beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), 'kept-export-'));
  const token = await server.token('ada');
  await server.uploadAndSettle(['Sample Name\tRelease Date\tCharacteristics[note]', ...rows].join('\n'), { token });
  between = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    const forwarded = request(`${server.url}${url}`, { method, headers }, async (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      if (url.endsWith('/file')) await handOnFile(answer, outgoing, headers.range);
      else answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  const { port } = between.address() as AddressInfo;
  env = { HOME: folder, SAMPLE_REGISTRY_URL: `http://127.0.0.1:${port}`, SAMPLE_REGISTRY_TOKEN: token };
});
afterEach(() => {
  breaks = [];
  asked = [];
});
afterAll(async () => {
  between.closeAllConnections();
  between.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** The whole of it, or as far as `breaks` says. */
async function handOnFile(answer: IncomingMessage, outgoing: ServerResponse, range = ''): Promise<void> {
  const first = Number(/bytes=(\d+)-/.exec(range)?.[1] ?? 0);
  asked.push(first);
  const end = breaks.shift() ?? Number.POSITIVE_INFINITY;
  let left = Math.abs(end);
  for await (const piece of answer as AsyncIterable<Buffer>) {
    outgoing.write(piece.subarray(0, left));
    left -= piece.length;
    if (left <= 0) break;
  }
  if (left > 0) outgoing.end();
  else if (end > 0) {
    // Not before it has arrived: what a broken connection has on its way is lost with it.
    await arrived('broken.csv.part', first + end);
    outgoing.destroy();
  }
}

const arrived = (file: string, bytes: number) =>
  expect.poll(() => existsSync(join(folder, file)) && statSync(join(folder, file)).size).toBe(bytes);
const ARGS = ['samples', 'export', '--format', 'csv', '--keep', '-o'];
const take = (file: string) => runCommand([...ARGS, file], { cwd: folder, env });
/** The command, killed when so much of its file has come. */
const takeUntilKilled = async (file: string, bytes: number): Promise<void> => {
  breaks = [-bytes];
  const child = startCommand([...ARGS, file], { cwd: folder, env });
  await arrived(`${file}.part`, bytes);
  child.kill('SIGKILL');
  await once(child, 'close');
};
const kept = async (): Promise<number> => {
  const { json } = await server.get('/samples/exports', { token: env.SAMPLE_REGISTRY_TOKEN as string });
  return json<{ _embedded: { exports: unknown[] } }>()._embedded.exports.length;
};
const expectWhole = (file: string): void => {
  const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(ROWS + 1);
  expect(lines.at(-1)).toContain(`${'x'.repeat(500)}${ROWS - 1}`);
};

it('goes on where connections broke, and leaves nothing behind', async () => {
  breaks = [300_000, 100_000];
  const { code, stderr } = await take('broken.csv');
  expect(code, stderr).toBe(0);
  expectWhole('broken.csv');
  expect(stderr).toMatch(/^Export \S+ is being made; the service keeps it until \d{4}-/);
  expect(asked).toEqual([0, 300_000, 400_000]);
  expect(await kept()).toBe(0);
  expect(readdirSync(folder).filter((name) => name.startsWith('broken'))).toEqual(['broken.csv']);
});

it('goes on after it was killed, with the same export', async () => {
  await takeUntilKilled('killed.csv', 200_000);
  expect(await kept()).toBe(1);
  const { code, stderr } = await take('killed.csv');
  expect(code, stderr).toBe(0);
  expectWhole('killed.csv');
  expect(asked).toEqual([0, 200_000]);
  expect(await kept()).toBe(0);
});

it('never gives the file its name when what lies beside it is not what the service keeps', async () => {
  await takeUntilKilled('changed.csv', 200_000);
  writeFileSync(join(folder, 'changed.csv.part'), Buffer.alloc(200_000, 'y'));
  const { code, stderr } = await take('changed.csv');
  expect(code).toBe(3);
  expect(stderr).toContain('is not what the service keeps; ask again');
  expect(existsSync(join(folder, 'changed.csv'))).toBe(false);
  expect((await take('changed.csv')).code).toBe(0);
  expectWhole('changed.csv');
  expect(asked).toEqual([0, 200_000, 0]);
});

it('begins anew for another search, or when the export is gone', async () => {
  await takeUntilKilled('other.csv', 200_000);
  const narrowed = await runCommand([...ARGS, 'other.csv', '--filter', 'acc:SAMR7'], { cwd: folder, env });
  expect(narrowed.code, narrowed.stderr).toBe(0);
  expect(readFileSync(join(folder, 'other.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(2);
  expect(asked).toEqual([0, 0]);
  expect((await runCommand(['samples', 'export', '--keep'], { cwd: folder, env })).code).toBe(1);
});
