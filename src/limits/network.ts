/** Network addresses as limits count them. */
import ipaddr from 'ipaddr.js';

/** An IPv4 address itself; of an IPv6 address the /64 that one customer has to itself; other texts as they are, cut short. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64);
  const read = ipaddr.process(address);
  if (read.kind() === 'ipv4') return read.toString();
  const [a = 0, b = 0, c = 0, d = 0] = (read as ipaddr.IPv6).parts;
  return `${[a, b, c, d].map((part) => part.toString(16)).join(':')}::/64`;
}

/** Whose turn it is where the service asks for nobody. */
const SERVICE = 'service';

/** Who has places and turns: an account or, without a token, a network. */
export const askerOf = (caller: { account: string } | undefined, network = SERVICE): string =>
  caller ? `account ${caller.account}` : network;
