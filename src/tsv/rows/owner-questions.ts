/** What a survey must know of the store, asked in batches and kept only where the answer is no. */
import { KeptTargets } from './kept-targets.js';
import type { IdentifierFault, SurveyOptions } from './reading.js';

/** Accession numbers asked for at once. */
const ASKED = 5000;

export class OwnerQuestions {
  /** Accession numbers that were asked for and that no sample has. */
  readonly missing = new Set<number>();
  readonly badIdentifiers = new Map<number, IdentifierFault>();
  /** Relationships to what is no accession. */
  readonly kept: KeptTargets;
  #targets: number[] = [];
  #identifiers: number[] = [];

  constructor(private readonly options: Pick<SurveyOptions, 'ownersOf' | 'storedForEdit' | 'account' | 'admin'>) {
    this.kept = new KeptTargets(options);
  }

  target(id: number): void {
    if (this.options.ownersOf) this.#targets.push(id);
  }

  identifier(id: number): void {
    if (this.options.ownersOf) this.#identifiers.push(id);
  }

  /** Asks what has gathered, once it is worth a question; all of it with `last`. */
  async ask(last: boolean): Promise<void> {
    await this.kept.ask(last);
    const { ownersOf, account, admin } = this.options;
    if (!ownersOf || (!last && this.#targets.length + this.#identifiers.length < ASKED)) return;
    const targets = this.#targets;
    const identifiers = this.#identifiers;
    this.#targets = [];
    this.#identifiers = [];
    for (const ids of portions(targets)) {
      const owners = await ownersOf(ids);
      for (const id of ids) if (!owners.has(id)) this.missing.add(id);
    }
    for (const ids of portions(identifiers)) {
      const owners = await ownersOf(ids);
      for (const id of ids) {
        const owner = owners.get(id);
        if (owner === undefined) this.badIdentifiers.set(id, 'unknown');
        else if (account !== undefined && owner !== account && !admin) this.badIdentifiers.set(id, 'not-yours');
      }
    }
  }
}

function* portions(ids: number[]): Generator<number[]> {
  const distinct = [...new Set(ids)];
  for (let from = 0; from < distinct.length; from += ASKED) yield distinct.slice(from, from + ASKED);
}
