/** Tokens: made and revoked by administrators for all accounts, by each account for itself. */

import { Router } from 'express';
import type { AccountStore, TokenRecord } from '../../auth/account-store.js';
import { hasScope, requireScope, type SignedIn } from '../../auth/caller.js';
import type { Grant, Tokens } from '../../auth/tokens.js';
import { DAY_MS } from '../../registry/date-time.js';
import { RegistryError } from '../../registry/errors.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { parse } from '../parse.js';
import { idCursor, MAX_PAGE_SIZE, queryOf, trueOrFalse, wholeNumber } from '../query.js';
import { send, sendEmpty } from '../respond.js';
import { TOKEN_REQUEST } from '../schemas/schemas-of-accounts.js';

export interface TokenParts {
  tokens: Tokens;
  accounts: AccountStore;
}

export function tokenRoutes(context: HttpContext, { tokens, accounts }: TokenParts): Router {
  const router = Router();
  address(router, '/', {
    post: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const caller = requireScope(await context.caller(request), 'submit');
      const { text, record } = await context.withJson(request, async (body) => {
        const { account = caller.account, name, scopes, createAccount, expiresInDays } = parse(TOKEN_REQUEST, body);
        refuseMore(caller, account, scopes);
        const grant = await grantOf(caller, tokens);
        if (account !== caller.account) await requireAccount(accounts, account, createAccount);
        const expires = endOf(grant, expiresInDays);
        return tokens.issue({
          account,
          name,
          scopes: [...new Set(scopes)],
          ...(grant.parent === undefined ? {} : { parent: grant.parent }),
          ...(expires === undefined ? {} : { expires }),
        });
      });
      response.setHeader('Location', `${context.publicUrl(request)}/tokens/${record.id}`);
      response.setHeader('Cache-Control', 'no-store');
      send(request, response, 201, type, JSON.stringify({ token: text, ...tokenDocument(record) }));
    },
    get: context.briefly(async (request, response) => {
      const caller = requireScope(await context.caller(request), 'read');
      const page = readPage(queryOf(request), caller);
      const found = await tokens.list(page.account, {
        size: page.size + 1,
        ...(page.before === undefined ? {} : { before: page.before }),
        ...(page.valid ? { validAt: Date.now() } : {}),
      });
      const shown = found.slice(0, page.size);
      const at = (before: string | undefined) => ({
        href: `${context.publicUrl(request)}/tokens?${addressOf({ ...page, before })}`,
      });
      const body = {
        ...(shown.length > 0 ? { _embedded: { tokens: shown.map((record) => listed(record, caller)) } } : {}),
        _links: { self: at(page.before), ...(found.length > page.size ? { next: at(shown.at(-1)?.id) } : {}) },
      };
      send(request, response, 200, negotiateJson(request.headers.accept), JSON.stringify(body));
    }),
  });
  address(router, '/:id', {
    get: context.briefly(async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const caller = requireScope(await context.caller(request), 'read');
      const record = await accounts.findTokenById(String(request.params.id));
      if (!record || !(caller.admin || record.account === caller.account)) throw noSuchToken();
      send(request, response, 200, type, JSON.stringify(listed(record, caller)));
    }),
    delete: context.briefly(async (request, response) => {
      const caller = requireScope(await context.caller(request), 'read');
      const id = String(request.params.id);
      // A token may always end itself; ending others is a write.
      if (caller.tokenId !== id) requireScope(caller, 'submit');
      if (!(await tokens.revoke(id, caller.admin ? undefined : caller.account))) {
        throw noSuchToken();
      }
      sendEmpty(response, 204);
    }),
  });
  return router;
}

const noSuchToken = () => new RegistryError('not-found', 'There is no such token of yours.');

interface AskedPage {
  account: string | undefined;
  size: number;
  before: string | undefined;
  valid: boolean;
}

/** @throws RegistryError auth.forbidden for another's tokens; request.invalid */
function readPage(query: URLSearchParams, caller: SignedIn): AskedPage {
  const asked = query.get('account') || undefined;
  if (asked !== undefined && asked !== caller.account && !caller.admin) {
    throw new RegistryError('auth.forbidden', 'Only an administrator sees the tokens of another account.');
  }
  return {
    account: asked ?? (caller.admin ? undefined : caller.account),
    size: wholeNumber(query, 'size', { min: 1, max: MAX_PAGE_SIZE, default: MAX_PAGE_SIZE }),
    before: idCursor(query),
    valid: trueOrFalse(query, 'valid', false),
  };
}

const addressOf = ({ account, size, valid, before }: AskedPage): URLSearchParams =>
  new URLSearchParams({
    ...(account === undefined ? {} : { account }),
    ...(valid ? { valid: 'true' } : {}),
    size: String(size),
    ...(before === undefined ? {} : { cursor: before }),
  });

/** Nobody hands out more than they hold. */
function refuseMore(caller: SignedIn, account: string, scopes: TokenRecord['scopes']): void {
  if (account !== caller.account && !caller.admin) {
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

/** Until when, and as long as which token is valid, what this caller makes may last. */
export async function grantOf({ tokenId, expires }: SignedIn, tokens: Tokens): Promise<Grant> {
  if (tokenId !== undefined) return tokens.grantOf(tokenId);
  return expires === undefined ? {} : { expires };
}

function endOf(grant: Grant, days: number | undefined): number | undefined {
  const end = Math.min(
    grant.expires ?? Number.POSITIVE_INFINITY,
    days === undefined ? Number.POSITIVE_INFINITY : Math.round(Date.now() + days * DAY_MS),
  );
  return Number.isFinite(end) ? end : undefined;
}

/** A mistyped name makes no account. @throws RegistryError not-found */
export async function requireAccount(accounts: AccountStore, name: string, create: boolean): Promise<void> {
  if (create) await accounts.createAccount(name, Date.now());
  else if (!(await accounts.findAccount(name))) {
    throw new RegistryError(
      'not-found',
      `There is no account ${JSON.stringify(name)}. Look at the spelling, or make it with "createAccount": true.`,
    );
  }
}

/** The one that asks is marked: of several sessions somebody knows this one by it. */
const listed = (record: TokenRecord, { tokenId }: SignedIn): Record<string, unknown> => ({
  ...tokenDocument(record),
  ...(record.id === tokenId ? { current: true } : {}),
});

/** Everything but the token's text. */
function tokenDocument(record: TokenRecord): Record<string, unknown> {
  const { id, account, name, scopes, created, expires, lastUsed, revoked, kind, parent } = record;
  return {
    id,
    account,
    name,
    scopes,
    created: new Date(created).toISOString(),
    ...(expires === undefined ? {} : { expires: new Date(expires).toISOString() }),
    ...(lastUsed === undefined ? {} : { lastUsed: new Date(lastUsed).toISOString() }),
    revoked,
    kind: kind ?? 'token',
    ...(parent === undefined ? {} : { parent }),
  };
}
