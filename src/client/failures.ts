import { readRetryAfter } from '../retry-after.js';
import type { ProblemDocument } from './documents.js';

/** The service understood the request and said no; sending it again as it is will not help. */
export class RefusedError extends Error {
  constructor(readonly problem: ProblemDocument) {
    super(problem.detail ?? problem.title ?? `The service answered ${problem.status}.`);
    this.name = 'RefusedError';
  }

  get status(): number {
    return this.problem.status;
  }
}

/** The service is away, busy or broken; the same request may succeed later. */
export class UnavailableError extends Error {
  /** Milliseconds that the service asked to be left alone, when it said so. */
  readonly retryAfterMs: number | undefined;
  readonly problem: ProblemDocument | undefined;

  constructor(message: string, detail: { retryAfterMs?: number; problem?: ProblemDocument; cause?: unknown } = {}) {
    super(message, { cause: detail.cause });
    this.name = 'UnavailableError';
    this.retryAfterMs = detail.retryAfterMs;
    this.problem = detail.problem;
  }
}

/** Answers that say "not now" rather than "no". */
const NOT_NOW = new Set([408, 425, 429, 500, 502, 503, 504, 507]);

/** The failure that a response with status ≥ 400 stands for; reads its body. */
export async function failureOf(response: Response): Promise<RefusedError | UnavailableError> {
  const problem = readProblem(response, await response.text().catch(() => ''));
  if (!NOT_NOW.has(response.status)) return new RefusedError(problem);
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
  return new UnavailableError(problem.detail ?? problem.title ?? `The service answered ${response.status}.`, {
    problem,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function readProblem(response: Response, text: string): ProblemDocument {
  const fallback = { status: response.status, title: response.statusText || `Status ${response.status}` };
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null
      ? { ...fallback, ...parsed, status: response.status }
      : fallback;
  } catch {
    return fallback;
  }
}
