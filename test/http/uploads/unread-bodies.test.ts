/** Bodies that are not read to their end: the answer arrives, and what the client declared is not taken for ever. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../service.js';

let service: Service;
let upload: string;
const TUS = { 'tus-resumable': '1.0.0' };
beforeAll(async () => {
  service = await startService();
  const begun = await service.call('/files', { method: 'POST', headers: { ...TUS, 'upload-length': '900000000' } });
  upload = new URL(begun.headers.get('location') ?? '').pathname;
});
afterAll(() => service.stop());

const DECLARED = 800_000_000;

async function open(
  method: string,
  path: string,
  headers: Record<string, string | number>,
  version = '1.1',
): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/${version}\r\n${lines.join('')}\r\n`);
  return socket;
}

const bearer = () => ({ authorization: `Bearer ${service.adminToken}` });
const piece = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': 0 };

it.each<[string, string, string, () => Record<string, string | number>, number]>([
  ['nobody wants', 'GET', '/samples', () => ({}), 200],
  ['is sent in vain with a withdrawal', 'DELETE', '/samples/SAMR1/withdrawal', bearer, 400],
  ['belongs nowhere', 'POST', '/nowhere', () => ({}), 404],
  ['lacks a token', 'POST', '/submissions', () => ({ 'content-type': 'text/csv' }), 401],
  ['is a piece that lacks a token', 'PATCH', '', () => piece, 401],
  ['is a piece of another place', 'PATCH', '', () => ({ ...bearer(), ...piece, 'upload-offset': 5 }), 409],
  ['is a piece in another protocol', 'PATCH', '', () => ({ ...bearer(), ...piece, 'tus-resumable': '0.1' }), 400],
])('one that %s is answered and then cut', async (_, method, path, headers, status) => {
  const socket = await open(method, path || upload, { ...headers(), 'content-length': DECLARED });
  const block = Buffer.alloc(256 * 1024, 97);
  let sent = 0;
  let answer = '';
  socket.on('data', (bytes: Buffer) => {
    answer += bytes.toString('latin1');
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const pump = (): void => {
    while (!socket.destroyed && sent < DECLARED) {
      sent += block.length;
      if (!socket.write(block)) {
        socket.once('drain', pump);
        return;
      }
    }
  };
  pump();
  await closed;
  expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
  // Node cuts such a connection at once, and whoever still sends sees a reset instead of the answer.
  expect(answer).not.toMatch(/^connection: close/im);
  expect(sent).toBeLessThan(100_000_000);
});

it('one that is short leaves the connection to the next request', async () => {
  const socket = await open('DELETE', '/samples/SAMR1/withdrawal', { ...bearer(), 'content-length': 2 });
  socket.write('{}GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  let answers = '';
  for await (const bytes of socket) answers += (bytes as Buffer).toString('latin1');
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
});

/** Sends the body before it reads anything, as most clients do; throws what the connection fails with. */
async function sentWhole(socket: Socket, bytes: number): Promise<string> {
  const block = Buffer.alloc(64 * 1024, 97);
  for (let sent = 0; sent < bytes; sent += block.length) {
    await new Promise<void>((resolve, reject) => {
      socket.write(block, (error) => (error ? reject(error) : resolve()));
    });
  }
  let answer = '';
  for await (const part of socket) answer += (part as Buffer).toString('latin1');
  return answer;
}

const SIX_MIB = 6 * 1024 * 1024;

it.each([
  ['asks for the end of its connection', '1.1', { connection: 'close' }],
  ['speaks HTTP/1.0, as proxies do', '1.0', {}],
])('a client that %s sends its body whole, hears the answer, and then the end', async (_, version, headers) => {
  for (const [method, path, status] of [
    ['POST', '/submissions', 401],
    ['GET', '/samples', 200],
  ] as const) {
    const socket = await open(method, path, { ...headers, 'content-length': SIX_MIB }, version);
    expect((await sentWhole(socket, SIX_MIB)).slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
  }
});

it('a body without an end on a connection that is to end is cut, too', async () => {
  const socket = await open('POST', '/submissions', { connection: 'close', 'content-length': DECLARED });
  await expect(sentWhole(socket, DECLARED)).rejects.toThrow(/EPIPE|ECONNRESET/);
});
