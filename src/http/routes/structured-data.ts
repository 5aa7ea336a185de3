/** Tables attached to samples. The answers have the shape of the requests: no links. */
import { Router } from 'express';
import { requireScope } from '../../auth/caller.js';
import { RegistryError } from '../../registry/errors.js';
import type { Registry } from '../../registry/registry.js';
import { fingerprint } from '../../registry/samples/fingerprint.js';
import { answeredFromTag, conditionsOf } from '../conditional.js';
import type { HttpContext } from '../context.js';
import { refuseBody } from '../json-body.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { queryOf } from '../query.js';
import { send, sendEmpty } from '../respond.js';

export function structuredDataRoutes(context: HttpContext, registry: Registry): Router {
  const router = Router();
  address(router, '/:accession', {
    put: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const by = requireScope(await context.caller(request), 'submit');
      const document = await context.withJson(request, (body) =>
        registry.putStructuredData(String(request.params.accession), body, by, conditionsOf(request)),
      );
      response.setHeader('ETag', fingerprint(document));
      send(request, response, 200, type, JSON.stringify(document));
    },
    delete: async (request, response) => {
      const by = requireScope(await context.caller(request), 'submit');
      const which = tablesOf(queryOf(request));
      await refuseBody(request, 'say account or type in the address, or nothing to take all tables away.');
      await context.inPlace(request, () =>
        registry.deleteStructuredData(String(request.params.accession), which, by, conditionsOf(request)),
      );
      sendEmpty(response, 204);
    },
    get: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const caller = await context.caller(request);
      const reader = caller && requireScope(caller, 'read');
      const document = await context.inPlace(request, () =>
        registry.getStructuredData(String(request.params.accession), reader),
      );
      await context.inTurn(request);
      response.setHeader('Cache-Control', 'private, no-cache');
      if (answeredFromTag(request, response, fingerprint(document))) return;
      send(request, response, 200, type, JSON.stringify(document));
    },
  });
  return router;
}

/**
 * Which tables are to go: all of them only where nothing says which, and not because a name is misspelt or a variable empty.
 * @throws RegistryError request.invalid
 */
function tablesOf(query: URLSearchParams): { account?: string; type?: string } {
  const which: { account?: string; type?: string } = {};
  for (const name of query.keys()) {
    const meant = (['account', 'type'] as const).find((known) => known === name.toLowerCase());
    if (meant === undefined) continue;
    if (name !== meant) throw new RegistryError('request.invalid', `There is no parameter ${name}; write ${meant}.`);
    const [wanted = '', ...others] = new Set(query.getAll(name).map((value) => value.trim()));
    if (wanted === '' || others.length > 0) {
      const fault = wanted === '' ? 'is empty' : 'is given twice with different values';
      throw new RegistryError(
        'request.invalid',
        `${meant}= ${fault}; give one, or leave it out to take all tables away.`,
      );
    }
    which[meant] = wanted;
  }
  return which;
}
