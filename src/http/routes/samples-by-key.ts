/** Samples by the keys of an account's own systems: read, register or update, and take the key away. */
import { type Request, Router } from 'express';
import type { Scope } from '../../auth/account-store.js';
import { requireScope } from '../../auth/caller.js';
import type { Caller } from '../../registry/permissions.js';
import type { Registry } from '../../registry/registry.js';
import { answeredFromTag, conditionsOf } from '../conditional.js';
import type { HttpContext } from '../context.js';
import { sampleLinks } from '../hal.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { queryOf } from '../query.js';
import { readView } from '../read-sample.js';
import { send } from '../respond.js';

export function sampleKeyRoutes(context: HttpContext, registry: Registry): Router {
  const router = Router();
  const caller = async (request: Request, scope: Scope): Promise<Caller> =>
    requireScope(await context.caller(request), scope);
  const place = ({ params }: Request) => ({ space: String(params.space), key: String(params.key) });

  address(router, '/:space/:key', {
    get: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const by = await caller(request, 'read');
      const { space, key } = place(request);
      const { document, etag, accession } = await context.inPlace(request, async () =>
        registry.read(await registry.accessionOfKey(space, key, by), by, readView(queryOf(request))),
      );
      const base = context.publicUrl(request);
      response.setHeader('Content-Location', `${base}/samples/${accession}`);
      if (answeredFromTag(request, response, etag)) return;
      send(request, response, 200, type, JSON.stringify({ ...document, _links: sampleLinks(base, accession) }));
    },
    put: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const by = await caller(request, 'submit');
      const view = await context.withJson(request, (body) =>
        registry.putByKey(place(request), body, by, conditionsOf(request)),
      );
      const { document, accession, etag, created } = view;
      const base = context.publicUrl(request);
      response.setHeader(created ? 'Location' : 'Content-Location', `${base}/samples/${accession}`);
      response.setHeader('ETag', etag);
      const text = JSON.stringify({ ...document, _links: sampleLinks(base, accession) });
      send(request, response, created ? 201 : 200, type, text);
    },
    delete: async (request, response) => {
      const { space, key } = place(request);
      const by = await caller(request, 'submit');
      await context.inPlace(request, () => registry.takeKey(space, key, by, conditionsOf(request)));
      response.statusCode = 204;
      response.end();
    },
  });
  return router;
}
