/** The listening server: limits against slow and broken clients, and an orderly end. */
import { createServer, maxHeaderSize, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from '../observability/log.js';
import { connectionCame } from '../registry/time-slices.js';
import { oneAtATime } from './pipelined.js';
import { refuseTinyChunks, TINY_CHUNKS } from './tiny-chunks.js';

export interface ServeOptions {
  host: string;
  port: number;
  log: Logger;
}

export interface Listening {
  server: Server;
  /** Where it listens, without a slash at the end. */
  url: string;
  /**
   * From now on every answer ends its connection, so that a proxy takes leave of this process without losing a request
   * on a connection that it keeps. New ones are taken still.
   */
  leave(): void;
  /** Takes no more connections, lets running requests end for `graceMs`, then cuts the rest. May be called twice. */
  close(graceMs: number): Promise<void>;
}

const HEADERS_MS = 20_000;
/** Between two bytes of a connection; uploads may take as long as they like while bytes keep coming. */
const SILENCE_MS = 120_000;
/** How long a connection stays whose request could not be read, so that its answer arrives. */
const BROKEN_LINGER_MS = 1_000;
/** How long a connection is kept between two requests, as answers say. */
const KEEP_ALIVE_SECONDS = 65;
/** And how much longer in truth: a request that came in time, but waits for the event loop, is not cut off. */
const KEEP_ALIVE_ROOM_MS = 15_000;
const LOOK_EVERY_MS = 50;

/** @throws the system's error when the address cannot be taken */
export async function serve(app: RequestListener, { host, port, log }: ServeOptions): Promise<Listening> {
  const keepAliveTimeout = KEEP_ALIVE_SECONDS * 1000 + KEEP_ALIVE_ROOM_MS;
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: 0, keepAliveTimeout }, withinBounds(app));
  server.timeout = SILENCE_MS;
  let isLeaving = false;
  server.prependListener('request', (_, response) => {
    if (isLeaving) response.setHeader('Connection', 'close');
    else if (response.shouldKeepAlive) response.setHeader('Keep-Alive', `timeout=${KEEP_ALIVE_SECONDS}`);
  });
  server.on('clientError', refuseBroken);
  server.on('connection', connectionCame);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => log.error({ err: error }, 'server error'));
  let closed: Promise<void> | undefined;
  return {
    server,
    url: urlOf(server),
    leave: () => {
      isLeaving = true;
    },
    close: (graceMs) => {
      closed ??= end(server, graceMs);
      return closed;
    },
  };
}

/** What any request meets first, whatever it asks for. */
function withinBounds(app: RequestListener): RequestListener {
  const begin = oneAtATime(app);
  return (request, response) => {
    refuseTinyChunks(request, () => {
      if (response.headersSent) request.socket.destroy();
      else refuseBroken(Object.assign(new Error(TINY_CHUNKS), { code: TINY_CHUNKS }), request.socket);
    });
    begin(request, response);
  };
}

function end(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection that has just answered its last request is idle only now.
    const idle = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(cut);
      resolve();
    });
  });
}

const NOT_HTTP = 'The request could not be read as HTTP';

/** By what Node says of it. */
const BROKEN: Record<string, readonly [status: number, title: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    `${NOT_HTTP}: address and headers are longer than ${maxHeaderSize} bytes together. Ask with fewer filters at a time, or narrow the search otherwise.`,
  ],
  HPE_INVALID_URL: [
    400,
    'Bad Request',
    `${NOT_HTTP}: the address holds a character that stands in none. Write it percent-encoded, as UTF-8 (ü is %C3%BC, a blank %20); curl does so with -G --data-urlencode 'text=…'.`,
  ],
  [TINY_CHUNKS]: [
    400,
    'Bad Request',
    'The body comes in thousands of chunks of a few bytes; send longer ones, or a Content-Length.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', `${NOT_HTTP}: its headers did not come in time. Send it again.`],
};

/** What cannot even be parsed as a request gets a problem document too, where the connection still takes one. */
function refuseBroken(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, title, detail] = BROKEN[error.code ?? ''] ?? [400, 'Bad Request', `${NOT_HTTP}.`];
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, code: 'request.invalid', message: detail });
  // Whoever does not close its side after the answer is cut off.
  setTimeout(() => socket.destroy(), BROKEN_LINGER_MS).unref();
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
