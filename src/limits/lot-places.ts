/**
 * Lots of samples are read in places, in turns: on PostgreSQL each takes a connection for as long as it is read, and who asks for
 * many pages at once had all of them (60 pages of 200 samples: a small upload of another took 4 s, of 0.1 s).
 */
import type { Caller } from '../registry/permissions.js';
import type { LotStore, LotsFor } from '../registry/samples/sample-lots.js';
import { WaitingPlaces } from './waiting-places.js';

/** Of the ten connections of a process. */
const AT_ONCE = { ofOne: 2, inAll: 4 };
/** Whose turn it is where the service reads for nobody. */
const SERVICE = 'service';

export function lotsInTurns({ readSamplesWithin }: LotStore): LotsFor {
  const places = new WaitingPlaces(AT_ONCE);
  return (caller, network) => ({
    readSamplesWithin: async (...lot) => {
      const leave = await places.enter(asker(caller, network));
      try {
        return await readSamplesWithin(...lot);
      } finally {
        if (typeof leave === 'function') leave();
      }
    },
  });
}

const asker = (caller: Caller | undefined, network = SERVICE): string =>
  caller ? `account ${caller.account}` : network;
