/** Places that are waited for, in turns: whoever holds all that one may have keeps no other waiting. */
import { Places } from './places.js';
import { Turns } from './turns.js';

export interface Bounds {
  ofOne: number;
  inAll: number;
}

export class WaitingPlaces {
  readonly #places: Places;
  readonly #waiting: Turns<(leave: () => void) => void>;

  /** `most`: places; `waiting`: how many wait for one, as many as like where it is absent. */
  constructor(most: Bounds, waiting: Bounds = { ofOne: Number.POSITIVE_INFINITY, inAll: Number.POSITIVE_INFINITY }) {
    this.#places = new Places(most);
    this.#waiting = new Turns(waiting);
  }

  /** Resolves to what gives the place back, once, and on to the next in line; to the bound that is reached where no more may wait. */
  async enter(who: string): Promise<(() => void) | 'of one' | 'in all'> {
    const place = this.#places.enter(who);
    if (typeof place !== 'string') return this.#leaving(place);
    let bound: 'of one' | 'in all' | undefined;
    const turn = new Promise<() => void>((resolve) => {
      bound = this.#waiting.add(who, resolve);
    });
    return bound ?? this.#leaving(await turn);
  }

  #leaving(leave: () => void): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leave();
      this.#next();
    };
  }

  /** The place goes to the next in line who may have it, without being free in between. */
  #next(): void {
    let leave: (() => void) | undefined;
    const next = this.#waiting.next((who) => {
      const place = this.#places.enter(who);
      if (typeof place === 'string') return false;
      leave = place;
      return true;
    });
    if (next && leave) next(leave);
  }
}
