/** Tokens: made and revoked by administrators for all accounts, by each account for itself. */
import { Router } from 'express';
import type { TokenRecord } from '../../auth/account-store.js';
import { type Caller, hasScope, isAdmin, requireScope } from '../../auth/caller.js';
import type { Tokens } from '../../auth/tokens.js';
import { RegistryError } from '../../registry/errors.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { parse } from '../parse.js';
import { queryOf } from '../query.js';
import { send, sendEmpty } from '../respond.js';
import { TOKEN_REQUEST } from '../schemas-of-accounts.js';

const DAY_MS = 24 * 60 * 60_000;

export function tokenRoutes(context: HttpContext, tokens: Tokens): Router {
  const router = Router();
  address(router, '/', {
    post: async (request, response) => {
      const caller = requireScope(await context.caller(request), 'submit');
      const {
        account = caller.account,
        name,
        scopes,
        expiresInDays,
      } = parse(TOKEN_REQUEST, await context.json(request));
      refuseMore(caller, account, scopes);
      const { text, record } = await tokens.issue({
        account,
        name,
        scopes,
        ...(expiresInDays === undefined ? {} : { expires: Math.round(Date.now() + expiresInDays * DAY_MS) }),
      });
      response.setHeader('Location', `${context.publicUrl(request)}/tokens/${record.id}`);
      response.setHeader('Cache-Control', 'no-store');
      send(
        request,
        response,
        201,
        negotiateJson(request.headers.accept),
        JSON.stringify({ token: text, ...tokenDocument(record) }),
      );
    },
    get: async (request, response) => {
      const caller = requireScope(await context.caller(request), 'read');
      const asked = queryOf(request).get('account') ?? undefined;
      if (asked !== undefined && asked !== caller.account && !isAdmin(caller)) {
        throw new RegistryError('auth.forbidden', 'Only an administrator sees the tokens of another account.');
      }
      const records = await tokens.list(asked ?? (isAdmin(caller) ? undefined : caller.account));
      const body = {
        ...(records.length > 0 ? { _embedded: { tokens: records.map(tokenDocument) } } : {}),
        _links: { self: { href: `${context.publicUrl(request)}/tokens` } },
      };
      send(request, response, 200, negotiateJson(request.headers.accept), JSON.stringify(body));
    },
  });
  address(router, '/:id', {
    delete: async (request, response) => {
      const caller = requireScope(await context.caller(request), 'read');
      const id = String(request.params.id);
      // A token may always end itself; ending others is a write.
      if (caller.tokenId !== id) requireScope(caller, 'submit');
      if (!(await tokens.revoke(id, isAdmin(caller) ? undefined : caller.account))) {
        throw new RegistryError('not-found', 'There is no such token of yours.');
      }
      sendEmpty(response, 204);
    },
  });
  return router;
}

/** Nobody hands out more than they hold. */
function refuseMore(caller: Caller, account: string, scopes: TokenRecord['scopes']): void {
  if (account !== caller.account && !isAdmin(caller)) {
    throw new RegistryError(
      'auth.forbidden',
      `Only an administrator makes tokens for another account; you are ${caller.account}.`,
    );
  }
  const beyond = scopes.find((scope) => !hasScope(caller, scope));
  if (beyond)
    throw new RegistryError(
      'auth.forbidden',
      `Your own token lacks the scope "${beyond}", so it cannot make one that has it.`,
    );
}

/** Everything but the token's text. */
export function tokenDocument(record: TokenRecord): Record<string, unknown> {
  const { id, account, name, scopes, created, expires, lastUsed, revoked } = record;
  return {
    id,
    account,
    name,
    scopes,
    created: new Date(created).toISOString(),
    ...(expires === undefined ? {} : { expires: new Date(expires).toISOString() }),
    ...(lastUsed === undefined ? {} : { lastUsed: new Date(lastUsed).toISOString() }),
    revoked,
  };
}
