/** What Prometheus reads: for administrators, and for whoever shows the token made for it. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Router } from 'express';
import { requireScope } from '../../auth/caller.js';
import type { Metrics } from '../../observability/metrics.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { send } from '../respond.js';

export function metricsRoutes(context: HttpContext, metrics: Pick<Metrics, 'text'>): Router {
  const router = Router();
  const { METRICS_TOKEN } = context.config;
  const wanted = METRICS_TOKEN === undefined ? undefined : digest(`Bearer ${METRICS_TOKEN}`);
  address(router, '/', {
    get: async (request, response) => {
      const shown = request.headers.authorization;
      const known = wanted !== undefined && shown !== undefined && timingSafeEqual(digest(shown), wanted);
      if (!known) requireScope(await context.caller(request), 'admin');
      const { type, body } = await metrics.text();
      response.setHeader('Cache-Control', 'no-store');
      send(request, response, 200, type, body);
    },
  });
  return router;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
