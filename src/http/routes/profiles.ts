/** Import profiles: those of the caller's account, those that are shared, and those that ship with the product. */
import { type Request, type Response, Router } from 'express';
import { requireScope } from '../../auth/caller.js';
import { profileTag } from '../../profiles/profile-store.js';
import type { ListedProfile, Profiles } from '../../profiles/profiles.js';
import { IMPORT_PROFILE } from '../../profiles/schema.js';
import { RegistryError } from '../../registry/errors.js';
import { answeredFromTag, conditionsOf } from '../conditional.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { parse } from '../parse.js';
import { queryOf } from '../query.js';
import { send } from '../respond.js';

export function profileRoutes(context: HttpContext, profiles: Profiles): Router {
  const router = Router();
  const here = (request: Request): string => `${context.publicUrl(request)}/profiles`;
  const summary = (request: Request, { name, rank, version, shared, created, document }: ListedProfile) => ({
    name,
    rank,
    title: document.title,
    ...(version === undefined ? {} : { version }),
    ...(shared === undefined ? {} : { shared }),
    ...(created === undefined ? {} : { created: new Date(created).toISOString() }),
    _links: { self: { href: `${here(request)}/${encodeURIComponent(name)}` } },
  });

  address(router, '/', {
    get: context.briefly(async (request, response) => {
      const { account } = requireScope(await context.caller(request), 'read');
      const found = await profiles.list(account);
      const body = {
        _embedded: { profiles: found.map((each) => summary(request, each)) },
        _links: { self: { href: here(request) } },
      };
      send(request, response, 200, negotiateJson(request.headers.accept), JSON.stringify(body));
    }),
  });

  address(router, '/:name', {
    get: context.briefly(async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const { account } = requireScope(await context.caller(request), 'read');
      const { rank, version, document } = await profiles.find(account, String(request.params.name), versionOf(request));
      // What an account does not keep itself it cannot change.
      if (rank === 'own' && version !== undefined && answeredFromTag(request, response, profileTag(version))) return;
      send(request, response, 200, type, JSON.stringify(document));
    }),
    put: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const caller = requireScope(await context.caller(request), 'submit');
      const shared = sharedOf(request);
      if (shared !== undefined) requireScope(caller, 'admin');
      const kept = await context.withJson(request, (body) => {
        const document = parse(IMPORT_PROFILE, body);
        return profiles.keep(caller, String(request.params.name), document, shared, conditionsOf(request));
      });
      setTag(response, kept.profile);
      send(request, response, kept.isNew ? 201 : 200, type, JSON.stringify(summary(request, kept.profile)));
    },
    delete: context.briefly(async (request, response) => {
      const caller = requireScope(await context.caller(request), 'submit');
      await profiles.remove(caller, String(request.params.name), conditionsOf(request));
      response.status(204).end();
    }),
  });
  return router;
}

function setTag(response: Response, { version }: ListedProfile): void {
  if (version !== undefined) response.setHeader('ETag', profileTag(version));
}

function versionOf(request: Request): number | undefined {
  const text = queryOf(request).get('version');
  if (text === null) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new RegistryError(
    'request.invalid',
    `version must be a whole number from 1 on, not ${JSON.stringify(text.slice(0, 100))}.`,
  );
}

function sharedOf(request: Request): boolean | undefined {
  const text = queryOf(request).get('shared');
  if (text === null) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new RegistryError(
    'request.invalid',
    `shared must be true or false, not ${JSON.stringify(text.slice(0, 100))}.`,
  );
}
