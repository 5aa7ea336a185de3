/** The root that every client starts at, health, and what the problem types mean. */
import { Router } from 'express';
import { ERRORS, type ErrorCode, RegistryError } from '../../registry/errors.js';
import { VERSION } from '../../version.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { negotiate, negotiateJson } from '../negotiate.js';
import { STATUS } from '../problem.js';
import { type HealthChecks, Readiness } from '../readiness.js';
import { send } from '../respond.js';
import { PAGE_PATH } from './page.js';

/** `leaving`: aborted once the service is about to end, so that no proxy sends it more. */
export function rootRoutes(context: HttpContext, health: HealthChecks, leaving: AbortSignal): Router {
  const router = Router();
  const readiness = new Readiness(health, context.log);

  address(router, '/', {
    get: (request, response) => {
      const base = context.publicUrl(request);
      response.setHeader('Vary', 'Accept');
      if (prefersPage(request.headers.accept)) {
        response.statusCode = 302;
        response.setHeader('Location', `${base}${PAGE_PATH}/`);
        response.end();
        return;
      }
      const link = (path: string) => ({ href: base + path });
      const links = {
        samples: link('/samples'),
        curations: link('/curations'),
        submissions: link('/submissions'),
      };
      send(request, response, 200, negotiateJson(request.headers.accept), JSON.stringify({ _links: links }));
    },
  });

  address(router, '/health/live', {
    get: (request, response) => {
      response.setHeader('Cache-Control', 'no-store');
      const body = { status: leaving.aborted ? 'leaving' : 'up', version: VERSION };
      send(request, response, 200, 'application/json', JSON.stringify(body));
    },
  });

  address(router, '/health/ready', {
    get: async (request, response) => {
      const { usable, checks } = await readiness.now();
      const status = leaving.aborted ? 'leaving' : usable ? 'up' : 'down';
      response.setHeader('Cache-Control', 'no-store');
      const body = { status, checks };
      send(request, response, status === 'up' ? 200 : 503, 'application/json', JSON.stringify(body));
    },
  });

  address(router, '/problems/:code', {
    get: (request, response) => {
      const code = String(request.params.code);
      if (!Object.hasOwn(ERRORS, code))
        throw new RegistryError('not-found', `There is no problem type ${JSON.stringify(code.slice(0, 60))}.`);
      const known = code as ErrorCode;
      const body = { code: known, status: STATUS[known], title: ERRORS[known] };
      send(request, response, 200, negotiateJson(request.headers.accept), JSON.stringify(body));
    },
  });

  return router;
}

/** Browsers name text/html before anything else; programs that take everything get JSON. */
function prefersPage(accept: string | undefined): boolean {
  if (!accept?.includes('text/html')) return false;
  return negotiate(accept, ['text/html', 'application/hal+json', 'application/json']) === 'text/html';
}
