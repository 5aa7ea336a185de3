/** Which methods an address takes, and what is said of the others. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler, Router } from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { address, isRead, type Methods } from '../../../src/http/methods.js';

const close: (() => void)[] = [];
afterEach(() => {
  for (const each of close.splice(0)) each();
});

async function serviceWith(methods: Methods): Promise<(method: string) => Promise<Response>> {
  const router = Router();
  address(router, '/here', methods);
  const app = express().use(router);
  const failed: express.ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(405).json({ code: error.code, detail: error.message });
  };
  const server = createServer(app.use(failed));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close.push(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return (method) => fetch(`http://127.0.0.1:${port}/here`, { method });
}

const said: RequestHandler = (request, response) => void response.end(`${request.method} taken`);

describe('a method', () => {
  it('reads in letters of either case, or changes something', () => {
    expect(['GET', 'HEAD', 'OPTIONS', 'get', 'Head'].map(isRead)).toEqual([true, true, true, true, true]);
    expect(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', ''].map(isRead)).toEqual(Array(6).fill(false));
  });

  it('that an address takes is answered, HEAD where GET is', async () => {
    const ask = await serviceWith({ get: said, delete: said });
    expect(await (await ask('GET')).text()).toBe('GET taken');
    expect(await (await ask('DELETE')).text()).toBe('DELETE taken');
    expect((await ask('HEAD')).status).toBe(200);
  });

  it('that it does not take is refused with those that it takes', async () => {
    const ask = await serviceWith({ put: said, post: said });
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      const answer = await ask(method);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'OPTIONS, POST, PUT']);
    }
    expect(await (await ask('GET')).json()).toEqual({
      code: 'method.not-allowed',
      detail: 'GET is not taken here; this address takes OPTIONS, POST, PUT.',
    });
  });

  it('OPTIONS is answered with them, and nothing else', async () => {
    const ask = await serviceWith({ get: said });
    const answer = await ask('OPTIONS');
    expect([answer.status, answer.headers.get('allow'), await answer.text()]).toEqual([204, 'GET, HEAD, OPTIONS', '']);
  });
});
