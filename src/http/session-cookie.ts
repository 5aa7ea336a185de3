/** The cookie that holds the page's session: out of reach of scripts, never sent along by other sites. */
import type { ServerResponse } from 'node:http';

const NAME = 'sample_registry_session';
const FOUND = new RegExp(`(?:^|;)\\s*${NAME}=([^;\\s]+)`);

export interface CookieScope {
  /** Path before every address. */
  basePath: string;
  /** The request came over TLS. */
  secure: boolean;
}

export const SESSION_COOKIE = {
  name: NAME,

  read: (header: string | undefined): string | undefined =>
    header === undefined ? undefined : FOUND.exec(header)?.[1],

  set(response: ServerResponse, token: string, maxAgeSeconds: number, scope: CookieScope): void {
    response.appendHeader('Set-Cookie', spell(token, maxAgeSeconds, scope));
  },

  clear(response: ServerResponse, scope: CookieScope): void {
    response.appendHeader('Set-Cookie', spell('', 0, scope));
  },
};

const spell = (value: string, maxAge: number, { basePath, secure }: CookieScope): string =>
  `${NAME}=${value}; Path=${basePath || '/'}; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
