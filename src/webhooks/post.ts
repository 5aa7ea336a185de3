import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { readRetryAfter } from '../retry-after.js';
import { ForbiddenAddressError, guardedLookup, isPublicAddress, literalAddress } from './address-guard.js';

export interface PostOptions {
  /** Lets webhooks reach private and loopback addresses. */
  allowPrivate: boolean;
  timeoutMs: number;
  /** Ends the attempt; it then fails. */
  signal?: AbortSignal | undefined;
  /** Instead of the name servers; where private addresses are allowed, of the system's lookup, which knows names of its own network. */
  lookup?: LookupFunction | undefined;
}

export interface ReceiverAnswer {
  status: number;
  /** How long the receiver asks to be left alone. */
  retryAfterMs?: number;
}

export class NoAnswerError extends Error {
  constructor(timeoutMs: number) {
    super(`The receiver did not answer within ${timeoutMs / 1000} s.`);
    this.name = 'NoAnswerError';
  }
}

/**
 * Answers for the time being (1xx) before the one that counts. Each costs the thread that serves everybody; a receiver that sends nothing
 * else, as fast as the line takes it, would keep everybody waiting until the attempt ends.
 */
const MOST_INTERIM = 20;

export class InterimAnswersError extends Error {
  constructor() {
    super(`The receiver sent more than ${MOST_INTERIM} answers for the time being (1xx), and no other.`);
    this.name = 'InterimAnswersError';
  }
}

/**
 * Posts JSON on a connection of its own and resolves to the head of the answer, whose body is not read. Redirects
 * are answers like any other: they are not followed.
 * @throws ForbiddenAddressError, or what the connection failed with
 */
export async function post(
  address: string,
  body: string,
  headers: Record<string, string>,
  options: PostOptions,
): Promise<ReceiverAnswer> {
  const url = new URL(address);
  const literal = literalAddress(url);
  if (literal !== undefined && !options.allowPrivate && !isPublicAddress(literal))
    throw new ForbiddenAddressError(literal, literal);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      agent: false,
      ...(options.signal ? { signal: options.signal } : {}),
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'sample-registry-webhook',
        ...headers,
      },
      ...lookupOf(options),
    });
    const timer = setTimeout(() => request.destroy(new NoAnswerError(options.timeoutMs)), options.timeoutMs);
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > MOST_INTERIM) request.destroy(new InterimAnswersError());
    });
    const answered = (response: IncomingMessage): void => {
      const retryAfterMs = readRetryAfter(response.headers['retry-after']);
      resolve({ status: response.statusCode ?? 0, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
      response.socket.destroy();
    };
    // An attempt that nothing ends keeps its place among those under way for ever.
    request.once('close', () => {
      clearTimeout(timer);
      reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    });
    request.once('error', reject);
    request.once('response', answered);
    // 101 with a protocol to change to.
    request.once('upgrade', answered);
    if (!options.allowPrivate) refuseForbiddenPeer(request, url.hostname);
    request.end(body);
  });
}

function lookupOf({ allowPrivate, lookup }: PostOptions): { lookup?: LookupFunction } {
  if (!allowPrivate) return { lookup: guardedLookup(lookup) };
  return lookup ? { lookup } : {};
}

/** The last word has the connection itself: whatever chose the address, nothing is sent to a forbidden one. */
function refuseForbiddenPeer(request: ClientRequest, host: string): void {
  request.once('socket', (socket) => {
    socket.once('connect', () => {
      const peer = socket.remoteAddress ?? '';
      if (!isPublicAddress(peer)) request.destroy(new ForbiddenAddressError(host, peer));
    });
  });
}
