/** The root that every client starts at, health, and what the problem types mean. */
import { Router } from 'express';
import { within } from '../../observability/within.js';
import { ERRORS, type ErrorCode, RegistryError } from '../../registry/errors.js';
import { VERSION } from '../../version.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { negotiate, negotiateJson } from '../negotiate.js';
import { STATUS } from '../problem.js';
import { send } from '../respond.js';
import { PAGE_PATH } from './page.js';

/** Each rejects with the reason while the part cannot be used. */
export interface HealthChecks {
  store: () => Promise<void>;
  blobs: () => Promise<void>;
  /** Changes are refused while their record cannot be written. */
  audit?: () => Promise<void>;
  /** Uploads are accepted without it: reported, but no reason to send clients away. */
  queue: () => Promise<void>;
  /** The search index is behind and does not move: reported, and no reason either. */
  index: () => Promise<void>;
}

const REQUIRED = new Set(['store', 'blobs', 'audit']);
const CHECK_MS = 3_000;

/** `leaving`: aborted once the service is about to end, so that no proxy sends it more. */
export function rootRoutes(context: HttpContext, health: HealthChecks, leaving: AbortSignal): Router {
  const router = Router();

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
      const states = await Promise.all(
        Object.entries(health).map(async ([name, check]) => {
          const reason = await within(CHECK_MS, check()).then(
            () => undefined,
            (error: unknown) => (error instanceof Error ? error.message : String(error)),
          );
          if (reason !== undefined) context.log.warn({ part: name, reason }, 'not ready');
          return [name, reason === undefined ? 'up' : 'down'] as const;
        }),
      );
      const usable = states.every(([name, state]) => state === 'up' || !REQUIRED.has(name));
      const status = leaving.aborted ? 'leaving' : usable ? 'up' : 'down';
      response.setHeader('Cache-Control', 'no-store');
      const body = { status, checks: Object.fromEntries(states) };
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
