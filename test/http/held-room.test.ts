/**
 * What requests of one asker hold in memory: answers that are not taken, and bodies that are not whole.
 *
 * @module-tag bounds
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Blocks } from '../../src/http/blocks.js';
import { askedBy } from '../../src/http/held-room.js';
import { sendProblem } from '../../src/http/problem.js';
import { send, sendOrStream } from '../../src/http/respond.js';
import { type Listening, serve } from '../../src/http/serve.js';
import { Room } from '../../src/limits/room.js';
import { createLog } from '../../src/observability/log.js';
import { usedHeap } from '../support/used-heap.js';
import { type Service, startService } from './service.js';

const log = createLog('silent', 'test');
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A request whose answer is not read, but for its beginning. */
async function unread(port: number, head: string, body = ''): Promise<{ socket: Socket; status: Promise<number> }> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(`${head}\r\nhost: x\r\n\r\n${body}`);
  const status = once(socket, 'readable').then(() => Number((socket.read() as Buffer).toString('latin1', 9, 12)));
  return { socket, status };
}

describe('answers that are not taken', () => {
  /** More than the system takes for a client. */
  const LONG = 'x'.repeat(24 * 1024 * 1024);
  async function* pieces() {
    yield LONG;
  }
  let listening: Listening;
  let port: number;
  beforeAll(async () => {
    listening = await serve(
      async (request, response) => {
        const account = request.headers['x-account']?.toString();
        askedBy(request, account === undefined ? undefined : { account });
        try {
          if (request.url === '/short') send(request, response, 200, 'text/plain', 'short');
          else if (request.url === '/pieces') await sendOrStream(request, response, 'text/plain', pieces());
          else send(request, response, 200, 'text/plain', LONG);
        } catch (error) {
          sendProblem(request, response, error, { log, basePath: '' });
        }
      },
      { host: '127.0.0.1', port: 0, log },
    );
    port = Number(new URL(listening.url).port);
  });
  afterAll(() => listening.close(0));
  const asked = (path: string, account: string, method = 'GET') =>
    unread(port, `${method} ${path} HTTP/1.1\r\nx-account: ${account}`);
  const statusOf = async (path: string, account: string, method?: string) =>
    (await asked(path, account, method)).status;

  it.each(['/whole', '/pieces'])('have so much memory of one: %s', async (path) => {
    const held = [await asked(path, path), await asked(path, path)];
    expect(await Promise.all(held.map(({ status }) => status))).toEqual([200, 200]);
    expect(await statusOf(path, path)).toBe(429);
    // What is short, asks for no body or has changed something is answered, and so are others.
    expect(await statusOf('/short', path)).toBe(200);
    expect(await statusOf(path, path, 'HEAD')).toBe(200);
    expect(await statusOf(path, path, 'POST')).toBe(200);
    expect(await statusOf(path, `another than ${path}`)).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => statusOf(path, path)).toBe(200);
  });

  it('have room again when they are taken', async () => {
    const held = [await asked('/whole', 'reader'), await asked('/whole', 'reader')];
    expect(await Promise.all(held.map(({ status }) => status))).toEqual([200, 200]);
    expect(await statusOf('/whole', 'reader')).toBe(429);
    held[0]?.socket.resume();
    await expect.poll(() => statusOf('/whole', 'reader')).toBe(200);
  });
});

describe('bodies that are not whole', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('have so much memory of one account; short ones are taken all the same', async () => {
    const port = Number(new URL(service.url).port);
    const begin = async (token: string, bytes: number) =>
      unread(
        port,
        `POST /v2/samples/validate HTTP/1.1\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${8 * 1024 * 1024}`,
        ' '.repeat(bytes),
      );
    const hostile = await service.token('hostile');
    const begun = [];
    for (let at = 0; at < 9; at++) begun.push(await begin(hostile, 100_000));
    // The others wait for the rest of theirs.
    expect(await Promise.race(begun.map(({ status }) => status))).toBe(429);
    const sample = { name: 'short', release: '2024-01-01T00:00:00Z', characteristics: {} };
    for (const token of [hostile, await service.token('other')]) {
      const answer = await service.send('POST', '/samples', sample, { token });
      expect(answer.status).toBe(201);
    }
  });

  it('take their bytes, in however short blocks they come', () => {
    const blocks = new Blocks();
    const before = usedHeap();
    for (let at = 0; at < 200_000; at++) blocks.add(Buffer.from([at % 251]));
    expect(usedHeap() - before).toBeLessThan(2_000_000);
    blocks.add(Buffer.alloc(5_000, 1));
    blocks.add(Buffer.from([7]));
    const whole = blocks.whole();
    expect(whole.length).toBe(205_001);
    expect([whole[0], whole[250], whole[199_999], whole[200_000], whole[205_000]]).toEqual([
      0,
      250,
      199_999 % 251,
      1,
      7,
    ]);
  });
});

describe('room', () => {
  it('is bounded of one and in all; whoever holds nothing has a little all the same', () => {
    const room = new Room({ ofOne: 10, inAll: 25, always: 2 });
    const leave = room.take('a', 8);
    expect(room.take('a', 3)).toBe('of one');
    expect(room.take('b', 14)).toBeTypeOf('function');
    expect(room.take('c', 4)).toBe('in all');
    const little = room.take('c', 2);
    expect(little).toBeTypeOf('function');
    expect([room.take('c', 2), room.take('d', 2)]).toEqual(['in all', expect.any(Function)]);
    for (const _ of [1, 2]) (leave as () => void)();
    expect(room.take('a', 8)).toBe('in all');
    (little as () => void)();
    expect(room.take('e', 10)).toBe('in all');
    room.hold('e', 100)();
    expect(room.take('a', 1)).toBeTypeOf('function');
  });
});
