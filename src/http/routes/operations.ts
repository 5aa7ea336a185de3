/** `GET /operations`: for administrators, what works behind the service and how far it is. */
import { Router } from 'express';
import { requireScope } from '../../auth/caller.js';
import type { SearchIndexDocument } from '../../registry/search/index-progress.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { send } from '../respond.js';

export interface OperationsParts {
  searchIndex(): Promise<SearchIndexDocument>;
}

export function operationsRoutes(context: HttpContext, { searchIndex }: OperationsParts): Router {
  const router = Router();
  address(router, '/', {
    get: async (request, response) => {
      requireScope(await context.caller(request), 'admin');
      const body = {
        searchIndex: await searchIndex(),
        _links: { self: { href: `${context.publicUrl(request)}/operations` } },
      };
      response.setHeader('Cache-Control', 'no-store');
      send(request, response, 200, negotiateJson(request.headers.accept), JSON.stringify(body));
    },
  });
  return router;
}
