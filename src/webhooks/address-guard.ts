/**
 * Keeps webhooks from reaching into the network that this service runs in. What counts is the address that is
 * connected to: a name is checked by all of its addresses at the moment of connecting, and the connection goes to an
 * address that was checked, so an answer of the name service that changes in between has no effect.
 */
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { nameServerLookup } from './name-servers.js';

/** A webhook's address lies where webhooks may not reach. */
export class ForbiddenAddressError extends Error {
  /** `host`: as the webhook's owner wrote it. `address`: where it leads, for operators. */
  constructor(
    readonly host: string,
    readonly address: string,
  ) {
    super(`${host} (${address}) is not an address of the public internet; webhooks may only go there.`);
    this.name = 'ForbiddenAddressError';
  }
}

/** False for private, loopback, link-local, multicast, reserved and translated ranges, and for what is no address. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const read = ipaddr.process(address);
  // Of IPv6 only 2000::/3 is given out; ::7f00:1, an old way to write 127.0.0.1, is outside of it.
  if (read.kind() === 'ipv6' && ((read as ipaddr.IPv6).parts[0] ?? 0) >> 13 !== 1) return false;
  return read.range() === 'unicast';
}

/** The host of a URL when it is written as an address, without brackets. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? host : undefined;
}

/** A lookup for `net.connect` that fails when any address of the name is not public. */
export function guardedLookup(lookup: LookupFunction = nameServerLookup()): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const found = Array.isArray(addresses) ? addresses : [{ address: addresses, family: isIP(addresses) }];
      const forbidden = found.find(({ address }) => !isPublicAddress(address));
      const [first] = found;
      if (forbidden) return callback(new ForbiddenAddressError(hostname, forbidden.address), '');
      if (!first) return callback(Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' }), '');
      if (options.all) return callback(null, found);
      callback(null, first.address, first.family);
    });
  };
}
