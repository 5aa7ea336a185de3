/** @module-tag slow */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OUTPUT_DIR } from '../support/output.js';
import { startServer, type TestServer } from '../support/server.js';
import { publicSamples, readOnce, Tally } from './mixed-load.js';
import { othersBeside } from './others.js';

const PROOF = process.env.PROOF === '1';
/** What others are to be answered within, whatever somebody does (printed beside what they were, never asserted). */
const WANTED_MS = 200;
/** Reads of others beside each attack, fifty in a second. */
const READS = PROOF ? 500 : 50;
const IDLE = PROOF ? 10_000 : 4_000;

interface Figures {
  attack: string;
  reads: number;
  medianMs: number;
  p99Ms: number;
  worstMs: number;
  wantedMs: number;
}
const figures: Figures[] = [];

let server: TestServer;
let paths: string[];
let sockets: Socket[] = [];
beforeAll(async () => {
  server = await startServer();
  paths = await publicSamples(server, 50);
});
afterAll(async () => {
  await server.stop();
  console.log(['answers of others, ms: worst / p99 / median', ...figures.map(line)].join('\n'));
  mkdirSync(join(OUTPUT_DIR, 'load'), { recursive: true });
  writeFileSync(join(OUTPUT_DIR, 'load', 'hostile-clients.json'), `${JSON.stringify(figures, null, 2)}\n`);
});
const line = ({ attack, reads, medianMs, p99Ms, worstMs, wantedMs }: Figures): string =>
  `${attack}: ${worstMs} / ${p99Ms} / ${medianMs} of ${reads} reads, wanted ≤ ${wantedMs}`;

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

/** A raw connection to the service; what it answers is collected. */
async function open(): Promise<{ socket: Socket; answer: () => string }> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  socket.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return { socket, answer: () => text };
}

/** What others are answered meanwhile. The attack hears when they were answered often enough. */
async function othersAreServed(what: string, during: (enough: AbortSignal) => Promise<unknown>): Promise<void> {
  const others = await othersBeside({ url: server.url, paths, perSecond: 50, atLeast: READS });
  await during(others.enough);
  const { reads } = await others.end();
  const [medianMs, p99Ms, worstMs] = [0.5, 0.99, 1].map((share) => reads.quantile(share)) as [number, number, number];
  figures.push({ attack: what, reads: reads.times.length, medianMs, p99Ms, worstMs, wantedMs: WANTED_MS });
  expect(reads.unexpected(200)).toEqual([]);
  expect(reads.times.length).toBeGreaterThanOrEqual(READS);
}

/** Open files that a process may have here; each connection takes one on either side. */
const handles = (): number => Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()) || 1024;

describe('others are served beside', () => {
  it('200 connections that send one byte a second', async () => {
    await othersAreServed('slow senders', async (signal) => {
      const slow = await Promise.all(Array.from({ length: 200 }, open));
      const text = `POST /submissions HTTP/1.1\r\nHost: x\r\nContent-Type: text/tab-separated-values\r\nContent-Length: 5000\r\n\r\n`;
      for (let at = 0; !signal.aborted; at++) {
        for (const { socket } of slow) socket.write(text[at % text.length] as string);
        await sleep(1_000, undefined, { signal }).catch(() => undefined);
      }
    });
  });

  it(`${IDLE} idle connections, as far as the system lets one process have them`, async () => {
    const count = Math.min(IDLE, handles() - 500);
    await othersAreServed(`${count} connections that are opened`, async () => {
      for (let n = 0; n < count; n += 200) {
        await Promise.all(Array.from({ length: Math.min(200, count - n) }, open));
      }
    });
    await othersAreServed(`${count} idle connections`, (enough) => once(enough, 'abort'));
    expect(sockets.filter((socket) => !socket.destroyed).length).toBe(count);
  });

  it('headers of a megabyte, which are refused with 431', async () => {
    await othersAreServed('oversized headers', async (signal) => {
      while (!signal.aborted) {
        const { socket, answer } = await open();
        socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(1024 * 1024)}\r\n\r\n`);
        await expect.poll(answer).toMatch(/^HTTP\/1\.1 431 /);
        await sleep(100);
      }
    });
  });

  it('forms that are broken, each refused with a problem', async () => {
    const boundary = 'b';
    const part = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x.tsv"\r\n\r\n`;
    const broken: [string, string][] = [
      ['no boundary', 'multipart/form-data'],
      [`${part}Sample Name\n`, `multipart/form-data; boundary=${boundary}`],
      [`--${boundary}\r\n${'x'.repeat(200_000)}`, `multipart/form-data; boundary=${boundary}`],
      [`--${boundary}\r\n\r\n--${boundary}--\r\n`, `multipart/form-data; boundary=${boundary}`],
      [part.repeat(500), `multipart/form-data; boundary=${boundary}`],
      ['', `multipart/form-data; boundary=${boundary}`],
      [`${part}x\r\n--${boundary}--`, `multipart/form-data; boundary=${'c'.repeat(300)}`],
    ];
    await othersAreServed('broken forms', async (signal) => {
      for (let n = 0; !signal.aborted; n++) {
        const [body, type] = broken[n % broken.length] as [string, string];
        const answer = await server.call('/submissions', { method: 'POST', headers: { 'content-type': type }, body });
        expect(answer.status, `${body.slice(0, 60)}: ${answer.text}`).toBeGreaterThanOrEqual(400);
        expect(answer.status, `${body.slice(0, 60)}: ${answer.text}`).toBeLessThan(500);
        expect(answer.headers.get('content-type')).toBe('application/problem+json');
        await sleep(20);
      }
    });
  });

  it('requests that are no HTTP, or smuggle a second length', async () => {
    await othersAreServed('broken requests', async () => {
      for (const text of [
        '\0\0\0\0\r\n\r\n',
        'GET / HTTP/9.9\r\n\r\n',
        'POST /samples HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
        'POST /samples HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        'GET /samples HTTP/1.1\r\nHost : x\r\n\r\n',
      ]) {
        const { answer } = await sent(text);
        await expect.poll(answer, { message: JSON.stringify(text) }).toMatch(/^HTTP\/1\.1 400 /);
      }
    });
  });
});

async function sent(text: string): Promise<{ socket: Socket; answer: () => string }> {
  const connection = await open();
  connection.socket.write(text);
  return connection;
}

describe('a connection', () => {
  it.runIf(PROOF)('that never finishes its headers is ended by the service', async () => {
    const { socket, answer } = await sent('GET / HTTP/1.1\r\nHost: x\r\n');
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    expect(answer()).toMatch(/^HTTP\/1\.1 408 /);
    const tally = new Tally();
    await readOnce(`${server.url}${paths[0]}`, new Agent(), tally);
    expect(tally.unexpected(200)).toEqual([]);
  });
});
