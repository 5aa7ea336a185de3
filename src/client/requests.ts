/** How the client asks: with its token, again while the service is away, and page by page. */
import { RefusedError } from './failures.js';
import { connectionFailure, type HttpRequest, isBroken, send } from './http.js';
import type { Environment } from './proxy.js';
import { PATIENT, type Retry, type RetryPolicy, withRetries } from './retry.js';

export interface ClientOptions {
  /** Address of the service with its path prefix. */
  baseUrl: string;
  token?: string | undefined;
  /** The one that is kept by now, where it may be another than at the start: asked when the service refuses the present one. */
  keptToken?: (() => Promise<string | undefined>) | undefined;
  retry?: RetryPolicy;
  onRetry?: (retry: Retry) => void;
  signal?: AbortSignal;
  /** May name a proxy (proxy.ts). */
  environment?: Environment;
}

/** Items asked for at a time. */
const PAGE = 100;

interface ListPage<T> {
  _embedded?: Record<string, T[]>;
  _links: { next?: { href: string } };
}

/** @throws RefusedError, UnavailableError from every method */
export class Requests {
  private token: string | undefined;

  constructor(protected readonly options: ClientOptions) {
    this.token = options.token;
  }

  get baseUrl(): string {
    return this.options.baseUrl;
  }

  async json<T>(request: HttpRequest): Promise<T> {
    const headers = { accept: 'application/json', ...request.headers };
    return this.read({ ...request, headers }, (answer) => answer.json() as Promise<T>);
  }

  /** Follows the pages of a list by their cursors. */
  protected async *listed<T>(
    path: string,
    name: string,
    query: Record<string, string | string[]>,
    limit: number,
  ): AsyncGenerator<T> {
    let cursor: string | undefined;
    for (let left = limit; left > 0; ) {
      const size = String(Math.min(left, PAGE));
      const page: ListPage<T> = await this.json({ path, query: { ...query, size, cursor } });
      const items = page._embedded?.[name] ?? [];
      yield* items;
      left -= items.length;
      const next = page._links.next?.href;
      if (next === undefined || items.length === 0) return;
      cursor = new URL(next, this.options.baseUrl).searchParams.get('cursor') ?? undefined;
    }
  }

  request(request: HttpRequest): Promise<Response> {
    return this.repeat(() => this.once(request));
  }

  /** What `take` makes of the answer. One that breaks off on the way is asked for again, as one that never came. */
  read<T>(request: HttpRequest, take: (answer: Response) => Promise<T>): Promise<T> {
    return this.repeat(async () => {
      const answer = await this.once(request);
      return take(answer).catch((error: unknown) => {
        throw isBroken(error) ? connectionFailure(error, this.baseUrl, this.options.signal) : error;
      });
    });
  }

  /** One attempt; a second with the token that was kept since, where the present one has ended. */
  async once(request: HttpRequest): Promise<Response> {
    const { token } = this;
    try {
      return await this.sent(request, token);
    } catch (error) {
      if (!(error instanceof RefusedError && error.status === 401)) throw error;
      const kept = await this.options.keptToken?.();
      if (kept === undefined || kept === token) throw error;
      this.token = kept;
      return this.sent(request, kept);
    }
  }

  private sent(request: HttpRequest, token: string | undefined): Promise<Response> {
    const { baseUrl, signal, environment } = this.options;
    return send(baseUrl, token, { signal, ...request }, environment);
  }

  /** Within the retry policy. */
  repeat<T>(attempt: () => Promise<T>): Promise<T> {
    return withRetries(attempt, this.options.retry ?? PATIENT, this.options);
  }
}
