/** Spellings of an address that clients of the field use: slashes at the end, `.json` behind it, scheme and host before it. */
import type { NextFunction, Request, Response } from 'express';

const JSON_IN_ITS_NAME = /\/openapi\.json$/i;

/** The page's files, keys of other systems, profiles and accounts: their names are taken as they are. */
const NAMED_BY_OTHERS = /\/(?:page|samples\/by-key|profiles|accounts)\//i;

/** Rewrites the address before it is routed; the query stays. */
export function tidyAddress(request: Request, _response: Response, next: NextFunction): void {
  const { url } = request;
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const tidy = tidyPath(path);
  if (tidy !== path) request.url = tidy + (at < 0 ? '' : url.slice(at));
  next();
}

/** The path as it is routed. */
export function tidyPath(path: string): string {
  const tidy = withoutSlashesBehind(path) || path.slice(0, 1);
  const spelled = tidy.endsWith('.json') && !JSON_IN_ITS_NAME.test(tidy) && !NAMED_BY_OTHERS.test(tidy);
  return spelled ? tidy.slice(0, -5) : tidy;
}

/** Counted from the end: a pattern would try again from each of ten thousand slashes that do not stand there. */
export function withoutSlashesBehind(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/**
 * An address as proxies are sent it, which servers take, too (RFC 9112, 3.2.2), without scheme and host; with `/` where nothing is
 * left of its path.
 */
export function withoutOrigin(url: string): string {
  if (url.startsWith('/')) return url;
  const rest = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
}
