/**
 * Conditional answers (RFC 9110, section 13): 304 when the client holds what it would get; and requests that may be sent again, which say so
 * by a key.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FORMAT_IDS } from '../formats/names.js';
import { RegistryError } from '../registry/errors.js';
import type { Conditions } from '../registry/samples/conditions.js';
import { matchesTag } from '../registry/samples/fingerprint.js';

/** The sample's tag as its representation in one of the formats of others carries it. */
export const tagInFormat = (etag: string, format: string): string => `${etag.slice(0, -1)}-${format}"`;

const IN_FORMAT = new RegExp(`-(?:${FORMAT_IDS.join('|')})(?=")`, 'g');

const withoutFormat = (tags: string | undefined): string | undefined => tags?.replace(IN_FORMAT, '');

/** Of a write. What was read in another format is what it was made of. */
export const conditionsOf = ({ headers }: IncomingMessage): Conditions => ({
  ifMatch: withoutFormat(headers['if-match']),
  ifNoneMatch: withoutFormat(headers['if-none-match']),
});

/** Sets the tag; true when the answer has been given as 304. */
export function answeredFromTag(request: IncomingMessage, response: ServerResponse, etag: string): boolean {
  response.setHeader('ETag', etag);
  const held = request.headers['if-none-match'];
  if (held === undefined || !(held === etag || matchesTag(held, [etag], 'weak'))) return false;
  response.statusCode = 304;
  response.end();
  return true;
}

/** @throws RegistryError request.invalid */
export function idempotencyKey(request: IncomingMessage): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new RegistryError('request.invalid', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.');
}

/** Said of an answer that is that of an earlier request. */
export function sayReplayed(response: ServerResponse, replayed: boolean): void {
  if (replayed) response.setHeader('Idempotent-Replayed', 'true');
}
