/** Webhooks of the caller's account, their deliveries, and sending one again (docs/webhooks.md). */
import { type Request, Router } from 'express';
import { requireScope } from '../../auth/caller.js';
import type { Delivery, Webhook } from '../../webhooks/webhook.js';
import type { Webhooks } from '../../webhooks/webhooks.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { parse } from '../parse.js';
import { idCursor, queryOf, wholeNumber } from '../query.js';
import { send, sendEmpty } from '../respond.js';
import { WEBHOOK_REQUEST } from '../schemas/schemas-of-webhooks.js';

const MAX_PAGE = 200;

export function webhookRoutes(context: HttpContext, webhooks: Webhooks): Router {
  const router = Router();
  const accountOf = async (request: Request): Promise<string> =>
    requireScope(await context.caller(request), 'submit').account;
  const idOf = (request: Request, name = 'id'): string => String(request.params[name]);
  const here = (request: Request): string => `${context.publicUrl(request)}/webhooks`;
  const document = (request: Request, { id, url, events, created, filters }: Webhook) => {
    const self = `${here(request)}/${id}`;
    const _links = { self: { href: self }, deliveries: { href: `${self}/deliveries` } };
    return { id, url, events, ...(filters ? { filters } : {}), created: new Date(created).toISOString(), _links };
  };

  address(router, '/', {
    get: context.briefly(async (request, response) => {
      const all = await webhooks.list(await accountOf(request));
      const shown = all.map((webhook) => document(request, webhook));
      const body = { _embedded: { webhooks: shown }, _links: { self: { href: here(request) } } };
      send(request, response, 200, 'application/json', JSON.stringify(body));
    }),
    post: async (request, response) => {
      const account = await accountOf(request);
      const webhook = await context.withJson(request, async (body) => {
        const { url, events, filters } = parse(WEBHOOK_REQUEST, body);
        return webhooks.add(account, { url, ...(events ? { events } : {}), ...(filters ? { filters } : {}) });
      });
      response.setHeader('Location', `${here(request)}/${webhook.id}`);
      response.setHeader('Cache-Control', 'no-store');
      // The secret is shown this once.
      const body = { ...document(request, webhook), secret: webhook.secret };
      send(request, response, 201, 'application/json', JSON.stringify(body));
    },
  });
  address(router, '/:id', {
    get: context.briefly(async (request, response) => {
      const webhook = await webhooks.find(await accountOf(request), idOf(request));
      send(request, response, 200, 'application/json', JSON.stringify(document(request, webhook)));
    }),
    delete: context.briefly(async (request, response) => {
      await webhooks.remove(await accountOf(request), idOf(request));
      sendEmpty(response, 204);
    }),
  });
  address(router, '/:id/deliveries', {
    get: context.briefly(async (request, response) => {
      const query = queryOf(request);
      const size = wholeNumber(query, 'size', { min: 1, max: MAX_PAGE, default: 20 });
      const before = idCursor(query);
      const page = { size: size + 1, ...(before === undefined ? {} : { before }) };
      const found = await webhooks.deliveries(await accountOf(request), idOf(request), page);
      const shown = found.slice(0, size);
      const self = `${here(request)}/${idOf(request)}/deliveries`;
      const at = (cursor: string | undefined) => ({
        href: `${self}?size=${size}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      });
      const body = {
        _embedded: { deliveries: shown.map(deliveryDocument) },
        _links: { self: at(before), ...(found.length > size ? { next: at(shown.at(-1)?.id) } : {}) },
      };
      send(request, response, 200, 'application/json', JSON.stringify(body));
    }),
  });
  address(router, '/:id/deliveries/:delivery/redeliver', {
    post: context.briefly(async (request, response) => {
      const account = await accountOf(request);
      const delivery = await webhooks.redeliver(account, idOf(request), idOf(request, 'delivery'));
      send(request, response, 202, 'application/json', JSON.stringify(deliveryDocument(delivery)));
    }),
  });
  return router;
}

const deliveryDocument = (delivery: Delivery) => {
  const {
    id,
    event,
    submissionId,
    changes,
    state,
    attempts,
    created,
    nextAttempt,
    lastAttempt,
    lastStatus,
    lastError,
  } = delivery;
  const iso = (time: number): string => new Date(time).toISOString();
  return {
    id,
    event,
    ...(submissionId === undefined ? {} : { submissionId }),
    ...(changes === undefined ? {} : { changes: changes.count }),
    state,
    attempts,
    created: iso(created),
    ...(state === 'waiting' ? { nextAttempt: iso(nextAttempt) } : {}),
    ...(lastAttempt === undefined ? {} : { lastAttempt: iso(lastAttempt) }),
    ...(lastStatus === undefined ? {} : { lastStatus }),
    ...(lastError === undefined ? {} : { lastError }),
  };
};
