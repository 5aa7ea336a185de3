/** One look at a thing for all who follow it: however many they are, each thing is looked at once at a time. */

interface Waiting<T> {
  found: (found: T) => void;
  failed: (error: unknown) => void;
}

interface Followed<T> {
  waiting: Set<Waiting<T>>;
  looking: boolean;
  /** When the next look begins, on the clock of this process; it has its timer unless one is under way. */
  due: number;
  timer?: NodeJS.Timeout | undefined;
}

export class SharedLooks<T> {
  readonly #followed = new Map<string, Followed<T>>();

  constructor(private readonly look: (key: string) => Promise<T>) {}

  /** Things that somebody waits for. */
  get size(): number {
    return this.#followed.size;
  }

  /**
   * What a look finds that begins from now on: within so many milliseconds, or as soon as the one that is under way has ended. It
   * is the earliest that anybody waits for. Undefined when the signal ends the waiting.
   */
  next(key: string, withinMs: number, signal: AbortSignal): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return resolve(undefined);
      const followed = this.#followed.get(key) ?? { waiting: new Set(), looking: false, due: Number.POSITIVE_INFINITY };
      this.#followed.set(key, followed);
      const leave = () => {
        followed.waiting.delete(waiting);
        if (followed.waiting.size === 0) this.#schedule(key, followed);
        resolve(undefined);
      };
      const stay = () => signal.removeEventListener('abort', leave);
      const waiting: Waiting<T> = {
        found: (found) => {
          stay();
          resolve(found);
        },
        failed: (error) => {
          stay();
          reject(error);
        },
      };
      followed.waiting.add(waiting);
      signal.addEventListener('abort', leave, { once: true });
      const due = performance.now() + withinMs;
      if (due >= followed.due) return;
      followed.due = due;
      this.#schedule(key, followed);
    });
  }

  #schedule(key: string, followed: Followed<T>): void {
    clearTimeout(followed.timer);
    if (followed.looking) return;
    if (followed.waiting.size === 0) this.#followed.delete(key);
    else followed.timer = setTimeout(() => this.#lookNow(key, followed), followed.due - performance.now());
  }

  async #lookNow(key: string, followed: Followed<T>): Promise<void> {
    const all = [...followed.waiting];
    followed.waiting.clear();
    followed.due = Number.POSITIVE_INFINITY;
    followed.looking = true;
    try {
      const found = await this.look(key);
      for (const each of all) each.found(found);
    } catch (error) {
      for (const each of all) each.failed(error);
    }
    followed.looking = false;
    this.#schedule(key, followed);
  }
}
