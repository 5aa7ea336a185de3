/** The name of a request in answers, logs and the audit log: the client's own where it gives a usable one. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export function requestId(request: IncomingMessage): string {
  const asked = request.headers['x-request-id'];
  return typeof asked === 'string' && /^[\w.:-]{1,100}$/.test(asked) ? asked : randomUUID();
}
