/** Counts failed sign-ins by account and network, and refuses more of them for a while. */
import { hash as digest } from 'node:crypto';
import { BoundedMap } from '../limits/bounded-map.js';
import { networkOf } from '../limits/network.js';
import { RegistryError } from '../registry/errors.js';

/** Failures allowed for one account from one network, and for one network, in the window. */
const MAX_FAILURES = 10;
const MAX_NETWORK_FAILURES = 100;
const WINDOW_MS = 15 * 60_000;
/** Of each, about 150 bytes. */
const MAX_COUNTED = 50_000;

interface Failures {
  count: number;
  since: number;
}

export interface Attempt {
  /** The password was right: the account's failures are forgiven. */
  succeeded(): void;
  /** It was not even looked at. */
  neverCompared(): void;
}

export class FailedSignIns {
  /** By digest: what a client sends as a name is no key of ours. */
  private readonly ofAccounts: BoundedMap<string, Failures>;
  private readonly ofNetworks: BoundedMap<string, Failures>;

  /** `now`: milliseconds by a clock that nobody sets. */
  constructor(private readonly now: () => number = () => performance.now()) {
    const age = { maxAgeMs: WINDOW_MS, now };
    this.ofAccounts = new BoundedMap(MAX_COUNTED, age);
    this.ofNetworks = new BoundedMap(MAX_COUNTED, age);
  }

  /** Counts a failure until it turns out to be none. @throws RegistryError rate.limited */
  begin(account: string, address: string): Attempt {
    const network = networkOf(address);
    const both = digest('sha256', JSON.stringify([account, network]), 'base64url');
    this.refuseAfter(this.ofAccounts.get(both), MAX_FAILURES);
    this.refuseAfter(this.ofNetworks.get(network), MAX_NETWORK_FAILURES);
    const counted = [count(this.ofAccounts, both, this.now()), count(this.ofNetworks, network, this.now())];
    const [ofAccount, ofNetwork] = counted as [Failures, Failures];
    return {
      succeeded: () => {
        this.ofAccounts.delete(both);
        ofNetwork.count -= 1;
      },
      neverCompared: () => {
        ofAccount.count -= 1;
        ofNetwork.count -= 1;
      },
    };
  }

  private refuseAfter(seen: Failures | undefined, allowed: number): void {
    if (!seen || seen.count < allowed) return;
    const left = seen.since + WINDOW_MS - this.now();
    throw new RegistryError('rate.limited', 'Too many failed sign-ins; wait before the next one.', {
      extra: { retryAfter: Math.max(1, Math.ceil(left / 1000)) },
    });
  }
}

/** The window begins with the first failure. */
function count(map: BoundedMap<string, Failures>, key: string, now: number): Failures {
  const seen = map.get(key);
  if (seen) {
    seen.count += 1;
    return seen;
  }
  const first = { count: 1, since: now };
  map.set(key, first);
  return first;
}
