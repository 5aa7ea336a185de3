/** How many connections stay open for live changes: of one account or network, and in all. */
import { RegistryError } from '../registry/errors.js';

const IN_ALL = 500;
const OF_ONE = 20;

export class LiveReaders {
  private readonly open = new Map<string, number>();
  private all = 0;

  /** Takes a place; the answer gives it back. @throws RegistryError rate.limited */
  enter(who: string): () => void {
    const mine = this.open.get(who) ?? 0;
    if (mine >= OF_ONE || this.all >= IN_ALL) {
      const reason = mine >= OF_ONE ? `You follow changes on ${OF_ONE} connections` : 'As many follow changes as may';
      throw new RegistryError(
        'rate.limited',
        `${reason} already; close one, or ask for pages (Accept: application/x-ndjson).`,
      );
    }
    this.open.set(who, mine + 1);
    this.all++;
    return () => {
      this.all--;
      const left = (this.open.get(who) ?? 1) - 1;
      if (left > 0) this.open.set(who, left);
      else this.open.delete(who);
    };
  }
}
