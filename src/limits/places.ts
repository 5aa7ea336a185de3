/** How much of one kind goes on at once: for one account or, without a token, one network, and in all. */

export class Places {
  private readonly taken = new Map<string, number>();
  private all = 0;

  constructor(private readonly most: { ofOne: number; inAll: number }) {}

  /** Takes a place; what it answers gives it back, once. Else the bound that is reached. */
  enter(who: string): (() => void) | 'of one' | 'in all' {
    const mine = this.taken.get(who) ?? 0;
    if (mine >= this.most.ofOne) return 'of one';
    if (this.all >= this.most.inAll) return 'in all';
    this.taken.set(who, mine + 1);
    this.all++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.all--;
      const rest = (this.taken.get(who) ?? 1) - 1;
      if (rest > 0) this.taken.set(who, rest);
      else this.taken.delete(who);
    };
  }
}
