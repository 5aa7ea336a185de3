/**
 * Lots of samples are read in places, in turns: on PostgreSQL each takes a connection for as long as it is read, and who asks for
 * many pages at once had all of them (60 pages of 200 samples: a small upload of another took 4 s, of 0.1 s).
 */
import type { LotStore, LotsFor } from '../registry/samples/sample-lots.js';
import { askerOf } from './network.js';
import { WaitingPlaces } from './waiting-places.js';

/** Of the ten connections of a process. */
const AT_ONCE = { ofOne: 2, inAll: 4 };

export function lotsInTurns({ readSamplesWithin }: LotStore): LotsFor {
  const places = new WaitingPlaces(AT_ONCE);
  return (caller, network) => ({
    readSamplesWithin: async (...lot) => {
      const leave = await places.enter(askerOf(caller, network));
      try {
        return await readSamplesWithin(...lot);
      } finally {
        if (typeof leave === 'function') leave();
      }
    },
  });
}
