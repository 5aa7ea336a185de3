/** What Prometheus reads: for administrators, and for whoever shows the token made for it. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Request, Router } from 'express';
import { bearerOf } from '../../auth/authenticate.js';
import { requireScope, type SignedIn } from '../../auth/caller.js';
import type { Metrics } from '../../observability/metrics.js';
import { within } from '../../observability/within.js';
import { RegistryError } from '../../registry/errors.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { send } from '../respond.js';

/** With what the figures may take it stays below the five seconds that a scrape may take. */
const CALLER_MS = 2_000;

export function metricsRoutes(context: HttpContext, metrics: Pick<Metrics, 'text'>): Router {
  const router = Router();
  const { METRICS_TOKEN } = context.config;
  const wanted = METRICS_TOKEN === undefined ? undefined : digest(METRICS_TOKEN);
  address(router, '/', {
    get: async (request, response) => {
      const shown = bearerOf(request.headers.authorization ?? '');
      const known = wanted !== undefined && shown !== undefined && timingSafeEqual(digest(shown), wanted);
      if (!known) requireScope(await callerOf(context, request), 'admin');
      const { type, body } = await metrics.text();
      response.setHeader('Cache-Control', 'no-store');
      send(request, response, 200, type, body);
    },
  });
  return router;
}

/** Tokens are kept in the store, which may be away: an answer comes in any case. */
function callerOf(context: HttpContext, request: Request): Promise<SignedIn | undefined> {
  return within(CALLER_MS, context.caller(request)).catch((error: unknown) => {
    if (error instanceof RegistryError) throw error;
    throw new RegistryError(
      'service.unavailable',
      'The store that knows the tokens does not answer; METRICS_TOKEN is checked without it.',
      { cause: error },
    );
  });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
