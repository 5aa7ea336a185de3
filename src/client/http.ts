import { failureOf, RefusedError, UnavailableError } from './failures.js';
import { type Environment, proxyFor } from './proxy.js';

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
async function loadFetch(): Promise<{ fetch: typeof globalThis.fetch; Request: typeof globalThis.Request }> {
  const { fetch, Request } = await import('undici');
  return { fetch, Request } as unknown as { fetch: typeof globalThis.fetch; Request: typeof globalThis.Request };
}

/**
 * One attempt. Resolves to the response when its status is below 300.
 * @throws RefusedError the service said no, or is somewhere else for good
 * @throws UnavailableError no connection, a broken one, or the service said "not now"
 * @throws Error what is asked cannot be sent at all: no repetition would help
 */
export async function send(
  baseUrl: string,
  token: string | undefined,
  request: HttpRequest,
  environment: Environment = {},
): Promise<Response> {
  const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...request.headers };
  checkHeaders(headers);
  const { method = 'GET' } = request;
  const init: StreamingInit = {
    method,
    headers,
    // A redirect that is followed would carry the token to another host.
    redirect: 'manual',
    ...(request.signal ? { signal: request.signal } : {}),
  };
  const source = typeof request.body === 'function' ? new Source(request.body()) : undefined;
  if (source) {
    init.body = ReadableStream.from(source.read()) as NonNullable<RequestInit['body']>;
    init.duplex = 'half';
  } else if (typeof request.body === 'string') {
    init.body = request.body;
  }
  const { fetch, Request } = await loadFetch();
  const url = address(baseUrl, request);
  const proxy = await proxyFor(url, environment);
  if (proxy) init.dispatcher = proxy.dispatcher;
  // Says what cannot be sent at all. Not what is sent: a request that is made of another one no longer hears of an abort when
  // that one has been collected as garbage (nodejs/undici#4068).
  new Request(url, { method, headers });
  const response = await fetch(url, init).catch((error: unknown) => {
    throw source?.failure ?? connectionFailure(error, baseUrl, request.signal, proxy?.host);
  });
  if (response.status >= 300 && response.status < 400) throw await redirected(response, baseUrl);
  if (response.status >= 400) throw await failureOf(response);
  return response;
}

/** What is sent, which may fail by itself: a file that cannot be read says nothing about the service. */
class Source {
  failure: unknown;

  constructor(private readonly bytes: AsyncIterable<Uint8Array>) {}

  async *read(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.bytes;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

/** How those are called that whoever runs a program gives. */
const GIVEN: Record<string, string> = { authorization: 'The token', 'idempotency-key': 'The idempotency key' };

/** @throws Error for what no header can carry; it names the character, for the rest of it may be secret */
function checkHeaders(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    const [wrong] = /[^\t\x20-\x7e]/u.exec(value) ?? [];
    if (wrong === undefined) continue;
    const what = GIVEN[name] ?? `The header ${name}`;
    throw new Error(`${what} has the character ${JSON.stringify(wrong)}; only visible ASCII characters can be sent.`);
  }
}

async function redirected(response: Response, baseUrl: string): Promise<RefusedError | UnavailableError> {
  await response.body?.cancel();
  const { status } = response;
  const to = response.headers.get('location') ?? 'nowhere';
  const detail = `${baseUrl} sends on to ${to} (status ${status}), which is not followed, for the token would go there. Give the address at which the service itself answers.`;
  if (status === 301 || status === 308) return new RefusedError({ status, detail });
  return new UnavailableError(detail, { problem: { status, detail } });
}

/** Whether it is how `fetch` says that a body did not come to its end. */
export const isBroken = (error: unknown): boolean => error instanceof TypeError;

/** What a failure of the connection itself means; an abort of the caller's own stays what it is. */
export function connectionFailure(error: unknown, baseUrl: string, signal?: AbortSignal, proxy?: string): unknown {
  if (signal?.aborted) return error;
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = reason instanceof Error ? reason.message || reason.name : String(reason);
  const way = proxy === undefined ? '' : ` The environment names the proxy ${proxy}; NO_PROXY leaves hosts out.`;
  return new UnavailableError(`${baseUrl} cannot be reached: ${text}.${way}`, { cause: error });
}

function address(baseUrl: string, request: HttpRequest): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    for (const one of value === undefined ? [] : [value].flat()) query.append(name, one);
  }
  const text = query.toString();
  return `${baseUrl.replace(/\/+$/, '')}${request.path}${text ? `?${text}` : ''}`;
}
