/**
 * Samples are read and written in places, in turns: on PostgreSQL each takes a connection for as long as it lasts, and who asks for
 * many at once had all of them (60 pages of 200 samples: a small upload of another took 4 s, of 0.1 s; 50 samples with 12 000
 * characteristics: a read of another took 10 s, and beside as many writes of them an upload 13 s). So is all else that is asked and answered
 * at once (80 lists of 200 submissions: a small upload of another took 75 s, beside histories 13 s, beside statuses of one submission 4 s).
 */
import type { LotStore, LotsFor } from '../registry/samples/sample-lots.js';
import { askerOf } from './network.js';
import { WaitingPlaces } from './waiting-places.js';

/** Of the ten connections of a process; of the others, single samples that are read or written have five at most. */
const AT_ONCE = { ofOne: 2, inAll: 4 };
const SINGLE_AT_ONCE = { ofOne: 3, inAll: 5 };

/** Does `work` in a place of `who`. `isWide`: a body of more bytes than any connection may hold goes with it. */
export type InPlace = <T>(who: () => Promise<string>, work: () => Promise<T>, isWide?: boolean) => Promise<T>;

function inPlaces(atOnce: { ofOne: number; inAll: number }): InPlace {
  const places = new WaitingPlaces(atOnce);
  return async (who, work) => {
    const leave = await places.enter(await who());
    try {
      return await work();
    } finally {
      if (typeof leave === 'function') leave();
    }
  };
}

export function lotsInTurns({ readSamplesWithin }: LotStore): LotsFor {
  const inPlace = inPlaces(AT_ONCE);
  return (caller, network) => ({
    readSamplesWithin: (...lot) =>
      inPlace(
        async () => askerOf(caller, network),
        () => readSamplesWithin(...lot),
      ),
  });
}

export const samplesInPlaces = (): InPlace => inPlaces(SINGLE_AT_ONCE);

/** Where a read is over before another can begin, and small writes are committed together: wide bodies alone, which take ten times their bytes once they are parsed. */
export function wideInPlaces(): InPlace {
  const inPlace = samplesInPlaces();
  return (who, work, isWide) => (isWide ? inPlace(who, work) : work());
}
