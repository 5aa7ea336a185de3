/** Units and terms that do not stand beside what they are of: an import profile says of which column or characteristic. */
import type { TermCells } from '../../registry/samples/packed-sample.js';
import { fold } from '../dialect.js';

export interface Owner {
  terms: TermCells[];
  unit: number | undefined;
  unitTerms: TermCells[];
}

/** A characteristic, in columns of the sheet. */
export interface Named extends Owner {
  name: string;
  text: number;
  fixedUnit: string | undefined;
}

/** What stands in the column `at`. */
export type Elsewhere = { at: number } & (
  | { kind: 'term-of' | 'unit-of'; name: string }
  | { kind: 'term-at' | 'unit-at'; column: number }
);

/** The column of a value, and that of its term, which is the value where a row says the term alone. */
export interface StandIn {
  column: number;
  by: number;
}

/**
 * Gives each of them to its characteristic, and answers which terms stand in for a value that its row leaves empty. A
 * term of a name that no characteristic has is one more, its own term.
 */
export function bindElsewhere(characteristics: Named[], elsewhere: readonly Elsewhere[]): StandIn[] {
  const standIns: StandIn[] = [];
  if (elsewhere.length === 0) return standIns;
  const owners = new Owners(characteristics);
  // Units first: a term may be that of a unit.
  for (const one of elsewhere) {
    const owner = one.kind.startsWith('unit') ? owners.of(one) : undefined;
    if (owner && owner.unit === undefined) owner.unit = one.at;
  }
  const ofUnit = new Map(characteristics.map((each) => [each.unit, each]));
  for (const one of elsewhere) {
    if (one.kind.startsWith('unit')) continue;
    const owner = owners.of(one);
    const cells = { accession: one.at };
    if (owner) {
      owner.terms.push(cells);
      if (owner.text !== one.at) standIns.push({ column: owner.text, by: one.at });
    } else if ('column' in one) ofUnit.get(one.column)?.unitTerms.push(cells);
    else {
      const { name, at: text } = one;
      const itself = { name, text, terms: [cells], unit: undefined, unitTerms: [], fixedUnit: undefined };
      characteristics.push(itself);
      owners.add(itself);
    }
  }
  return standIns;
}

/** Characteristics by column and by name: that which is written the same, else the first that differs in case, blanks and underscores. */
class Owners {
  readonly #byColumn = new Map<number, Named>();
  readonly #byName = new Map<string, Named>();
  readonly #byFolded = new Map<string, Named>();

  constructor(characteristics: readonly Named[]) {
    for (const each of characteristics) this.add(each);
  }

  add(one: Named): void {
    const { text, name } = one;
    this.#byColumn.set(text, one);
    if (!this.#byName.has(name)) this.#byName.set(name, one);
    if (!this.#byFolded.has(fold(name))) this.#byFolded.set(fold(name), one);
  }

  of(one: Elsewhere): Named | undefined {
    if ('column' in one) return this.#byColumn.get(one.column);
    return this.#byName.get(one.name) ?? this.#byFolded.get(fold(one.name));
  }
}
