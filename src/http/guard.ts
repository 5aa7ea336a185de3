/**
 * What every request passes before its route, reads of single samples excepted: limits, and the record of every
 * change. Measured in docs/performance.md as part of the routes it stands before.
 */
import { STATUS_CODES } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import onHeaders from 'on-headers';
import type { AuditEvent } from '../audit/entry.js';
import { networkOf } from '../limits/network.js';
import type { RequestKind } from '../limits/policy.js';
import { type RateLimits, type RateState, rateHeaders, TooManyRequests } from '../limits/rate-limits.js';
import { RegistryError } from '../registry/errors.js';
import type { HttpContext } from './context.js';
import { holdAnswer } from './hold-answer.js';
import { kindOf, routeOf } from './operation-match.js';
import { isDiskFull } from './problem.js';

export interface GuardParts {
  rates: RateLimits;
  /** Absent: changes are not recorded. */
  audit?: { fault(): Error | undefined; record(event: AuditEvent): void; synced(): Promise<void> } | undefined;
  onLimited?: (kind: RequestKind) => void;
}

export function createGuard(parts: GuardParts): (context: HttpContext) => RequestHandler {
  return (context) => async (request, response, next) => {
    const kind = kindOf(request.method, request.path);
    const address = request.ip ?? '';
    if (kind === 'read') {
      await limit(parts, response, kind, networkOf(address));
      return next();
    }
    const network = networkOf(address);
    // A token that is not valid is the route's to refuse; here its request is counted and recorded as nobody's.
    const caller = await context.caller(request).catch(() => undefined);
    const { account } = caller ?? {};
    const fault = parts.audit?.fault();
    if (fault) throw notRecorded(fault);
    recordChange(parts, context, request, response, account, address);
    await limit(parts, response, kind, kind === 'sign-in' ? network : (account ?? `address ${network}`));
    next();
  };
}

async function limit(
  { rates, onLimited }: GuardParts,
  response: Response,
  kind: RequestKind,
  who: string,
): Promise<void> {
  try {
    tell(response, await rates.count(kind, who));
  } catch (error) {
    if (error instanceof TooManyRequests) {
      tell(response, error.state);
      onLimited?.(kind);
    }
    throw error;
  }
}

function tell(response: Response, state: RateState | undefined): void {
  for (const [name, value] of state ? rateHeaders(state) : []) response.setHeader(name, value);
}

/** On the disk before the client hears that something was changed; see audit/audit-log.ts. */
function recordChange(
  { audit }: GuardParts,
  context: HttpContext,
  request: Request,
  response: Response,
  account: string | undefined,
  address: string,
): void {
  if (!audit) return;
  // Routers below shorten it while they run.
  const route = routeOf(request.path);
  let recorded = false;
  const record = (): void => {
    if (recorded) return;
    recorded = true;
    const requestId = response.getHeader('x-request-id');
    const place = response.getHeader('location');
    const event: AuditEvent = {
      action: `${request.method} ${route}`,
      ...(account === undefined ? {} : { account }),
      address,
      ...(typeof requestId === 'string' ? { requestId } : {}),
      outcome: response.statusCode,
      object: typeof place === 'string' ? place : pathOf(request),
    };
    try {
      audit.record(event);
    } catch (error) {
      // Not even the room that was set aside is left. The change is made; hiding its answer would not undo it.
      context.log.error({ err: error, event, meaning: STATUS_CODES[event.outcome] }, 'a change could not be recorded');
    }
  };
  onHeaders(response, record);
  holdAnswer(response, () => {
    record();
    if (response.statusCode >= 400) return undefined;
    return audit.synced().catch((error: unknown) => {
      context.log.error({ err: error }, 'the record of a change could not be synced');
    });
  });
}

const notRecorded = (cause: Error): RegistryError =>
  isDiskFull(cause)
    ? new RegistryError(
        'storage.full',
        'The disk of the audit log is full, so nothing can be changed now; the operators have to make room.',
        { cause },
      )
    : new RegistryError(
        'service.unavailable',
        'The audit log cannot be written, so nothing can be changed now; the operators find out why at /health/ready and in the log.',
        { cause },
      );

/** The query may hold names of samples. */
const pathOf = (request: Request): string => (request.originalUrl.split('?', 1)[0] ?? '').slice(0, 300);
