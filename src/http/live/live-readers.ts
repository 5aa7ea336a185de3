/** Connections that stay open for what is still to come: so many of one account or, without a token, one network, and in all. */
import type { Request } from 'express';
import { askerOf, networkOf } from '../../limits/network.js';
import { Places } from '../../limits/places.js';
import { RegistryError } from '../../registry/errors.js';

export interface LiveReaders {
  most: { ofOne: number; inAll: number };
  /** What is read. */
  what: string;
  /** What to do that keeps no connection open. */
  instead: string;
}

/** Answers in a place of the reader's, and gives it back. @throws RegistryError rate.limited before anything is written */
export function liveReaders({ most, what, instead }: LiveReaders) {
  const places = new Places(most);
  return async (
    request: Request,
    caller: { account: string } | undefined,
    answer: () => Promise<void>,
  ): Promise<void> => {
    const leave = places.enter(askerOf(caller, networkOf(request.ip ?? '')));
    if (typeof leave === 'string') {
      const taken =
        leave === 'of one' ? `You follow ${what} on ${most.ofOne} connections` : `As many follow ${what} as may`;
      throw new RegistryError('rate.limited', `${taken} already; close one, or ${instead}.`);
    }
    try {
      await answer();
    } finally {
      leave();
    }
  };
}
