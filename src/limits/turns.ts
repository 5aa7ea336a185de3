/** What is asked for waits here, and whoever asks has a turn after each of the others, however much any of them asks for. */
export class Turns<Asked> {
  /** The next to have a turn first. */
  readonly #queues = new Map<string, Asked[]>();
  #waiting = 0;

  constructor(private readonly most: { ofOne: number; inAll: number }) {}

  /** Answers the bound that is reached, where nothing more is taken. */
  add(who: string, asked: Asked): 'of one' | 'in all' | undefined {
    const own = this.#queues.get(who);
    if (own !== undefined && own.length >= this.most.ofOne) return 'of one';
    if (this.#waiting >= this.most.inAll) return 'in all';
    if (own) own.push(asked);
    else this.#queues.set(who, [asked]);
    this.#waiting++;
    return undefined;
  }

  /** Whoever may not have a turn now keeps its place. */
  next(may: (who: string) => boolean = () => true): Asked | undefined {
    for (const [who, own] of this.#queues) {
      if (!may(who)) continue;
      const asked = own.shift();
      this.#queues.delete(who);
      if (own.length > 0) this.#queues.set(who, own);
      this.#waiting--;
      return asked;
    }
    return undefined;
  }
}
