/** Who am I; sign in and out of the page; password in, token out; change of a password. */
import { type Request, Router } from 'express';
import { isAdmin, requireScope } from '../../auth/caller.js';
import { PASSWORD_TOKEN, SESSION_TOKEN, type SignIn } from '../../auth/sign-in.js';
import type { Tokens } from '../../auth/tokens.js';
import { RegistryError } from '../../registry/errors.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { parse } from '../parse.js';
import { send, sendEmpty } from '../respond.js';
import { PASSWORD_CHANGE, PASSWORD_SIGN_IN, SESSION_REQUEST } from '../schemas-of-accounts.js';
import { SESSION_COOKIE } from '../session-cookie.js';

export interface AccountParts {
  tokens: Tokens;
  signIn: SignIn;
}

/** Mounted at the base path: the addresses are /me, /auth/token, /auth/session and /auth/password. */
export function accountRoutes(context: HttpContext, { tokens, signIn }: AccountParts): Router {
  const { config } = context;
  const router = Router();
  const lifeMs = config.SESSION_HOURS * 3_600_000;
  const scopeOf = (request: Request) => ({
    basePath: config.BASE_PATH,
    secure: context.publicUrl(request).startsWith('https:'),
  });

  address(router, '/me', {
    get: async (request, response) => {
      const { account, scopes, by } = requireScope(await context.caller(request), 'read');
      response.setHeader('Cache-Control', 'no-store');
      send(
        request,
        response,
        200,
        negotiateJson(request.headers.accept),
        JSON.stringify({ account, scopes, signedInBy: by }),
      );
    },
  });

  address(router, '/auth/token', {
    post: async (request, response) => {
      const { username, password } = parse(PASSWORD_SIGN_IN, await context.json(request));
      const life = config.PASSWORD_TOKEN_MINUTES * 60_000;
      const { text } = await signIn.signIn({
        account: username,
        password,
        address: addressOf(request),
        name: PASSWORD_TOKEN,
        lifeMs: life,
      });
      response.setHeader('Cache-Control', 'no-store');
      send(request, response, 200, 'text/plain;charset=UTF-8', text);
    },
  });

  address(router, '/auth/session', {
    post: async (request, response) => {
      const asked = parse(SESSION_REQUEST, await context.json(request));
      const issued =
        'token' in asked
          ? await byToken(asked.token)
          : await signIn.signIn({ ...asked, address: addressOf(request), name: SESSION_TOKEN, lifeMs });
      SESSION_COOKIE.set(
        response,
        issued.text,
        Math.floor(((issued.record.expires ?? Date.now()) - Date.now()) / 1000),
        scopeOf(request),
      );
      response.setHeader('Cache-Control', 'no-store');
      const { account, scopes } = issued.record;
      send(request, response, 201, negotiateJson(request.headers.accept), JSON.stringify({ account, scopes }));
    },
    delete: async (request, response) => {
      const caller = await context.caller(request);
      if (caller?.by === 'cookie' && caller.tokenId) await tokens.revoke(caller.tokenId);
      SESSION_COOKIE.clear(response, scopeOf(request));
      sendEmpty(response, 204);
    },
  });

  address(router, '/auth/password', {
    post: async (request, response) => {
      const caller = requireScope(await context.caller(request), 'submit');
      const { account = caller.account, current, password } = parse(PASSWORD_CHANGE, await context.json(request));
      if (account === caller.account) {
        const kept = caller.tokenId;
        await signIn.changePassword({ account, current, next: password, address: addressOf(request), kept });
      } else if (isAdmin(caller)) await signIn.setPassword(account, password);
      else throw new RegistryError('auth.forbidden', 'Only an administrator sets the password of another account.');
      sendEmpty(response, 204);
    },
  });

  /** The cookie never carries the token that was typed. */
  const byToken = async (text: string) => {
    const record = await tokens.check(text.trim());
    if (record) return tokens.openSession(record, lifeMs);
    throw new RegistryError('auth.required', 'The token is unknown, revoked or expired; ask for a new one.');
  };

  return router;
}

const addressOf = (request: Request): string => request.ip ?? '';
