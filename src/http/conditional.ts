/** Conditional answers (RFC 9110, section 13): 304 when the client holds what it would get. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Conditions } from '../registry/samples/conditions.js';
import { matchesTag } from '../registry/samples/fingerprint.js';

/** Of a write. */
export const conditionsOf = ({ headers }: IncomingMessage): Conditions => ({
  ifMatch: headers['if-match'],
  ifNoneMatch: headers['if-none-match'],
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
