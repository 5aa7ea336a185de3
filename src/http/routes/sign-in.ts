/** Who am I; sign in and out of the page; password in, token out; change of a password. */
import { type Request, Router } from 'express';
import type { AccountStore } from '../../auth/account-store.js';
import { browserName } from '../../auth/browser-name.js';
import { requireScope, type SignedIn } from '../../auth/caller.js';
import type { SignIn } from '../../auth/sign-in.js';
import type { IssuedToken, Tokens } from '../../auth/tokens.js';
import { RegistryError } from '../../registry/errors.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { parse } from '../parse.js';
import { send, sendEmpty } from '../respond.js';
import { PASSWORD_CHANGE, PASSWORD_SIGN_IN, SESSION_REQUEST } from '../schemas/schemas-of-accounts.js';
import { SESSION_COOKIE } from '../session-cookie.js';
import { grantOf, requireAccount } from './tokens.js';

export interface SignInParts {
  tokens: Tokens;
  signIn: SignIn;
  accounts: AccountStore;
}

/** Mounted at the base path: the addresses are /me, /auth/token, /auth/session and /auth/password. */
export function signInRoutes(context: HttpContext, { tokens, signIn, accounts }: SignInParts): Router {
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
        kind: 'password',
        lifeMs: life,
      });
      response.setHeader('Cache-Control', 'no-store');
      send(request, response, 200, 'text/plain;charset=UTF-8', text);
    },
  });

  address(router, '/auth/session', {
    post: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const asked = parse(SESSION_REQUEST, await context.json(request));
      const issued = 'token' in asked ? await byToken(asked.token, request) : await byPassword(asked, request);
      SESSION_COOKIE.set(
        response,
        issued.text,
        Math.floor(((issued.record.expires ?? Date.now()) - Date.now()) / 1000),
        scopeOf(request),
      );
      response.setHeader('Cache-Control', 'no-store');
      const { account, scopes } = issued.record;
      send(request, response, 201, type, JSON.stringify({ account, scopes }));
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
      const asked = parse(PASSWORD_CHANGE, await context.json(request));
      const { account = caller.account, current, password: next, endTokens } = asked;
      const change = { next, address: addressOf(request), kept: caller.tokenId, endTokens };
      const known = await accounts.findAccount(account);
      if (account === caller.account && known?.passwordHash !== undefined) {
        if (current === undefined) throw withoutCurrent();
        await signIn.changePassword({ ...change, account, current });
      } else {
        await requirePasswordRight(caller, account, { signIn, tokens });
        if (!known) await requireAccount(accounts, account, asked.createAccount);
        await signIn.setPassword(account, next, change);
      }
      sendEmpty(response, 204);
    },
  });

  /** The cookie never carries the token that was typed. */
  const byToken = async (text: string, request: Request): Promise<IssuedToken> => {
    const record = await tokens.check(text.trim());
    if (record) return tokens.openSession(record, lifeMs, browserOf(request));
    throw new RegistryError('auth.required', 'The token is unknown, revoked or expired; ask for a new one.');
  };

  const byPassword = async (
    { account, password, newPassword }: { account: string; password: string; newPassword?: string | undefined },
    request: Request,
  ): Promise<IssuedToken> => {
    const common = { account, address: addressOf(request) };
    if (newPassword !== undefined) await signIn.changePassword({ ...common, current: password, next: newPassword });
    const kept = { kind: 'session', lifeMs, browser: browserOf(request) } as const;
    return signIn.signIn({ ...common, password: newPassword ?? password, ...kept });
  };

  return router;
}

/**
 * A password lasts until it is changed and gives all that its account may do: only who may do at least that, for at
 * least as long, sets one without knowing the present one.
 * @throws RegistryError auth.forbidden
 */
export async function requirePasswordRight(
  caller: SignedIn,
  account: string,
  { signIn, tokens }: Pick<SignInParts, 'signIn' | 'tokens'>,
): Promise<void> {
  if (!caller.admin) {
    throw new RegistryError(
      'auth.forbidden',
      account === caller.account
        ? 'The first password of an account is set by an administrator: ask for a one-time password.'
        : 'Only an administrator sets the password of another account.',
    );
  }
  if (signIn.isAdministrator(account) && (await grantOf(caller, tokens)).expires !== undefined) {
    throw new RegistryError(
      'auth.forbidden',
      'The token that you use ends some day, so it cannot set the password of an administrator; sign in with a password.',
    );
  }
}

/** No wrong guess, which would be counted as one. */
const withoutCurrent = () =>
  new RegistryError('request.invalid', '/current: is required; give the present password of your account.', {
    errors: [{ dataPath: '/current', errors: ['is required; give the present password of your account.'] }],
  });

const browserOf = (request: Request): string | undefined => browserName(request.headers['user-agent']);

export const addressOf = (request: Request): string => request.ip ?? '';
