/** Files of submissions that are printed while they are sent: so many at once of one account, others wait for their turn. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Bounds, WaitingPlaces } from '../limits/waiting-places.js';
import { RegistryError } from '../registry/errors.js';
import { stream } from './respond.js';

/** Each holds some megabytes until its client has read on: 2 500 rows of the file and their page of the ledger. */
const AT_ONCE = { ofOne: 20, inAll: 200 };
const WAITING = { ofOne: 200, inAll: 2_000 };
const RETRY_AFTER_S = 10;

export type Download = (
  request: IncomingMessage,
  response: ServerResponse,
  account: string,
  type: string,
  pieces: () => AsyncIterable<string | Buffer>,
) => Promise<void>;

/** Streams a file in a place of its account. @throws RegistryError rate.limited before anything is written */
export function downloads(atOnce: Bounds = AT_ONCE, waiting: Bounds = WAITING): Download {
  const places = new WaitingPlaces(atOnce, waiting);
  return async (request, response, account, type, pieces) => {
    const leave = await places.enter(account);
    if (typeof leave === 'string') {
      const many = leave === 'of one' ? `${waiting.ofOne} downloads of yours` : `${waiting.inAll} downloads`;
      const message = `${many} wait for their turn already; take those first, or try again in ${RETRY_AFTER_S} s.`;
      throw new RegistryError('rate.limited', message, { extra: { retryAfter: RETRY_AFTER_S } });
    }
    try {
      if (!response.destroyed) await stream(request, response, type, pieces());
    } finally {
      leave();
    }
  };
}
