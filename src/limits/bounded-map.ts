/**
 * A map that requests may fill: it holds a fixed number of entries, and a new one takes the place of the oldest. With an
 * age, entries older than that are gone. docs/limits.md lists every one.
 */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, { value: V; since: number }>();

  /** `maxAgeMs`: since the entry was last set. */
  constructor(
    readonly capacity: number,
    private readonly age?: { maxAgeMs: number; now: () => number },
  ) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    if (this.age && entry.since + this.age.maxAgeMs <= this.age.now()) {
      this.entries.delete(key);
      return undefined;
    }
    return entry.value;
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  /** Counts as the newest entry from now on. */
  set(key: K, value: V): void {
    this.entries.delete(key);
    const since = this.age?.now() ?? 0;
    this.entries.set(key, { value, since });
    for (const [oldest, entry] of this.entries) {
      const over = this.age !== undefined && entry.since + this.age.maxAgeMs <= since;
      if (!over && this.entries.size <= this.capacity) break;
      this.entries.delete(oldest);
    }
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
