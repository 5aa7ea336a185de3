/**
 * The cookie that holds the page's session: out of reach of scripts, never sent along by other sites. Behind TLS its name
 * carries a prefix that browsers honour: `__Host-` keeps neighbours of the same domain from setting it, `__Secure-`
 * stands in where the service lives below a path.
 */
import type { ServerResponse } from 'node:http';

const NAME = 'sample_registry_session';

export interface CookieScope {
  /** Path before every address. */
  basePath: string;
  /** The request came over TLS. */
  secure: boolean;
}

const nameOf = ({ basePath, secure }: CookieScope): string =>
  `${secure ? (basePath === '' ? '__Host-' : '__Secure-') : ''}${NAME}`;

export const SESSION_COOKIE = {
  name: NAME,

  /** Behind TLS a cookie without the prefix is nobody's: anybody of the domain may have set it. */
  read(header: string | undefined, scope: CookieScope): string | undefined {
    if (header === undefined) return undefined;
    const begin = `${nameOf(scope)}=`;
    const found = header.split(';').find((pair) => pair.trimStart().startsWith(begin));
    return found?.trim().slice(begin.length) || undefined;
  },

  set(response: ServerResponse, token: string, maxAgeSeconds: number, scope: CookieScope): void {
    response.appendHeader('Set-Cookie', spell(token, maxAgeSeconds, scope));
  },

  clear(response: ServerResponse, scope: CookieScope): void {
    response.appendHeader('Set-Cookie', spell('', 0, scope));
  },
};

const spell = (value: string, maxAge: number, scope: CookieScope): string =>
  `${nameOf(scope)}=${value}; Path=${scope.basePath || '/'}; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${scope.secure ? '; Secure' : ''}`;
