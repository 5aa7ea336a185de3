/**
 * Bodies that arrive and answers that are not taken lie in memory for as long as their client likes. Those of one account or, without
 * a token, one network have so much room together; of each, what any connection may hold counts nothing.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import { askerOf, networkOf } from '../limits/network.js';
import { Room } from '../limits/room.js';
import { RegistryError } from '../registry/errors.js';

const MIB = 1024 * 1024;
export const FREE_BYTES = 64 * 1024;

const room = new Room({ ofOne: 64 * MIB, inAll: 256 * MIB, always: 2 * MIB });
/** Where it is not the network that the connection comes from. */
const askers = new WeakMap<IncomingMessage, string>();

/** For the rest of the request. */
export function askedBy(request: IncomingMessage, caller: { account: string } | undefined, address?: string): void {
  askers.set(request, askerOf(caller, address && networkOf(address)));
}

/** As it is known so far. */
export const whoAsks = (request: IncomingMessage): string =>
  askers.get(request) ?? networkOf(request.socket.remoteAddress ?? '');

/** Until it is answered. @throws RegistryError rate.limited */
export function holdBody(request: IncomingMessage, bytes: number): void {
  const { res: response } = request as Partial<Request>;
  if (bytes > FREE_BYTES && response) held(response, room.take(whoAsks(request), bytes));
}

/** Until it is taken. @throws RegistryError rate.limited, never of what may have changed something */
export function holdRead(request: IncomingMessage, response: ServerResponse, bytes: number): void {
  if (bytes <= FREE_BYTES || request.method === 'HEAD') return;
  const who = whoAsks(request);
  held(response, request.method === 'GET' ? room.take(who, bytes) : room.hold(who, bytes));
}

function held(response: ServerResponse, leave: (() => void) | 'of one' | 'in all'): void {
  if (typeof leave === 'function') {
    if (response.destroyed) leave();
    else response.once('close', leave);
    return;
  }
  const whose = leave === 'of one' ? 'of yours' : 'of all clients together';
  throw new RegistryError(
    'rate.limited',
    `Requests ${whose} hold as much memory as they may, in bodies that are not whole and answers that are not taken; this one would be more. Read the answers that you asked for, and ask again.`,
  );
}
