/**
 * Requests that arrive together go on one after the other, as many as fit into a slice of the thread that answers them
 * (registry/time-slices.ts): fifty reads of the widest sample were answered in one turn of the event loop, 2.5 s in which
 * nobody else was. Accounts and, without a token, networks have turns by the time that each has used.
 */
import type { IncomingMessage } from 'node:http';
import { RegistryError } from '../registry/errors.js';
import { goOnInTurn, othersGoFirst } from '../registry/time-slices.js';

/**
 * To be awaited before each step that may take long; undefined where it goes on at once.
 * @throws RegistryError rate.limited; request.invalid when the client has left
 */
export type InTurn = (request: IncomingMessage) => Promise<void> | undefined;

/** @throws RegistryError request.invalid, which nobody hears */
export function requireStillThere({ socket }: IncomingMessage): void {
  if (socket.destroyed) throw new RegistryError('request.invalid', 'The connection ended before the answer.');
}

/** `asker`: whose turn it is. */
export function createInTurn(asker: (request: IncomingMessage) => Promise<string>): InTurn {
  const wait = async (request: IncomingMessage): Promise<void> => {
    const { socket } = request;
    if (!(await goOnInTurn(await asker(request), () => socket.destroyed))) {
      throw new RegistryError('rate.limited', 'As many of your requests wait as may; send fewer at once.');
    }
    requireStillThere(request);
  };
  return (request) => (othersGoFirst() ? wait(request) : undefined);
}
