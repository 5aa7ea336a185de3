/** Writes answers with Node's own response: exact header spellings, and nothing done per request that need not be. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { timeSlices } from '../registry/time-slices.js';
import { holdRead } from './held-room.js';
import { baseName, shortName } from './uploads/file-names.js';

/** One JSON or text answer. HEAD gets the headers alone. @throws RegistryError rate.limited for a long one of a client that does not take those before */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string,
): void {
  const length = Buffer.byteLength(body);
  holdRead(request, response, length);
  response.statusCode = status;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', length);
  response.end(request.method === 'HEAD' ? undefined : body);
}

export function sendEmpty(response: ServerResponse, status: number): void {
  response.statusCode = status;
  response.end();
}

/**
 * Streams text or bytes as fast as the client reads and no faster; others are answered in between. The first piece is awaited before the
 * status goes out, so that a failure at the start is still a problem document; a later one cuts the connection. For HEAD no more is made.
 * For a client that left meanwhile it ends, and so do the pieces.
 */
export async function stream(
  request: IncomingMessage,
  response: ServerResponse,
  contentType: string,
  pieces: AsyncIterable<string | Buffer>,
): Promise<void> {
  response.setHeader('Content-Type', contentType);
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (response.destroyed || request.method === 'HEAD') {
    await iterator.return?.();
    if (!response.destroyed) response.end();
    return;
  }
  const whole = Readable.from(resume(first, iterator), { objectMode: false, highWaterMark: 64 * 1024 });
  const closed = once(response, 'close');
  pipeline(whole, response, () => undefined);
  await closed;
}

async function* resume<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncGenerator<T> {
  const nextSlice = timeSlices();
  try {
    for (let step = first; !step.done; step = await rest.next()) {
      yield step.value;
      await nextSlice();
    }
  } finally {
    await rest.return?.();
  }
}

/** Answers up to this are sent with their length, in one piece. */
const WHOLE_CHARACTERS = 1024 * 1024;

/**
 * A text of whatever length, with the status that was set: whole when it is short, so that a failure on its way is still a problem document,
 * else as fast as the client reads.
 */
export async function sendOrStream(
  request: IncomingMessage,
  response: ServerResponse,
  contentType: string,
  pieces: AsyncGenerator<string>,
): Promise<void> {
  const nextSlice = timeSlices();
  let text = '';
  for (;;) {
    await nextSlice();
    const step = await pieces.next();
    if (step.done) break;
    text += step.value;
    if (text.length > WHOLE_CHARACTERS) {
      try {
        holdRead(request, response, text.length);
      } catch (error) {
        await pieces.return(undefined);
        throw error;
      }
      const first = { done: false, value: text } as const;
      return stream(request, response, contentType, resume(first, pieces));
    }
  }
  send(request, response, response.statusCode, contentType, text);
}

const MAX_NAME = 150;
const ATTR_CHAR = /[A-Za-z0-9!#$&+.^_`|~-]/;

/**
 * `attachment` with a file name that came from a user, in the two spellings of RFC 6266: plain ASCII for old clients,
 * UTF-8 (RFC 8187) for the rest. No path, quote, control or bidirectional mark survives.
 */
export function attachment(fileName: string): string {
  const safe = shortName(baseName(fileName), MAX_NAME) || 'download';
  const ascii = safe.replace(/[^\x20-\x7e]|["%]/g, '_');
  const utf8 = [...Buffer.from(safe, 'utf8')].map((byte) => {
    const char = String.fromCharCode(byte);
    return ATTR_CHAR.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  });
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8.join('')}`;
}
