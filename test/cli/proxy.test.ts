/**
 * Through a proxy of the institute, as the environment names it, and past it.
 *
 * @module-tag slow
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, request as send } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.js';
import { plainSheet } from '../support/plain-sheet.js';
import { SharedServer } from '../support/shared-server.js';

/** What is asked of it, whatever host it is of, it asks of the service. */
class PassingProxy {
  readonly asked: string[] = [];
  #server: Server;

  constructor(service: URL) {
    const on = { host: service.hostname, port: Number(service.port) };
    this.#server = createServer((request, response) => {
      this.#note(request, request.url ?? '');
      const { pathname, search } = new URL(request.url ?? '');
      const passed = send({ ...on, method: request.method, path: `${pathname}${search}`, headers: request.headers });
      passed.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(passed);
    });
    this.#server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
      this.#note(request, `CONNECT ${request.url}`);
      if (request.url?.startsWith('forbidden.')) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      const through = connect(on, () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        through.write(head);
        through.pipe(client).pipe(through);
      });
      for (const socket of [through, client]) socket.on('error', () => undefined);
    });
  }

  #note({ headers }: IncomingMessage, what: string): void {
    const by = headers['proxy-authorization'];
    this.asked.push(by === undefined ? what : `${what} by ${Buffer.from(by.slice(6), 'base64')}`);
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

let server: SharedServer;
let proxy: PassingProxy;
let address: string;
let folder: string;
let token: string;
beforeAll(async () => {
  server = await SharedServer.of('proxy');
  token = await server.token('ada');
  folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  proxy = new PassingProxy(new URL(server.url));
  address = await proxy.open();
});
afterAll(() => {
  proxy.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  proxy.asked.length = 0;
});

const run = (args: string[], url: string, env: Record<string, string>) =>
  runCommand([...args, '--give-up-after', '0'], {
    cwd: folder,
    env: { HOME: folder, SAMPLE_REGISTRY_TOKEN: token, SAMPLE_REGISTRY_URL: url, ...env },
  });
/** Nobody but the proxy knows this name. */
const afar = (): string => {
  const { port, pathname } = new URL(server.url);
  return `http://registry.example:${port}${pathname.replace(/\/$/, '')}`;
};

describe('through a proxy', () => {
  it.each([
    ['HTTP_PROXY', () => `http://${address}`],
    ['http_proxy', () => `http://${address}/`],
    ['HTTP_PROXY', () => address],
  ])('%s: a file is sent, and its result comes back', async (name, value) => {
    const file = `${name}${Math.random()}.tsv`;
    writeFileSync(join(folder, file), plainSheet({ tag: file, rows: 3 }));
    const sent = await run(['upload', file, '--wait', '--result', 'result.tsv'], afar(), { [name]: value() });
    expect([sent.code, sent.stderr]).toEqual([0, '']);
    expect(readFileSync(join(folder, 'result.tsv'), 'utf8')).toMatch(/SAMR\d+/);
    expect(proxy.asked.length).toBeGreaterThan(1);
    for (const asked of proxy.asked) expect(asked).toMatch(/^http:\/\/registry\.example:\d+\//);
  });

  it('says who asks, where its address does', async () => {
    const { code } = await run(['list'], afar(), { HTTP_PROXY: `http://lab:se%20cret@${address}` });
    expect(code).toBe(0);
    expect(proxy.asked).toEqual([expect.stringMatching(/ by lab:se cret$/)]);
  });

  it('is a tunnel for https', async () => {
    const { code, stderr } = await run(['list'], 'https://registry.example', { HTTPS_PROXY: `http://${address}` });
    expect(proxy.asked[0]).toBe('CONNECT registry.example:443');
    // What answers at the other end here does not speak it.
    expect([code, stderr]).toEqual([3, expect.stringContaining('https://registry.example cannot be reached')]);
  });

  it.each([
    ['that refuses', 'https://forbidden.example', () => `http://me:secret@${address}`],
    ['that is away', 'https://registry.example', () => 'http://me:secret@127.0.0.1:9'],
  ])('%s: the message names it, and not its password', async (_, url, value) => {
    const { code, stderr } = await run(['list'], url, { HTTPS_PROXY: value() });
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /cannot be reached: .* The environment names the proxy 127\.0\.0\.1:\d+; NO_PROXY leaves hosts out\./,
    );
    expect(stderr).not.toContain('secret');
  });

  it.each(['socks5://proxy.example:1080', 'http://'])('no proxy is called %s', async (value) => {
    const { code, stderr } = await run(['list'], afar(), { HTTP_PROXY: value });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('HTTP_PROXY is no address of a proxy; give one such as'),
    ]);
    expect(stderr).not.toContain('Trying again');
  });
});

describe('past a proxy', () => {
  it.each([
    ['of another kind of address', () => afar(), () => ({ HTTPS_PROXY: `http://${address}` }), 3],
    ['for a host of NO_PROXY', () => afar(), () => ({ HTTP_PROXY: address, NO_PROXY: 'other.example, .example' }), 3],
    ['for this machine', () => server.url, () => ({ HTTP_PROXY: address, HTTPS_PROXY: address }), 0],
    ['that is set to nothing', () => server.url.replace('127.0.0.1', 'localhost'), () => ({ HTTP_PROXY: ' ' }), 0],
  ])('%s', async (_, url, env, expected) => {
    const { code } = await run(['list'], url(), env());
    expect(code).toBe(expected);
    expect(proxy.asked).toEqual([]);
  });
});
