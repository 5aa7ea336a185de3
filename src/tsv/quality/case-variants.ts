/** Values of one column that differ only in case: `blood` and `Blood`. The rarer one is reported. */

import { ownText } from '../../registry/own-text.js';

/** A longer value is free text, and not kept. */
const MAX_LENGTH = 100;

export class CaseVariants {
  /** Case-folded value → its spellings with their counts. */
  readonly #spellings = new Map<string, Map<string, number>>();
  #size = 0;
  /** Too many different values: ids or free text, where case may well carry meaning. */
  free = false;

  /** `mostSpellings`: of more different ones nothing is said. */
  constructor(private readonly mostSpellings: number) {}

  add(value: string): void {
    if (this.free || value.length > MAX_LENGTH) return;
    const folded = value.toLowerCase();
    let spellings = this.#spellings.get(folded);
    if (!spellings) {
      spellings = new Map();
      this.#spellings.set(ownText(folded), spellings);
    }
    const count = spellings.get(value);
    spellings.set(count === undefined ? ownText(value) : value, (count ?? 0) + 1);
    if (count === undefined && ++this.#size > this.mostSpellings) this.#giveUp();
  }

  /** The spelling that was added more often. One-letter values (alleles, codes) mean what they say. */
  usual(value: string): string | undefined {
    if (value.length < 2) return undefined;
    const spellings = this.#spellings.get(value.toLowerCase());
    if (!spellings) return undefined;
    const own: [string, number] = [value, spellings.get(value) ?? 1];
    const [best] = [...spellings].reduce((most, each) => (each[1] > most[1] ? each : most), own);
    return best === value ? undefined : best;
  }

  #giveUp(): void {
    this.free = true;
    this.#spellings.clear();
  }
}
