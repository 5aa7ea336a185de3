/**
 * Turns for the work of hashing passwords: it runs on the threads that also read and write files, four of them, so two
 * at a time leave two to the files whoever signs in.
 */
import { networkOf } from '../limits/network.js';
import { RegistryError } from '../registry/errors.js';

const AT_ONCE = 2;
/** Running and waiting ones; at 0.2 s each the last of them begins within a second. */
const MOST = 10;
/** Of one network, so that nobody takes all turns. */
const MOST_OF_ONE = 4;

export class HashingTurns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** As many entries as there are turns. */
  private readonly ofNetwork = new Map<string, number>();

  /** @throws RegistryError rate.limited when too many run and wait, or whatever `work` throws */
  async run<T>(address: string, work: () => Promise<T>): Promise<T> {
    const network = networkOf(address);
    const mine = this.ofNetwork.get(network) ?? 0;
    if (this.running + this.waiting.length >= MOST || mine >= MOST_OF_ONE) {
      throw new RegistryError('rate.limited', 'Too many passwords are being checked at this moment; try again.', {
        extra: { retryAfter: 1 },
      });
    }
    this.ofNetwork.set(network, mine + 1);
    try {
      if (this.running >= AT_ONCE) await new Promise<void>((begin) => this.waiting.push(begin));
      else this.running += 1;
      return await work();
    } finally {
      // The turn is handed on, not given back, so that nobody slips in between.
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
      const left = (this.ofNetwork.get(network) ?? 1) - 1;
      if (left > 0) this.ofNetwork.set(network, left);
      else this.ofNetwork.delete(network);
    }
  }
}
