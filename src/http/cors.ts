/** Which pages of other origins may read answers (setting CORS_ORIGIN). Reading only: no cookies, no writing methods. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';

const EXPOSED =
  'ETag, Location, Link, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, Samples-Not-Indexed, Samples-Count, Changes-Cursor, Changes-More, Accept-Ranges, Content-Range, Content-Disposition';
const PREFLIGHT_S = 3600;

/** Sets the headers of one answer. */
export type AllowOrigin = (request: IncomingMessage, response: ServerResponse) => void;

export function createAllowOrigin(origins: readonly string[]): AllowOrigin {
  if (origins.includes('none')) return () => undefined;
  const all = origins.includes('*');
  return (request, response) => {
    const { origin } = request.headers;
    if (!all) response.appendHeader('Vary', 'Origin');
    if (origin === undefined || !(all || origins.includes(origin))) return;
    response.setHeader('Access-Control-Allow-Origin', all ? '*' : origin);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  };
}

/** Middleware for every address but the hot one; answers preflights. */
export function cors(allow: AllowOrigin) {
  return (request: Request, response: Response, next: NextFunction): void => {
    allow(request, response);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      next();
      return;
    }
    if (response.hasHeader('Access-Control-Allow-Origin')) {
      response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
      response.setHeader(
        'Access-Control-Allow-Headers',
        'Authorization, Accept, If-None-Match, Range, If-Range, Last-Event-ID',
      );
      response.setHeader('Access-Control-Max-Age', PREFLIGHT_S);
    }
    response.statusCode = 204;
    response.end();
  };
}
