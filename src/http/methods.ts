/** Registers the methods of one address and answers every other one with 405 and the list. */
import type { RequestHandler, Router } from 'express';
import { RegistryError } from '../registry/errors.js';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether requests of this method, in letters of either case, change nothing. */
export const isRead = (method: string): boolean => READS.has(method.toUpperCase());

export type Methods = Partial<Record<'get' | 'post' | 'put' | 'delete', RequestHandler>>;

export function address(router: Router, path: string, methods: Methods): void {
  const route = router.route(path);
  const names = Object.keys(methods) as (keyof Methods)[];
  for (const name of names) route[name](methods[name] as RequestHandler);
  const allowed = ['OPTIONS', ...(methods.get ? ['HEAD'] : []), ...names.map((name) => name.toUpperCase())]
    .sort()
    .join(', ');
  route.all(otherMethods(allowed));
}

/** For every method that is not one of those `allowed`, and for OPTIONS. */
export function otherMethods(allowed: string): RequestHandler {
  return (request, response) => {
    response.setHeader('Allow', allowed);
    if (request.method === 'OPTIONS') {
      response.statusCode = 204;
      response.end();
      return;
    }
    throw new RegistryError(
      'method.not-allowed',
      `${request.method} is not taken here; this address takes ${allowed}.`,
    );
  };
}
