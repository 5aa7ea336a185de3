import { signedInAccount, untilSignedIn } from './ended-session.js';
import { noteAnswerTime } from './server-clock.js';

/** The page stands one level below the service: `{base}/page/`. Works under any base path and behind any proxy. */
export const serviceRoot = new URL('../', document.baseURI);

/** Address of a path of the service, `/samples?size=20` say. */
export const address = (path: string): string => new URL(path.replace(/^\//, ''), serviceRoot).href;

/** RFC 9457, as every refusal of the service is spelt. */
export interface Problem {
  title?: string;
  status?: number;
  detail?: string;
  code?: string;
  message?: string;
  line?: number;
  column?: string;
  submissionId?: string;
  /** Of a file that came before: what it was uploaded with otherwise, and what can be done now. */
  differingOptions?: string[];
  changedSamples?: { line: number; accession: string }[];
  offers?: { action: string; consequence: string }[];
  /** Of a sheet without a Sample Name: headers of columns that could name the samples. */
  nameColumns?: string[];
  /** Of an archive of several tables: their names. */
  tables?: string[];
  errors?: { dataPath: string; errors: string[] }[];
}

/** The service answered, and refused. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.detail ?? problem.message ?? problem.title ?? `The server answered ${status}.`);
    this.name = 'ApiProblem';
  }
}

/** Not the service but what stands before it says that nothing answers: the service's own refusals have a code. */
export const isAway = (error: unknown): boolean =>
  error instanceof ServerAway ||
  (error instanceof ApiProblem && error.status >= 502 && error.problem.code === undefined);

/** Asked again, the service would say the same; not so where it is away, busy or has a fault. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status < 500 && error.status !== 429;

/** No answer came at all. */
export class ServerAway extends Error {
  constructor() {
    super('The server does not answer. Your data is safe; check the connection and try again.');
    this.name = 'ServerAway';
  }
}

export interface Answer<T> {
  body: T;
  status: number;
  headers: Headers;
}

export interface RequestOptions {
  method?: string;
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/**
 * A request that is refused because the session has ended is repeated once somebody has signed in again.
 * @throws ApiProblem, ServerAway
 */
export const request = <T>(path: string, options: RequestOptions = {}): Promise<Answer<T>> =>
  inSession(() => requestOnce<T>(path, options), options.signal);

/** Whatever `send` sends, repeated when the session had ended and somebody has signed in again. */
export async function inSession<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(await sessionHasEnded(error))) throw error;
    await untilSignedIn(error, signal);
    return send();
  }
}

/** Without a session some things are not found to be missing a sign-in, but to be somebody else's: 403. */
async function sessionHasEnded(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiProblem) || signedInAccount() === undefined) return false;
  if (error.status === 401) return true;
  if (error.status !== 403) return false;
  return requestOnce('/me').then(
    () => false,
    (refused) => refused instanceof ApiProblem && refused.status === 401,
  );
}

/** As `request`, for what is asked before or without a sign-in. @throws ApiProblem, ServerAway */
export async function requestOnce<T>(path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  const init: RequestInit = {
    method: options.method ?? 'GET',
    headers: { Accept: 'application/json', ...options.headers },
    credentials: 'same-origin',
    cache: 'no-cache',
  };
  if (options.signal) init.signal = options.signal;
  if (options.json !== undefined) {
    init.body = JSON.stringify(options.json);
    init.headers = { ...init.headers, 'Content-Type': 'application/json' };
  }
  if (options.form) init.body = options.form;
  const response = await send(address(path), init);
  noteAnswerTime(response.headers);
  const text = await response.text();
  const { status, headers } = response;
  if (!response.ok) throw text === '' ? wordlessProblem(status, headers) : problemOf(status, text);
  if (text !== '' && !/[/+]json/.test(headers.get('content-type') ?? '')) {
    throw new ApiProblem(status, { detail: 'The server answered with something that is not JSON.' });
  }
  return { body: (text === '' ? undefined : JSON.parse(text)) as T, status, headers };
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ServerAway();
  }
}

export function problemOf(status: number, text: string): ApiProblem {
  try {
    return new ApiProblem(status, JSON.parse(text) as Problem);
  } catch {
    return new ApiProblem(status, { status });
  }
}

/** The answer to a HEAD has no body, and so no words: what its status and its headers say. */
function wordlessProblem(status: number, headers: Headers): ApiProblem {
  const seconds = headers.get('Retry-After');
  // Without a time to come back it is not the service that answers.
  if (seconds === null || !/^\d+$/.test(seconds)) return problemOf(status, '');
  const why =
    status === 429
      ? 'Too much is being asked for at the same time, by you or by others.'
      : 'The service cannot do this just now.';
  return new ApiProblem(status, { code: 'no words', detail: `${why} Try again in ${seconds} s.` });
}

/** The body of a GET, and only that. */
export const get = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (await request<T>(path, { signal })).body;

/** Cursor of the page behind this one, where there is one. */
export function nextCursor({
  _links: { next },
}: {
  _links: { next?: { href: string } | undefined };
}): string | undefined {
  return next === undefined
    ? undefined
    : (new URL(next.href, document.baseURI).searchParams.get('cursor') ?? undefined);
}

/** `?a=1&b=2`, without the members that are undefined or empty; arrays repeat their member. */
export function query(members: Record<string, string | number | undefined | readonly string[]>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
