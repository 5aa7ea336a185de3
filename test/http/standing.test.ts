/** Whether the token of a request still stands is asked from the first look at it on, however often it is looked at. */
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { createContext } from '../../src/http/context.js';
import { wideInPlaces } from '../../src/limits/sample-places.js';
import { createLog } from '../../src/observability/log.js';

it('a token that was revoked between two looks, of which the second still believed it, stands no more', async () => {
  let present = 1;
  const revokedAt = 2;
  const context = createContext({
    config: loadConfig({}),
    log: createLog('silent', 'test'),
    authenticate: async () => ({ account: 'lab-1', admin: false, scopes: ['submit'], by: 'token', tokenId: 't' }),
    tokens: {
      present: () => ({ revocations: present, at: present }),
      wasRevokedSince: async (moment) => moment.at < revokedAt,
    },
    trusted: () => false,
    inPlace: wideInPlaces(),
  });
  const request = { headers: { authorization: 'Bearer t' }, socket: {} } as IncomingMessage;
  await context.caller(request);
  present = 3;
  await context.caller(request);
  await expect(context.requireStanding(request)).rejects.toMatchObject({ code: 'auth.required' });
});
