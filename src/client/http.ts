import { failureOf, UnavailableError } from './failures.js';

export interface HttpRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** A list is given once for each of its values. */
  query?: Record<string, string | readonly string[] | undefined>;
  headers?: Record<string, string>;
  body?: string | (() => AsyncIterable<Uint8Array>);
  signal?: AbortSignal | undefined;
}

/** `fetch` takes a stream of bytes with `duplex`, which the library's types do not know yet. */
type StreamingInit = RequestInit & { duplex?: 'half' };

/**
 * Of the package, not of Node: that of Node 20 never settles when the other side takes a connection and closes it at once, as
 * the proxy of a service that is away does, and the program then ends in the midst without a word (exit code 13).
 */
async function loadFetch(): Promise<typeof globalThis.fetch> {
  const { fetch } = await import('undici');
  return fetch as unknown as typeof globalThis.fetch;
}

/**
 * One attempt. Resolves to the response when its status is below 400.
 * @throws RefusedError the service said no
 * @throws UnavailableError no connection, a broken one, or the service said "not now"
 */
export async function send(baseUrl: string, token: string | undefined, request: HttpRequest): Promise<Response> {
  const init: StreamingInit = {
    method: request.method ?? 'GET',
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...request.headers },
    // A redirect would carry the token to another host.
    redirect: 'error',
    ...(request.signal ? { signal: request.signal } : {}),
  };
  if (typeof request.body === 'function') {
    init.body = ReadableStream.from(request.body()) as NonNullable<RequestInit['body']>;
    init.duplex = 'half';
  } else if (request.body !== undefined) {
    init.body = request.body;
  }
  const response = await (await loadFetch())(address(baseUrl, request), init).catch((error: unknown) => {
    throw connectionFailure(error, baseUrl, request.signal);
  });
  if (response.status >= 400) throw await failureOf(response);
  return response;
}

/** Whether it is how `fetch` says that a body did not come to its end. */
export const isBroken = (error: unknown): boolean => error instanceof TypeError;

/** What a failure of the connection itself means; an abort of the caller's own stays what it is. */
export function connectionFailure(error: unknown, baseUrl: string, signal?: AbortSignal): unknown {
  if (signal?.aborted) return error;
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = reason instanceof Error ? reason.message || reason.name : String(reason);
  return new UnavailableError(`${baseUrl} cannot be reached: ${text}.`, { cause: error });
}

function address(baseUrl: string, request: HttpRequest): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    for (const one of value === undefined ? [] : [value].flat()) query.append(name, one);
  }
  const text = query.toString();
  return `${baseUrl.replace(/\/+$/, '')}${request.path}${text ? `?${text}` : ''}`;
}
