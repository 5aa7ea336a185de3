/** Requests that a connection sends before it has the answers to those before them. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MOST_WAITING } from '../../src/http/pipelined.js';
import { type Listening, serve } from '../../src/http/serve.js';
import { createLog } from '../../src/observability/log.js';

let listening: Listening;
let begun: { path: string; response: ServerResponse }[];
beforeEach(async () => {
  begun = [];
  listening = await serve(({ url: path = '' }, response) => begun.push({ path, response }), {
    host: '127.0.0.1',
    port: 0,
    log: createLog('silent', 'test'),
  });
});
afterEach(() => listening.close(0));

async function sent(count: number): Promise<{ socket: Socket; answers: () => string }> {
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (part: Buffer) => {
    text += part;
  });
  await once(socket, 'connect');
  socket.write(Array.from({ length: count }, (_, at) => `GET /${at} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''));
  return { socket, answers: () => text };
}

it('begin one after the other, each when the answer before was taken, and are answered in their order', async () => {
  // The first one does not wait.
  const all = MOST_WAITING + 1;
  const { socket, answers } = await sent(all);
  for (let at = 0; at < all; at++) {
    await expect.poll(() => begun.length).toBeGreaterThan(at);
    expect(begun).toHaveLength(at + 1);
    begun[at]?.response.end(`answer ${begun[at]?.path} `);
  }
  await expect.poll(() => answers().match(/answer \/\d+/g)?.length).toBe(all);
  expect(answers().match(/answer \/\d+/g)).toEqual(begun.map(({ path }) => `answer ${path}`));
  socket.destroy();
});

it('are cut off with their connection when there are more of them, and none begins any more', async () => {
  const { socket } = await sent(MOST_WAITING + 30);
  await once(socket, 'close');
  const other = await sent(1);
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.response.end('answered');
  await expect.poll(other.answers).toContain('answered');
  expect(begun.map(({ path }) => path)).toEqual(['/0', '/0']);
  other.socket.destroy();
});
