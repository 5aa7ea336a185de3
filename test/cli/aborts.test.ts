/**
 * Who stops a request is heard, however long it has waited: for its answer, or for the rest of one.
 *
 * @module-tag slow
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { send } from '../../src/client/http.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it.each([
  ['the answer', () => undefined],
  ['the rest of the answer', (response: ServerResponse) => response.writeHead(200).write('begun')],
])('a request that waits for %s ends when it is stopped, whatever was collected as garbage', async (_, answer) => {
  const other = createServer((_request, response) => void answer(response)).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  for (const body of [undefined, 'sent']) {
    const stopping = new AbortController();
    const asked = once(other, 'request');
    const method = body === undefined ? 'GET' : 'POST';
    const request = { method, path: '/', signal: stopping.signal, ...(body === undefined ? {} : { body }) } as const;
    const text = send(url, undefined, request).then((response) => response.text());
    const ended = expect(text).rejects.toMatchObject({ name: 'AbortError' });
    await asked;
    for (let turn = 0; turn < 5; turn++) {
      collectGarbage();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    stopping.abort();
    await ended;
  }
  other.closeAllConnections();
  other.close();
});
