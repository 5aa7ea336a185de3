/** Accounts, for administrators: which there are, new ones, and one-time passwords for those who forgot theirs. */
import { type Request, Router } from 'express';
import type { AccountStore, AccountSummary } from '../../auth/account-store.js';
import { requireScope } from '../../auth/caller.js';
import type { SignIn } from '../../auth/sign-in.js';
import type { Tokens } from '../../auth/tokens.js';
import { RegistryError } from '../../registry/errors.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { parse } from '../parse.js';
import { cursorOf, MAX_PAGE_SIZE, queryOf, wholeNumber } from '../query.js';
import { send } from '../respond.js';
import { NEW_ACCOUNT } from '../schemas/schemas-of-accounts.js';
import { addressOf, requirePasswordRight } from './sign-in.js';

export interface AccountParts {
  accounts: AccountStore;
  signIn: SignIn;
  tokens: Tokens;
}

export function accountRoutes(context: HttpContext, parts: AccountParts): Router {
  const { accounts, signIn } = parts;
  const router = Router();
  const administrator = async (request: Request) => requireScope(await context.caller(request), 'admin');
  const here = (request: Request): string => `${context.publicUrl(request)}/accounts`;
  const nameOf = (request: Request): string => String(request.params.account);
  const document = (request: Request, { name, created, password, tokens, lastUsed }: AccountSummary) => {
    const self = `${here(request)}/${encodeURIComponent(name)}`;
    return {
      account: name,
      created: new Date(created).toISOString(),
      administrator: signIn.isAdministrator(name),
      password,
      tokens,
      ...(lastUsed === undefined ? {} : { lastUsed: new Date(lastUsed).toISOString() }),
      _links: {
        self: { href: self },
        tokens: { href: `${context.publicUrl(request)}/tokens?${new URLSearchParams({ account: name })}` },
        passwordReset: { href: `${self}/password-reset` },
      },
    };
  };
  const find = async (name: string): Promise<AccountSummary> => {
    const account = await accounts.findAccountSummary(name, Date.now());
    if (account) return account;
    throw new RegistryError('not-found', `There is no account ${JSON.stringify(name)}; look at the spelling.`);
  };

  address(router, '/', {
    get: context.briefly(async (request, response) => {
      await administrator(request);
      const query = queryOf(request);
      const size = wholeNumber(query, 'size', { min: 1, max: MAX_PAGE_SIZE, default: 50 });
      const [text, after] = [query.get('text') || undefined, cursorOf(query)];
      const found = await accounts.listAccounts({
        size: size + 1,
        now: Date.now(),
        ...(text === undefined ? {} : { text }),
        ...(after === undefined ? {} : { after }),
      });
      const shown = found.slice(0, size);
      const at = (cursor: string | undefined) => {
        const asked = { ...(text && { text }), size: String(size), ...(cursor && { cursor }) };
        return { href: `${here(request)}?${new URLSearchParams(asked)}` };
      };
      const body = {
        ...(shown.length > 0 ? { _embedded: { accounts: shown.map((account) => document(request, account)) } } : {}),
        _links: {
          self: at(after),
          ...(found.length > size ? { next: at(shown.at(-1)?.name) } : {}),
        },
      };
      send(request, response, 200, negotiateJson(request.headers.accept), JSON.stringify(body));
    }),
    post: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const caller = await administrator(request);
      const { account, password } = parse(NEW_ACCOUNT, await context.json(request));
      if (password !== undefined) await requirePasswordRight(caller, account, parts);
      const hash = password === undefined ? undefined : await signIn.hash(password, addressOf(request));
      if (!(await accounts.createAccount(account, Date.now()))) {
        throw new RegistryError('conflict', `There is an account ${JSON.stringify(account)} already.`);
      }
      if (hash !== undefined) await accounts.setPassword(account, { hash });
      const made = document(request, await find(account));
      response.setHeader('Location', made._links.self.href);
      send(request, response, 201, type, JSON.stringify(made));
    },
  });
  address(router, '/:account', {
    get: context.briefly(async (request, response) => {
      await administrator(request);
      const body = document(request, await find(nameOf(request)));
      send(request, response, 200, negotiateJson(request.headers.accept), JSON.stringify(body));
    }),
  });
  address(router, '/:account/password-reset', {
    post: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const caller = await administrator(request);
      const { name } = await find(nameOf(request));
      await requirePasswordRight(caller, name, parts);
      const { password, until } = await signIn.resetPassword(name, addressOf(request));
      response.setHeader('Cache-Control', 'no-store');
      const body = { account: name, oneTimePassword: password, expires: new Date(until).toISOString() };
      send(request, response, 201, type, JSON.stringify(body));
    },
  });
  return router;
}
