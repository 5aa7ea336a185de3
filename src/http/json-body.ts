/** Reads a JSON body within its limits: media type, size, encoding, depth, members given twice. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parse } from 'content-type';
import { RegistryError } from '../registry/errors.js';
import { findJsonFault } from '../registry/json-fault.js';
import { Blocks } from './blocks.js';
import { FREE_BYTES, holdBody } from './held-room.js';
import type { InTurn } from './request-turns.js';

const TAKEN = new Set(['application/json', 'application/hal+json']);

/** @throws RegistryError media-type.unsupported, body.too-large, request.invalid, rate.limited */
export function readJsonBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  checkMediaType(request);
  return readBody(request, maxBytes);
}

/**
 * What a body says. Names such as `__proto__` are own members like any other.
 * @throws RegistryError request.invalid
 */
export async function parseJson(bytes: Buffer, request: IncomingMessage, inTurn: InTurn): Promise<unknown> {
  await inTurn(request);
  if (!isUtf8(bytes))
    throw new RegistryError('request.invalid', 'The body is not valid UTF-8; save or send it as UTF-8.');
  const text =
    bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.toString('utf8', 3) : bytes.toString('utf8');
  if (text.trim() === '') throw new RegistryError('request.invalid', 'The body is empty; send a JSON object.');
  const fault = findJsonFault(text);
  if (fault) throw new RegistryError('request.invalid', `The JSON body cannot be taken. ${fault}`);
  await inTurn(request);
  try {
    const body: unknown = JSON.parse(text);
    await inTurn(request);
    return body;
  } catch (error) {
    throw new RegistryError(
      'request.invalid',
      `The body is not valid JSON: ${(error as Error).message.slice(0, 200)}.`,
    );
  }
}

function checkMediaType(request: IncomingMessage): void {
  const given = request.headers['content-type'];
  const { type, parameters } = parse(given ?? '');
  if (!TAKEN.has(type)) {
    throw new RegistryError(
      'media-type.unsupported',
      `The Content-Type is ${JSON.stringify(given ?? '')}; send application/json or application/hal+json.`,
    );
  }
  const charset = parameters.charset?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    throw new RegistryError(
      'media-type.unsupported',
      `The charset is ${JSON.stringify(charset)}; JSON is sent as UTF-8.`,
    );
  }
  refuseCoding(request, 'body');
}

/** @throws RegistryError media-type.unsupported for what is compressed on its way */
export function refuseCoding(request: IncomingMessage, what: 'body' | 'file'): void {
  const coding = request.headers['content-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'identity') return;
  throw new RegistryError(
    'media-type.unsupported',
    `The Content-Encoding is ${JSON.stringify(coding)}; send the ${what} as it is.`,
  );
}

/** So many bytes that say nothing may come where no body is read: nothing, blanks, an empty object. */
const NOTHING_BYTES = 64;

/**
 * Where everything is said in the address, what a body says besides would be passed over in silence.
 * @throws RegistryError request.invalid
 */
export async function refuseBody(request: IncomingMessage, instead: string): Promise<void> {
  const said = () => new RegistryError('request.invalid', `This address reads no body: ${instead}`);
  const body = await readBody(request, NOTHING_BYTES).catch((error: unknown) => {
    throw error instanceof RegistryError && error.code === 'body.too-large' ? said() : error;
  });
  if (!['', '{}'].includes(body.toString().replace(/\s+/g, ''))) throw said();
}

/** @throws RegistryError body.too-large as soon as the declared or the received length passes the limit; rate.limited */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    new RegistryError(
      'body.too-large',
      `The body is larger than ${maxBytes} bytes; upload a file to /submissions for many samples.`,
    );
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const cut = () => new RegistryError('request.invalid', 'The connection ended before the body was whole.');
  // Who has left while the caller was looked up is not heard of any more.
  if (request.destroyed) throw cut();
  const declared = Number(request.headers['content-length'] ?? maxBytes);
  const chunks = new Blocks();
  let size = 0;
  // Listeners and not `for await`: leaving the loop early would destroy the connection before the answer is out.
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      const before = size;
      size += chunk.length;
      try {
        if (size > maxBytes) throw tooLarge();
        if (before <= FREE_BYTES && size > FREE_BYTES) holdBody(request, declared);
        chunks.add(chunk);
      } catch (error) {
        request.removeAllListeners('data');
        reject(error);
      }
    });
    request.once('end', resolve);
    request.once('error', () => reject(cut()));
    request.once('close', () => reject(cut()));
  });
  return chunks.whole();
}
