/** Connections between two requests: closed later than answers say, since a busy loop may see a request that came in time only then. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Listening, serve } from '../../src/http/serve.js';
import { createLog } from '../../src/observability/log.js';

let listening: Listening;
beforeAll(async () => {
  const app = (_: unknown, response: { end(text: string): void }) => response.end('ok');
  listening = await serve(app, { host: '127.0.0.1', port: 0, log: createLog('silent', 'test') });
});
afterAll(() => listening.close(0));

async function answerOn(socket: Socket, headers = ''): Promise<string> {
  socket.write(`GET / HTTP/1.1\r\nhost: x\r\n${headers}\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString();
}
const connection = async (): Promise<Socket> => {
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

it('are kept ten seconds longer than every answer says', async () => {
  const socket = await connection();
  for (let request = 0; request < 2; request++) {
    const answer = await answerOn(socket);
    expect(answer.match(/^connection: keep-alive\r$/gim)).toHaveLength(1);
    const said = [...answer.matchAll(/^keep-alive: timeout=(\d+)\r$/gim)].map(([, seconds]) => Number(seconds));
    expect(said).toHaveLength(1);
    expect(listening.server.keepAliveTimeout / 1000 - (said[0] as number)).toBeGreaterThanOrEqual(10);
  }
  socket.destroy();
});

it('end with the answer, which says so, when the client wants it or the service leaves', async () => {
  const socket = await connection();
  const wanted = await answerOn(socket, 'connection: close\r\n');
  await once(socket, 'close');
  const other = await connection();
  listening.leave();
  const last = await answerOn(other);
  for (const answer of [wanted, last]) {
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).not.toMatch(/^keep-alive:/im);
  }
  await once(other, 'close');
});
