/**
 * Results by text, for texts of which most come again soon: those that were asked for since the last turn of their room
 * or the one before. Where hardly any comes twice, none is kept or looked for for a while, since that costs more than
 * making it.
 */

/** Requests after which it is asked whether keeping pays, and how many times as many go by until it is tried again. */
const TRIED = 512;
const LEFT_OUT = 30;
/** It does where at least one in so many was known. */
const PAYS = 4;
/** Longer texts are not kept. */
const LONGEST = 100;

/** Room that maps share: it turns once so many results were kept or asked for anew, so that they have at most twice as many. */
export class RecentRoom {
  readonly #maps: { turn(): void }[] = [];
  #taken = 0;

  constructor(private readonly most: number) {}

  add(map: { turn(): void }): void {
    this.#maps.push(map);
  }

  /** For one result. */
  take(): void {
    if (this.#taken === this.most) {
      for (const map of this.#maps) map.turn();
      this.#taken = 0;
    }
    this.#taken++;
  }
}

export class RecentMap<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  #asked = 0;
  #known = 0;
  #keeps = true;

  constructor(private readonly room: RecentRoom) {
    room.add(this);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(text: string): V | undefined {
    if (++this.#asked >= TRIED) this.#decide();
    if (!this.#keeps) return undefined;
    const young = this.#young.get(text);
    if (young !== undefined) {
      this.#known++;
      return young;
    }
    const old = this.#old.get(text);
    if (old === undefined) return undefined;
    this.#known++;
    this.#old.delete(text);
    this.room.take();
    this.#young.set(text, old);
    return old;
  }

  /** Whether a result that `get` does not know would be kept: it is made of texts of its own then, and so is its text. */
  keeps(text: string): boolean {
    return this.#keeps && text.length <= LONGEST;
  }

  /** A result that is to be kept. */
  set(text: string, value: V): void {
    this.room.take();
    this.#young.set(text, value);
  }

  /** What was not asked for since the last turn is forgotten. */
  turn(): void {
    this.#old = this.#young;
    this.#young = new Map();
  }

  #decide(): void {
    if (this.#keeps) this.#keeps = this.#known * PAYS >= this.#asked;
    else if (this.#asked < TRIED * LEFT_OUT) return;
    else this.#keeps = true;
    this.#asked = 0;
    this.#known = 0;
  }
}
