/** How many bytes of one kind are held at once: for one account or, without a token, one network, and in all. */

export interface RoomOptions {
  ofOne: number;
  inAll: number;
  /** Whoever holds nothing may hold so much, whatever others hold. */
  always: number;
}

export class Room {
  private readonly taken = new Map<string, number>();
  private all = 0;

  constructor(private readonly most: RoomOptions) {}

  /**
   * Takes room for so many bytes; what it answers gives it back, once. Else the bound that is reached: whatever is asked for by
   * one that holds nothing is within its own.
   */
  take(who: string, bytes: number): (() => void) | 'of one' | 'in all' {
    const mine = this.taken.get(who) ?? 0;
    if (mine > 0 && mine + bytes > this.most.ofOne) return 'of one';
    if (this.all + bytes > this.most.inAll && (mine > 0 || bytes > this.most.always)) return 'in all';
    this.add(who, bytes);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.add(who, -bytes);
    };
  }

  /** Of what is there already and cannot be refused. */
  hold(who: string, bytes: number): () => void {
    this.add(who, bytes);
    return () => this.add(who, -bytes);
  }

  private add(who: string, bytes: number): void {
    this.all += bytes;
    const mine = (this.taken.get(who) ?? 0) + bytes;
    if (mine > 0) this.taken.set(who, mine);
    else this.taken.delete(who);
  }
}
