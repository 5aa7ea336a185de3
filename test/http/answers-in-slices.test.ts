/** Answers that are made piece by piece: others are answered in between, however short the whole is. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sendOrStream } from '../../src/http/respond.js';

const REQUESTS = 6;
const PIECES = 3;

it('makes one piece of those that begin and one of those that wait in a turn of the event loop', async () => {
  let made = 0;
  async function* pieces() {
    for (let at = 0; at < PIECES; at++) {
      for (const until = performance.now() + 25; performance.now() < until; );
      made += 1;
      yield 'piece ';
    }
  }
  const server = createServer((request, response) => sendOrStream(request, response, 'text/plain', pieces()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answers = Promise.all(
    Array.from({ length: REQUESTS }, () => fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text())),
  );
  const inTurns: number[] = [];
  while (made < REQUESTS * PIECES) {
    const before = made;
    await turn();
    inTurns.push(made - before);
  }
  expect(await answers).toEqual(Array.from({ length: REQUESTS }, () => 'piece '.repeat(PIECES)));
  expect(Math.max(...inTurns)).toBeLessThanOrEqual(2);
  server.close();
});
