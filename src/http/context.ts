/** What every route needs of its surroundings, given to it once. */
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { Authenticate } from '../auth/authenticate.js';
import type { SignedIn } from '../auth/caller.js';
import type { Moment, Tokens } from '../auth/tokens.js';
import type { Config } from '../config.js';
import type { InPlace } from '../limits/sample-places.js';
import type { Logger } from '../observability/log.js';
import { RegistryError } from '../registry/errors.js';
import { askedBy, FREE_BYTES, whoAsks } from './held-room.js';
import { parseJson, readJsonBytes } from './json-body.js';
import { isRead } from './methods.js';
import { createPublicUrl, type PublicUrl } from './public-url.js';
import { createInTurn, type InTurn, requireStillThere } from './request-turns.js';
import { SESSION_COOKIE } from './session-cookie.js';

export interface HttpContext {
  config: Config;
  log: Logger;
  publicUrl: PublicUrl;
  /** True when the request's proxy may be believed. */
  trusted: (request: IncomingMessage) => boolean;
  /**
   * Who asks; undefined for nobody.
   * @throws RegistryError auth.required for a bad token; auth.forbidden for a write that another site made the browser send
   */
  caller: (request: IncomingMessage) => Promise<SignedIn | undefined>;
  inTurn: InTurn;
  /**
   * Asks the store, or changes something there, while the same account or network does so with few others (limits/sample-places.ts). What
   * is done within it has its place already.
   */
  inPlace: <T>(request: IncomingMessage, work: () => Promise<T>) => Promise<T>;
  /** The whole of a handler that waits for nothing but the store, in such a place: neither for its client nor for work to end. */
  briefly: (handler: (request: Request, response: Response) => Promise<void>) => RequestHandler;
  /**
   * To be asked when a body has come to its end: a slow one may outlive the token that it came with.
   * @throws RegistryError auth.required when that was revoked meanwhile; one that ran out meanwhile will do
   */
  requireStanding: (request: IncomingMessage) => Promise<void>;
  /** Does its work with the bytes of a JSON body in such a place: once they are whole, of one whose token was not revoked meanwhile. */
  withBody: <T>(request: IncomingMessage, maxBytes: number, work: (bytes: Buffer) => Promise<T>) => Promise<T>;
  /** So with what it says, within MAX_JSON_BYTES. */
  withJson: <T>(request: IncomingMessage, work: (body: unknown) => Promise<T>) => Promise<T>;
  /** What it says, where nothing is done with it that takes long. */
  json: (request: IncomingMessage) => Promise<unknown>;
}

export interface ContextParts {
  config: Config;
  log: Logger;
  authenticate: Authenticate;
  tokens: Pick<Tokens, 'present' | 'wasRevokedSince'>;
  trusted: (request: IncomingMessage) => boolean;
  inPlace: InPlace;
}

export function createContext({ config, log, authenticate, tokens, trusted, inPlace }: ContextParts): HttpContext {
  const publicUrl = createPublicUrl(config, trusted);
  const shown = new WeakMap<IncomingMessage, { tokenId: string; moment: Moment }>();
  const signedIn = async (request: IncomingMessage): Promise<SignedIn | undefined> => {
    const moment = tokens.present();
    const caller = await identify(request, authenticate, publicUrl, config.BASE_PATH);
    if (caller) askedBy(request, caller);
    // From the first look on: a later one may still believe a token that another process has revoked since.
    if (caller?.tokenId !== undefined && !shown.has(request)) shown.set(request, { tokenId: caller.tokenId, moment });
    return caller;
  };
  const requireStanding = async (request: IncomingMessage): Promise<void> => {
    const token = shown.get(request);
    if (token && (await tokens.wasRevokedSince(token.moment, token.tokenId))) throw revokedMeanwhile();
  };
  const callerOf = (request: IncomingMessage): Promise<SignedIn | undefined> => {
    const { authorization, cookie } = request.headers;
    if (authorization === undefined && cookie === undefined) return NOBODY;
    return signedIn(request);
  };
  const asker = async (request: IncomingMessage): Promise<string> => {
    await callerOf(request).catch(() => undefined);
    return whoAsks(request);
  };
  const inTurn = createInTurn(asker);
  const placed = new WeakSet<IncomingMessage>();
  const stillThere = <T>(request: IncomingMessage, work: () => Promise<T>, isWide = false): Promise<T> => {
    if (placed.has(request)) return work();
    return inPlace(
      () => asker(request),
      async () => {
        requireStillThere(request);
        placed.add(request);
        try {
          return await work();
        } finally {
          placed.delete(request);
        }
      },
      isWide,
    );
  };
  const withBody: HttpContext['withBody'] = async (request, maxBytes, work) => {
    const bytes = await readJsonBytes(request, maxBytes);
    const standing = async () => {
      await requireStanding(request);
      return work(bytes);
    };
    return stillThere(request, standing, bytes.length > FREE_BYTES);
  };
  const withJson: HttpContext['withJson'] = (request, work) =>
    withBody(request, config.MAX_JSON_BYTES, async (bytes) => work(await parseJson(bytes, request, inTurn)));
  return {
    config,
    log,
    publicUrl,
    trusted,
    caller: callerOf,
    inTurn,
    inPlace: stillThere,
    briefly: (handler) => (request, response) => stillThere(request, () => handler(request, response)),
    requireStanding,
    withBody,
    withJson,
    json: (request) => withJson(request, async (body) => body),
  };
}

const NOBODY = Promise.resolve(undefined);
const revokedMeanwhile = () =>
  new RegistryError(
    'auth.required',
    'The token was revoked while the request was being sent, and nothing was changed; send it again with another token.',
    { extra: { tokenRefused: true } },
  );

async function identify(
  request: IncomingMessage,
  authenticate: Authenticate,
  publicUrl: PublicUrl,
  basePath: string,
): Promise<SignedIn | undefined> {
  const { authorization, cookie } = request.headers;
  const secure = cookie !== undefined && publicUrl(request).startsWith('https:');
  const caller = await authenticate({ authorization, session: SESSION_COOKIE.read(cookie, { basePath, secure }) });
  if (caller?.by === 'cookie' && !isRead(request.method ?? '')) refuseForeign(request, publicUrl);
  return caller;
}

/**
 * The cookie is SameSite=Strict; this is the second lock for browsers and neighbours under the same site: a write that
 * a page of another origin started is refused, whatever cookie comes with it.
 */
function refuseForeign(request: IncomingMessage, publicUrl: PublicUrl): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const sameOrigin =
    site === undefined ? origin === undefined || origin === new URL(publicUrl(request)).origin : site === 'same-origin';
  if (!sameOrigin) {
    throw new RegistryError(
      'auth.forbidden',
      'A page of another origin sent this with your sign-in; send a bearer token instead.',
    );
  }
}
