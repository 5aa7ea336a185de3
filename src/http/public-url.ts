/** Absolute addresses for links: PUBLIC_URL where it is set, else as the client addressed us. */
import type { IncomingMessage } from 'node:http';

export interface UrlSettings {
  PUBLIC_URL?: string | undefined;
  BASE_PATH: string;
}

/** Scheme, host and base path, without a slash at the end. */
export type PublicUrl = (request: IncomingMessage) => string;

const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;

/** `trusted` says whether this request's X-Forwarded-* headers may be believed. */
export function createPublicUrl(settings: UrlSettings, trusted: (request: IncomingMessage) => boolean): PublicUrl {
  const { PUBLIC_URL, BASE_PATH } = settings;
  if (PUBLIC_URL) {
    const fixed = PUBLIC_URL + BASE_PATH;
    return () => fixed;
  }
  return (request) => {
    const forwarded = trusted(request);
    // The service itself speaks no TLS.
    const scheme = forwarded ? first(request.headers['x-forwarded-proto']) : 'http';
    const host = (forwarded && first(request.headers['x-forwarded-host'])) || request.headers.host || '';
    // A host that is none could smuggle text into links; the address that the request came in at is always right.
    const named = HOST.test(host) ? host : `${bracketed(request.socket.localAddress)}:${request.socket.localPort}`;
    return `${scheme === 'https' ? 'https' : 'http'}://${named}${BASE_PATH}`;
  };
}

const first = (header: string | string[] | undefined): string | undefined =>
  (Array.isArray(header) ? header[0] : header)?.split(',', 1)[0]?.trim();

const bracketed = (address = 'localhost'): string => (address.includes(':') ? `[${address}]` : address);
