/** Spellings of an address that clients of the field use: slashes at the end, `.json` behind it. */
import type { NextFunction, Request, Response } from 'express';

const JSON_IN_ITS_NAME = /\/openapi\.json$/;

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
  const tidy = path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
  const spelled = tidy.endsWith('.json') && !JSON_IN_ITS_NAME.test(tidy) && !NAMED_BY_OTHERS.test(tidy);
  return spelled ? tidy.slice(0, -5) : tidy;
}
