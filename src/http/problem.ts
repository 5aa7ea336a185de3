/** Every failure leaves as one shape, `application/problem+json` (RFC 9457). The only map from error codes to statuses. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../observability/log.js';
import { ERRORS, type ErrorCode, type MemberProblem, RegistryError } from '../registry/errors.js';
import { machineFault } from '../registry/machine-fault.js';

/** A code without a status here does not compile. */
export const STATUS = {
  'request.invalid': 400,
  'auth.required': 401,
  'auth.password-change': 403,
  'auth.forbidden': 403,
  'not-found': 404,
  'method.not-allowed': 405,
  'not-acceptable': 406,
  'media-type.unsupported': 415,
  'body.too-large': 413,
  conflict: 409,
  'precondition.failed': 412,
  'sample.invalid': 422,
  // Clients of the reference system's second version read the members of a 400.
  'samples.invalid': 400,
  'edit.no-samples': 422,
  'sample.not-found': 404,
  'sample.not-owned': 403,
  'sample.private': 403,
  'sample.erased': 410,
  'sample.accession-mismatch': 400,
  'sample.key-reused': 422,
  'sample.accession-given': 400,
  'curation.invalid': 422,
  'curation.limit': 409,
  'data.invalid': 422,
  'data.limit': 409,
  'changes.gone': 410,
  'checklist.unknown': 422,
  'checklist.unreadable': 500,
  'file.not-understood': 422,
  'file.encoding': 422,
  'file.quote-unclosed': 422,
  'file.receipt-unclosed': 422,
  'file.header': 422,
  'file.wrong-kind': 422,
  'file.empty': 422,
  'file.too-many-rejected': 422,
  'file.too-many-open': 422,
  'file.checksum': 422,
  'file.too-large': 413,
  'submission.not-found': 404,
  'submission.same-file-other-options': 409,
  'submission.outcomes-gone': 410,
  'submission.final': 409,
  'submission.key-reused': 422,
  'submission.attempts-used-up': 422,
  'claim.lost': 409,
  'range.unsatisfiable': 416,
  'rate.limited': 429,
  'service.unavailable': 503,
  'storage.full': 507,
  'storage.damaged': 500,
  internal: 500,
} as const satisfies Record<ErrorCode, number>;

export interface ProblemDocument {
  /** Reference to a page about the code. */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** Stable; clients decide by it. */
  code: string;
  /** Same as `detail`; clients of the field read it. */
  message: string;
  errors?: MemberProblem[];
  [member: string]: unknown;
}

export interface ProblemContext {
  log: Logger;
  /** Path before every address. */
  basePath: string;
}

/** Seconds named to clients that should come back. */
const RETRY_AFTER = { 429: 10, 503: 5, 507: 60 } as const;

/** Answers with the problem. An unexpected error is logged under an id; the client gets the id and nothing of its insides. */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  context: ProblemContext,
): void {
  const { known, problem } = problemOf(request, error, context);
  if (response.headersSent) {
    // Part of an answer is out: cutting the connection is the only way left to say that it is not whole.
    if (known) context.log.warn({ code: known.code, url: pathOf(request) }, 'answer cut short');
    response.destroy();
    return;
  }
  for (const name of response.getHeaderNames()) {
    if (/^(content-(?!security-policy)|etag$|cache-control$|last-modified$|accept-ranges$)/.test(name))
      response.removeHeader(name);
  }
  response.statusCode = problem.status;
  setProblemHeaders(response, { known, problem });
  const body = JSON.stringify(problem);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(request.method === 'HEAD' ? undefined : body);
}

export interface Problem {
  problem: ProblemDocument;
  /** Absent: nobody expected it. */
  known: RegistryError | undefined;
}

/** What the client reads of a failure; one that is unexpected or the machine's is logged. */
export function problemOf(request: IncomingMessage, error: unknown, context: ProblemContext): Problem {
  const known = expectedFailure(error) ?? ofTheMachine(request, error, context);
  return { known, problem: known ? describe(known, context.basePath) : unexpected(request, error, context) };
}

/** Nobody's bug, and the operators' to see. */
function ofTheMachine(request: IncomingMessage, error: unknown, { log }: ProblemContext): RegistryError | undefined {
  const fault = machineFault(error);
  if (fault) log.error({ err: error, method: request.method, url: pathOf(request) }, 'the machine fails');
  return fault;
}

/** Type, cache and what belongs to the status. */
export function setProblemHeaders(response: ServerResponse, { problem, known: error }: Problem): void {
  response.setHeader('Content-Type', 'application/problem+json');
  response.setHeader('Cache-Control', 'no-store');
  if (problem.status === 401) {
    const refused = error?.detail.extra?.tokenRefused === true;
    response.setHeader(
      'WWW-Authenticate',
      refused ? 'Bearer realm="sample registry", error="invalid_token"' : 'Bearer realm="sample registry"',
    );
  }
  if (problem.status === STATUS['range.unsatisfiable']) {
    response.setHeader('Content-Range', `bytes */${error?.detail.extra?.size}`);
  }
  if (problem.status in RETRY_AFTER) {
    const asked = error?.detail.extra?.retryAfter;
    response.setHeader(
      'Retry-After',
      typeof asked === 'number' ? asked : RETRY_AFTER[problem.status as keyof typeof RETRY_AFTER],
    );
  }
}

/** The document of an expected failure. What a thrower adds cannot overwrite the members that everyone reads. */
export function describe(error: RegistryError, basePath = ''): ProblemDocument {
  const { tokenRefused: _, ...extra } = error.detail.extra ?? {};
  return {
    ...extra,
    type: `${basePath}/problems/${error.code}`,
    title: ERRORS[error.code],
    status: STATUS[error.code],
    detail: error.message,
    code: error.code,
    message: error.message,
    ...(error.detail.errors ? { errors: error.detail.errors } : {}),
  };
}

function unexpected(request: IncomingMessage, error: unknown, { log, basePath }: ProblemContext): ProblemDocument {
  const id = randomUUID();
  log.error({ err: error, errorId: id, method: request.method, url: pathOf(request) }, 'unexpected error');
  return describe(
    new RegistryError('internal', `Something went wrong here, not with your request. Quote ${id} to the operators.`, {
      extra: { errorId: id },
    }),
    basePath,
  );
}

/** The query may hold names of samples; the log gets the path alone. */
const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?', 1)[0] as string;

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

/** What express, its router and the body parsers throw for a request that is at fault. */
export function expectedFailure(error: unknown): RegistryError | undefined {
  if (error instanceof RegistryError) return error.code === 'internal' ? undefined : error;
  if (error instanceof URIError)
    return new RegistryError(
      'request.invalid',
      'The address holds a % that begins no escape, or escaped bytes that are no UTF-8; write % as %25 and ü as %C3%BC.',
    );
  const { status } = error instanceof Error ? (error as Error & { status?: unknown }) : {};
  if (isDiskFull(error))
    return new RegistryError('storage.full', 'There is no room left to store this; tell the operators.');
  if (status === 413) return new RegistryError('body.too-large', 'The body is larger than this service takes.');
  if (status === 404) return new RegistryError('not-found', 'There is nothing at this address.');
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new RegistryError('request.invalid', 'The request cannot be read.');
  return undefined;
}
