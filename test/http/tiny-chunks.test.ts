/** Chunked bodies: chunks of a few bytes are refused by the thousand; lines of a sheet are not. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Listening, serve } from '../../src/http/serve.js';
import { createLog } from '../../src/observability/log.js';

let listening: Listening;
let read = 0;
beforeAll(async () => {
  listening = await serve(
    async (request, response) => {
      try {
        for await (const block of request) read += block.length;
        response.end(`read ${read}`);
      } catch {
        response.destroy();
      }
    },
    { host: '127.0.0.1', port: 0, log: createLog('silent', 'test') },
  );
});
afterAll(() => listening.close(0));

async function answered(chunk: string, count: number): Promise<string> {
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
  let answer = '';
  socket
    .on('error', () => undefined)
    .on('data', (part: Buffer) => {
      answer += part;
    });
  await once(socket, 'connect');
  const coded = `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n`);
  socket.end(`${coded.repeat(count)}0\r\n\r\n`);
  await once(socket, 'close');
  return answer;
}

it.each([
  ['of one byte', 'a', 50_000],
  ['of fifteen bytes', 'a'.repeat(15), 50_000],
])('are refused when they are %s each', async (_, chunk, count) => {
  read = 0;
  const answer = await answered(chunk, count);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain(
    '"detail":"The body comes in thousands of chunks of a few bytes; send longer ones, or a Content-Length."',
  );
  expect(read).toBeLessThanOrEqual(chunk.length * 5_000);
});

it.each([
  ['short lines', 'donor 1\tHomo sap\n', 50_000],
  ['few of one byte', 'a', 5_000],
])('are taken when they are %s', async (_, chunk, count) => {
  read = 0;
  expect(await answered(chunk, count)).toContain(`read ${chunk.length * count}`);
});
