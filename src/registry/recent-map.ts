/**
 * Results by text, for texts of which most come again soon: those that were asked for since the last turn or the one
 * before. Where hardly any comes twice, none is kept or looked for for a while, since that costs more than making it. Who
 * owns it counts what is kept and says when to turn.
 */

/** Requests after which it is asked whether keeping pays, and how many times as many go by until it is tried again. */
const TRIED = 512;
const LEFT_OUT = 30;
/** It does where at least one in so many was known. */
const PAYS = 4;
/** Longer texts are not kept. */
const LONGEST = 100;

export class RecentMap<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  #asked = 0;
  #known = 0;
  #keeps = true;

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
    this.#young.set(text, old);
    this.#old.delete(text);
    return old;
  }

  /** Whether it was kept. */
  set(text: string, value: V): boolean {
    if (!this.#keeps || text.length > LONGEST) return false;
    this.#young.set(text, value);
    return true;
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
