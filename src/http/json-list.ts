/** A list of samples, the JSON body of a request: each within the limits of a single one, the list within its own. */
import type { IncomingMessage } from 'node:http';
import { RegistryError } from '../registry/errors.js';
import { type JsonItem, jsonFormOf, jsonItems, parseItem } from '../registry/json-items.js';
import { timeSlices } from '../registry/time-slices.js';
import type { InTurn } from './request-turns.js';

/** Samples of one request. More go as a file to POST /submissions. */
export const MAX_LISTED = 500;
export const MAX_LIST_BYTES = 8 * 1024 * 1024;
const LOOKED_AT = 1000;

export interface JsonList {
  bodies: unknown[];
  /** It was one object and no list. */
  single: boolean;
}

/** @throws RegistryError body.too-large, request.invalid naming the item, from 0 as in `errors` */
export async function parseJsonList(
  bytes: Buffer,
  maxItemBytes: number,
  request: IncomingMessage,
  inTurn: InTurn,
): Promise<JsonList> {
  await inTurn(request);
  const single = jsonFormOf(bytes.subarray(0, LOOKED_AT)) !== 'array';
  const bodies: unknown[] = [];
  try {
    for await (const { items } of jsonItems(single ? wrapped(bytes) : once(bytes), 'array', {
      maxBytes: maxItemBytes,
    })) {
      if (bodies.length + items.length > MAX_LISTED) throw tooMany();
      for (const item of items) {
        bodies.push(bodyOf(item, single));
        await inTurn(request);
      }
    }
  } catch (error) {
    if (error instanceof RegistryError && error.code === 'file.not-understood')
      throw new RegistryError('request.invalid', `The body is no JSON list of samples. ${error.message}`);
    throw error;
  }
  if (bodies.length === 0) throw invalid('The body', 'It holds no sample; send a list with one object for each.');
  return { bodies, single };
}

/** @throws RegistryError request.invalid */
function bodyOf(item: JsonItem, single: boolean): unknown {
  const what = single ? 'The body' : `Sample ${item.line - 1} of the list`;
  if (single && item.line > 1) throw invalid(what, 'Something follows the object; send several in a list [ ].');
  const parsed = parseItem(item);
  if ('fault' in parsed) throw invalid(what, parsed.fault);
  return parsed.value;
}

/** A list as JSON text, printed while others are answered in between. */
export async function listText(items: readonly unknown[]): Promise<string> {
  const nextSlice = timeSlices();
  const texts: string[] = [];
  for (const item of items) {
    texts.push(JSON.stringify(item));
    await nextSlice();
  }
  return `[${texts.join(',')}]`;
}

/** In pieces, so that no long list is split in one step. */
async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  const nextSlice = timeSlices();
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield bytes.subarray(at, at + PIECE);
    await nextSlice();
  }
}

const PIECE = 256 * 1024;

async function* wrapped(bytes: Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from('[');
  yield* once(bytes);
  yield Buffer.from(']');
}

const invalid = (what: string, fault: string): RegistryError =>
  new RegistryError('request.invalid', `${what} cannot be taken. ${fault}`);

const tooMany = (): RegistryError =>
  new RegistryError(
    'body.too-large',
    `The list holds more than ${MAX_LISTED} samples; send them in several requests, or as a file to POST /submissions.`,
  );
