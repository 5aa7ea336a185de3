/** Files that are printed while they are sent: whoever takes many slowly holds so much of the service's memory and no more. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { downloads } from '../../src/http/downloads.js';
import { ROOT } from '../support/output.js';

const BLOCK = Buffer.alloc(1024 * 1024);
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

it('of one account wait for their turn, those of others do not, and who leaves gives its place back', async () => {
  const begun: string[] = [];
  const answered: Promise<unknown>[] = [];
  const download = downloads({ ofOne: 2, inAll: 3 }, { ofOne: 1, inAll: 5 });
  server = createServer((request, response) => {
    const [, account = '', blocks = ''] = (request.url ?? '').split('/');
    async function* pieces() {
      begun.push(account);
      for (let at = 0; at < Number(blocks); at++) yield BLOCK;
    }
    const done = download(request, response, account, 'text/plain', pieces).catch((error: Error) => {
      response.statusCode = 429;
      response.end(error.message);
    });
    answered.push(done);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string) => {
    const request = get({ port, host: '127.0.0.1', path, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  };
  const whole = async (response: IncomingMessage) =>
    (await response.toArray()).reduce((sum, part) => sum + part.length, 0);

  const slow = [await ask('/slow/100'), await ask('/slow/100')];
  const third = ask('/slow/2');
  expect(await whole(await ask('/other/3'))).toBe(3 * BLOCK.length);
  expect(begun).toEqual(['slow', 'slow', 'other']);
  const refused = await ask('/slow/1');
  expect([refused.statusCode, String(await refused.toArray())]).toEqual([
    429,
    '1 downloads of yours wait for their turn already; take those first, or try again in 10 s.',
  ]);
  slow[0]?.destroy();
  expect(await whole(await third)).toBe(2 * BLOCK.length);
  slow[1]?.destroy();
  await Promise.all(answered);
  for (const again of await Promise.all([ask('/slow/1'), ask('/slow/1')]))
    expect(await whole(again)).toBe(BLOCK.length);
});

it('are what no route streams but in a place: whole results alone, which have places of their own', () => {
  const streaming = readdirSync(join(ROOT, 'src/http'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => /\bstream\(request/.test(readFileSync(join(ROOT, 'src/http', name), 'utf8')));
  expect(streaming.sort()).toEqual(['downloads.ts', 'respond.ts', 'routes/kept-exports.ts', 'routes/sample-export.ts']);
});
